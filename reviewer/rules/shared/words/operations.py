"""What the operation in a tool's name says: its verb, a second verb joined to it, an option put into it, its object again."""

from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.verbs import VERB_MODIFIERS, extract_operation, is_noun_too, is_verb

JOINING = frozenset("and or then".split())
"""What joins two verbs in a name; `with` adds an option and is looked at below."""

ONE = frozenset(
    {
        ("drag", "drop"),
        ("copy", "paste"),
        ("cut", "paste"),
        ("search", "replace"),
        ("find", "replace"),
        ("track", "trace"),
        ("fill", "submit"),
    }
)
"""Verbs that are one thing when they are joined."""

TURNING = frozenset("force forced forcibly recursively dry silently quietly".split())
"""Words that only turn something on."""

COMPANIONS = frozenset(
    "share link sync synchronize merge compare connect associate match replace align integrate chat talk interact start begin "
    "end fill wrap login".split()
)
"""Verbs that go with `with`."""


def find_verb(name: str) -> str | None:
    """Return the word that the operation begins with, after one that says how: `create` of `task.bulk_create`; None without
    any."""
    parts = [part for part in extract_operation(name) if part not in VERB_MODIFIERS] or list(extract_operation(name))
    return parts[0] if parts else None


def changes(name: str) -> bool:
    """Return whether a verb in a name says that something is changed: `get_or_create`."""
    return bool(load_lexicon("changing") & set(extract_operation(name)[1:]))


def find_joined_verbs(name: str) -> tuple[str, str] | None:
    """Return two verbs that a name joins: `create_and_assign`, `get_or_create`; nouns that are joined are one object."""
    parts = extract_operation(name)
    for at in range(1, len(parts) - 1):
        before = next((part for part in reversed(parts[:at]) if is_verb(part)), None)
        after = parts[at + 1]
        is_second = is_verb(after) or (at == 1 and parts[at] == "and")  # what follows a verb and `and` is done as well
        if parts[at] in JOINING and before is not None and is_second and (before, after) not in ONE:
            if not is_noun_too(after) or at == 1:
                return before, after
    return None


def find_option(name: str) -> str | None:
    """Return the words of a name that are an option: `force` of `item.force_delete`, `with label` of `task.create_with_label`."""
    parts = extract_operation(name)
    if not any(map(is_verb, parts)):
        return None
    for at, part in enumerate(parts):
        if part in TURNING and len(parts) > 1:
            return "dry run" if parts[at : at + 2] == ("dry", "run") else None if part == "dry" else part
        if at and part in ("with", "without") and parts[at + 1 :] and not COMPANIONS & set(parts[:at]):
            return " ".join(parts[at:])
    return None


def find_repeated_word(name: str) -> str | None:
    """Return the word of its object that the operation of `object.operation` says again: `task` of `task.create_task`."""
    subject, dot, last = name.rpartition(".")
    parts = split_words(last)
    objects = {to_singular(word) for word in split_words(subject)} if dot else set()
    heads = parts[1:] if parts and is_verb(parts[0]) else parts
    return next((part for part in heads if to_singular(part) in objects), None) if len(parts) > 1 else None
