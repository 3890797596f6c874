"""What a tool's code does, for rules that look for acts of some kind."""

from collections.abc import Callable, Iterator, Sequence

from reviewer.facts import Act, ActKind, Dispatch, Handler, Project, Server, Tool, Transport
from reviewer.rules import Flaw
from reviewer.rules.shared.hints import read_hints
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.source import Span, Text, count_common_parts

CHANGING: dict[ActKind, str] = {"writes": "writes", "deletes": "deletes", "runs": "runs a command"}
"""The kinds of acts by which something is otherwise after the call, as a message says them."""


def iter_acts(handler: Handler | None, *kinds: ActKind) -> Iterator[Act]:
    """Return the acts of some kinds."""
    return iter(handler.acts.select_kinds(*kinds) if handler is not None else ())


def iter_false_successes(handler: Handler) -> Iterator[Act]:
    """Return the failures that reach the client as successes; none if the caller of the handler may turn them into
    errors.
    """
    return iter(()) if handler.rechecked else iter_acts(handler, "succeeds in error")


def iter_handlers(holder: Server | Dispatch, is_meant: Callable[[Tool], bool] = lambda _: False) -> Iterator[Handler]:
    """Yield the handlers of a server's tools, except those for which `is_meant` is true, or of a dispatcher's actions."""
    if isinstance(holder, Dispatch):
        yield from holder.arms
        return
    for each in holder.tools:
        if each.code is not None and not is_meant(each):
            yield each.code


ABOUT_HEALTH = frozenset(
    "health healthcheck ping status diagnose diagnostics doctor probe connectivity connection".split()
)
"""What a tool asks for that answers how something fares: that it does not is no failure of the call."""


def is_about_health(handler: Handler) -> bool:
    """Return whether a tool asks how something fares."""
    return not ABOUT_HEALTH.isdisjoint(split_words(handler.name))


def collect_distinct_acts(
    holder: Server | Dispatch,
    *kinds: ActKind,
    is_meant: Callable[[Tool], bool] = lambda _: False,
    is_failing: bool = False,
) -> list[tuple[Handler, Act]]:
    """Return the acts of some kinds, each place once, with what comes there first.

    Where they are about what is `is_failing`, those are left out of what asks how something fares.
    """
    found: dict[Span, tuple[Handler, Act]] = {}
    for handler in iter_handlers(holder, is_meant):
        for act in iter_acts(handler, *kinds) if not (is_failing and is_about_health(handler)) else ():
            found.setdefault(act.text.span, (handler, act))
    return list(found.values())


def format_operation(act: Act) -> str:
    """Name what failed."""
    return f"`{shorten_code(act.about, 60)}`" if act.about is not None else "an operation"


def merge_into_flaw(texts: Sequence[Text], message: str, help: str) -> Flaw:
    """Return the flaw of what stands in several places, at the first; a report counts the others and says where they are."""
    first, *others = texts
    return Flaw(first, message, help, related=tuple(each.span for each in others))


def format_way(act: Act, handler: Handler) -> str:
    """Return the calls between a tool and the function with an act, as text; empty if the tool does it itself."""
    return format_reach(str(handler.name), act.through)


def format_reach(tool: str, through: Sequence[Text]) -> str:
    """Return by which call a tool comes to something; empty if it is in the tool itself."""
    return f" (`{tool}` reaches it through `{shorten_code(through[0], 40)}`)" if through else ""


def format_cause(act: Act) -> str:
    """Return by which argument, or by what from outside, an act comes about; empty if it is not known, or is the act itself."""
    return f", depending on `{shorten_code(act.about, 40)}`" if act.about is not None and act.about != act.text else ""


def find_nearest_stdio(project: Project, path: str) -> Transport | None:
    """Return a stdio transport among the transports nearest to a file: in the file itself, or by the folders in common."""
    parts = path.split("/")

    def count_common(transport: Transport) -> int:
        return count_common_parts(parts, transport.text.span.path.split("/"))

    nearest = max(map(count_common, project.transports), default=0)
    near = (each for each in project.transports if count_common(each) == nearest)
    return next((each for each in near if each.kind == "stdio"), None)


def lists(name: str) -> bool:
    """Return whether a name says that several things are looked for, of which there may be none."""
    return not {"list", "search", "find", "query", "filter", "browse", "scan", "grep"}.isdisjoint(split_words(name))


ONE = frozenset(
    "details status info stats statistics metrics diagnostics news analysis address access progress process".split()
)
"""Words that end like several things and are one."""


def gives_list(name: str) -> bool:
    """Return whether a name says that several things are answered: it looks for them, or ends with what there are several of."""
    last = (split_words(name) or [""])[-1]
    return lists(name) or (last.endswith("s") and not last.endswith("ss") and last not in ONE)


def claim(tool: Tool) -> tuple[Text | None, str] | None:
    """Return where a tool says that it changes nothing, if the place is known, and how; None if it does not."""
    given = read_hints(tool)
    if given is not None and given.get("readOnlyHint") is True:
        return None, "`readOnlyHint: true`"
    said = tool.said
    if said is not None and given is not None and given.get("readOnlyHint") is None:
        found = next((each for each in CLAIMS if each in said.lower()), None)
        return (said, f"`{found}`") if found is not None else None
    return None


CLAIMS = ("this tool is read-only", "this is a read-only", "read-only operation", "read-only tool", "only reads ")
"""What a description says of a tool that changes nothing."""
