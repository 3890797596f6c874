"""Lists of pages that are cut once more, so that no page ever has some of their elements.

A list that is cut before it is paged ends where it was cut, whatever cursor the client sends. A page that is cut once it is taken
lacks what the next one, which begins behind it, does not have either.
"""

from collections.abc import Iterator
from typing import Literal

from reviewer.behaviour.answer_size.cuts import KeptPart
from reviewer.behaviour.paging.cursor_parts import iter_inside, iter_next_cursors
from reviewer.behaviour.paging.pages import PAGING, SKIPPING, is_page_size
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Event, Occurrence, Returned, Sliced, Stored, Trace
from reviewer.code.program import Program, find_once
from reviewer.code.values import Label, Made, Value, find_original_term

Loss = Literal["before", "again", ""]
"""When a list is cut beside being paged: before that, once a page is taken, or not at all."""


def find_loss(trace: Trace, kept: KeptPart, program: Program) -> Loss:
    """Return when a list is cut beside being paged, by which elements of it stand on no page."""
    label = kept.event.label
    if is_page(kept):
        is_counted = any(
            label in labels for labels in find_once(program, trace, "counted", lambda: _list_counted(trace))
        )
        return "" if is_counted else "again"
    paged: list[frozenset[Label]] = find_once(program, trace, "paged", lambda: list(_iter_paged_labels(trace, program)))
    return "before" if any(label in labels for labels in paged) else ""


def is_page(kept: KeptPart) -> bool:
    """Return whether what is cut is a page already: from where a client wants it to where it ends."""
    for here, value in kept.sources:
        match find_original_term(value.term):
            case ("part", _, low, high) if low is not None and high is not None and _is_for_client(here, value):
                return True
            case ("part", inner, None, high) if high is not None and _is_for_client(here, value):
                match find_original_term(inner):
                    case ("part", _, low, _) if low is not None:
                        return True
    return False


def _is_for_client(here: Occurrence, value: Value) -> bool:
    """Return whether a value is made of the place at which a client wants a page to begin."""
    return any(
        each.origin in ("argument", "request") and PAGING.asks(each.name) and not is_page_size(each.name)
        for at, one in iter_inside(here, value)
        for each in at.resolve_labels(one)
    )


def _list_counted(trace: Trace) -> list[frozenset[Label]]:
    """Return the labels of what is counted for the next cursor: that begins behind what is left, and nothing is lost."""
    return [
        one.labels
        for here in trace.iter_occurrences(kinds=(Returned, Called, Stored))
        for cursor in iter_next_cursors(here.event)
        for at, each in iter_inside(here, cursor)
        if isinstance(each.meaning, Made) and each.meaning.by == "length"
        for one in (each.meaning.of[0], at.trace_source(each.meaning.of[0])[1])
    ]


def _iter_paged_labels(trace: Trace, program: Program) -> Iterator[frozenset[Label]]:
    """Yield the labels of the lists of which a page is taken from where a client wants it."""
    for here in trace.iter_occurrences(kinds=(Sliced, Called)):
        owner, low = _find_paged_list(here.event, program)
        if owner is not None and low is not None and _is_for_client(here, low):
            held = (owner.contents or {}).values()
            yield here.resolve_labels(owner).union(*(here.resolve_labels(each) for each in held))


def _find_paged_list(event: Event, program: Program) -> tuple[Value | None, Value | None]:
    """Return the list whose beginning an event leaves out, and how much of that; None and None if it leaves out nothing."""
    match event:
        case Sliced(owner=owner, low=low):
            return owner, low
        case Called(followed=False, receiver=Value() as owner, arguments=(low, *_)):
            if find_modelled_return(event, program.models) in SKIPPING:
                return owner, low
    return None, None
