"""Cursors by what code does with them: the argument that says where a page begins, and the key under which the next one is given.

Half of the public servers that page call neither of them a cursor: `after` and `next`, `position` and `next_position`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.answer_size.omissions import collect_refusals, is_said, iter_said_values
from reviewer.behaviour.paging.pages import BY_QUERY, SKIPPING, is_given_cursor, is_page_size
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import Called, Event, Occurrence, Sliced, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.unreadable import READING
from reviewer.code.values import Value
from reviewer.facts import Lazy, Server
from reviewer.facts.parts import is_number
from reviewer.text.patterns import pattern

BESIDE_NEXT = frozenset("cursor token key page offset start position index id from after marker at".split())
"""What stands beside `next` in the key of a cursor; `next_steps` and `next_action` tell a model what to do."""


TEXTS = pattern(r"\b(?:str|String|bytes|Any|object)\b")
"""What the type of a parameter says that may be a text, in any language; a request that holds a cursor is none."""

MAPPINGS = pattern(r"^&?\s*(?:mut\s+)?(?:\w+(?:\.|::))*(?:[dD]ict|(?:Mutable)?Mapping|\w*Map)\b")
"""How the type of all arguments of a call begins, though it names a text: `dict[str, Any]`, `HashMap<String, Value>`."""


class PageMarks(NamedTuple):
    """The arguments of a tool that are cursors, and the keys of its answer that hold the next one."""

    given: frozenset[str] = frozenset()
    next: frozenset[str] = frozenset()


NONE = PageMarks()


def iter_page_marks(entry_points: EntryPoints, servers: Iterable[Server]) -> Iterator[tuple[Trace, PageMarks]]:
    """Yield the runs of tools that take and return such cursors. A number in the schema is an offset, not a cursor."""
    numbers = Lazy(
        lambda: [each.name for server in servers for tool in server.tools for each in tool.arguments if is_number(each)]
    )
    for each in entry_points.iter_tools():
        found = find_page_marks(each.trace, entry_points.program)
        if found.given and not found.given <= frozenset(numbers):
            yield each.trace, found._replace(given=found.given - frozenset(numbers))


def find_page_marks(trace: Trace, program: Program) -> PageMarks:
    """Return which arguments of another name tell where a page begins, of a tool that answers with where the next one does.

    Such an argument is a text: the code has to read it, and leaves out what stands before the place that it finds.
    """
    return find_once(program, trace, "page marks", lambda: _build_marks(trace, program))


def _build_marks(trace: Trace, program: Program) -> PageMarks:
    if not trace.leads_to(_reads, program) or not trace.leads_to(_begins, program):
        return NONE
    read, begun = set[str](), set[str]()
    for here in trace.iter_matching(_marks, program, kinds=(Called, Sliced)):
        if _reads(here.event, program):
            read.update(_iter_arguments(here, [each for each in here.event.values if _is_sent(here, each)]))
        begun.update(_iter_arguments(here, _iter_beginnings(here.event, program.models)))
    if any(map(is_given_cursor, read | begun)):
        return NONE  # one that is called a cursor is known by that; what else its place depends on is none
    objects = {
        each.name
        for each in trace.code.parameters
        if each.type is not None and (not TEXTS.search(each.type.text) or MAPPINGS.search(each.type.text))
    }
    given = frozenset(each for each in read & begun if not is_page_size(each) and each not in objects)
    following = frozenset(_iter_next_keys(trace, program, given)) if given else frozenset()
    own = frozenset(
        each for each in given if any(split_words(key) - {"next"} == split_words(each) for key in following)
    )
    if not following or not (own or len(given) == 1):
        return NONE  # of several arguments on which the place depends nothing says which one comes back
    return PageMarks(own or given, following)


def _reads(event: Event, program: Program) -> bool:
    """Return whether something is read out of a text."""
    return (
        isinstance(event, Called) and not event.followed and not READING.isdisjoint(collect_acts(event, program.models))
    )


def _marks(event: Event, program: Program) -> bool:
    """Return whether something is read out of a text, or elements are left out up to a place."""
    return _reads(event, program) or _begins(event, program)


def _begins(event: Event, program: Program) -> bool:
    """Return whether elements are left out, up to a place."""
    return any(True for _ in _iter_beginnings(event, program.models))


def _iter_beginnings(event: Event, models: Models) -> Iterator[Value]:
    """Yield the values that determine the first element that is not skipped."""
    if isinstance(event, Sliced) and event.low is not None:
        yield event.low
    elif isinstance(event, Called) and not event.followed:
        if find_modelled_return(event, models) in SKIPPING and event.receiver is not None:
            yield from event.arguments
        elif any(BY_QUERY.search(text) for text in (event.path, *(each.text or "" for each in event.values))):
            yield from event.values


def _is_sent(here: Occurrence, value: Value) -> bool:
    """Return whether a value is an argument, or a part of one, and nothing that was found by it or that holds it."""
    return not value.contents and {each.origin for each in here.resolve_labels(value)} <= {"argument", "cut"}


def _iter_arguments(here: Occurrence, values: Iterable[Value]) -> Iterator[str]:
    """Yield the arguments of which values are made."""
    for value in values:
        yield from (each.name for each in here.resolve_labels(value) if each.origin == "argument")


def _iter_next_keys(trace: Trace, program: Program, given: frozenset[str]) -> Iterator[str]:
    """Yield the keys of an answer under which the next page's beginning is given."""
    beside = BESIDE_NEXT.union(*map(split_words, given))
    refused = collect_refusals(trace, program)
    for here in trace.iter_occurrences():
        for said in iter_said_values(here) if is_said(here, program, refused) else ():
            words = split_words(said.key) if isinstance(said.key, str) and " " not in said.key else frozenset()
            if "next" in words and words - {"next"} <= beside:
                yield str(said.key)
