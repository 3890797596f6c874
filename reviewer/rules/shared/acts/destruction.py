"""Which names say that something is lost when they are called."""

from reviewer.rules.shared.words.identifiers import split_words

SURE = frozenset("delete purge destroy wipe uninstall erase drop remove".split())
"""Verbs after which something is gone."""

OFTEN = frozenset("reset restart shutdown revoke prune clear kill terminate overwrite replace".split())
"""Verbs after which something often is."""

STOPPING = frozenset("restart shutdown kill terminate".split())
"""Those of them that only interrupt what runs."""

READING = frozenset(
    "get list show read find search describe count is can has check preview plan view fetch query restore undo cancel "
    "confirm explain validate simulate".split()
)
"""Words before such a verb with which a name only speaks of it (`list_deleted`, `can_delete`, `preview_reset`) or takes it back
(`undo_delete`). For lack of one an action that only shows is told to be destructive."""

ASIDE = frozenset(
    "preview status history plan dry log logs count policy policies check request requests info help schema job jobs "
    "simulate estimate candidates".split()
)
"""Words after the verb with which the name speaks of it and does not do it."""

HARMLESS = frozenset(
    "cache caches cursor filter filters selection tag tags label labels highlight highlights breakpoint breakpoints screen "
    "console focus favorite favorites bookmark bookmarks star stars watch watcher view views timer timers text string strings "
    "input buffer prefix suffix whitespace duplicates reaction reactions".split()
)
"""What is easily had again."""


def find_destructive_verb(name: str, *, surely: bool = False) -> str | None:
    """Return the verb by which a name says that something is destroyed, or None; `surely` allows the strongest verbs
    only.
    """
    subject, _, operation = name.rpartition(".")
    parts = split_words(operation)
    verbs = SURE - {"remove"} if surely else SURE | OFTEN
    place = next((at for at, part in enumerate(parts) if part in verbs), None)
    if place is None or READING & set(parts[:place]) or ASIDE & set(parts[place + 1 :]):
        return None
    things = {*parts[:place], *parts[place + 1 :], *split_words(subject)[-1:]}
    weak = parts[place] in OFTEN | {"remove"}
    if weak and (things & HARMLESS or not _is_whole(parts, place, subject)):
        return None
    return parts[place]


def _is_whole(parts: tuple[str, ...], place: int, subject: str) -> bool:
    """Return whether a weak verb is all that is done: `service.restart`, `queue.clear`, `remove_item`."""
    return len(parts) == 1 if subject else place == 0 or len(parts) == 2
