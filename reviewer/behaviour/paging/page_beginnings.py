"""Pages of which an argument moves the end, and not the beginning: each has what the ones before it had.

A list that is cut at `offset + limit` ends where the page ends. Where nothing leaves out what lies before `offset`, the argument
has moved one end of the page only.
"""

from collections.abc import Iterator

from reviewer.behaviour.answer_size.cuts import KeptPart, classify_cut, collect_cut_labels, iter_answers, iter_cuts
from reviewer.behaviour.arguments.argument_values import CUTS
from reviewer.behaviour.arguments.inputs import WHOLE, is_length
from reviewer.behaviour.paging.page_uses import PageArgumentUses
from reviewer.behaviour.paging.pages import PAGING, SKIPPING, is_page_size
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import (
    Called,
    Captured,
    Indexed,
    Looped,
    Obscured,
    Occurrence,
    Returned,
    Sliced,
    Tested,
    Trace,
)
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.values import ConditionalValue, Label, Made, Negation, Relation, Value
from reviewer.facts import PageOverlap

BOUNDING = frozenset({"least", "clamped"})
"""By what an end is made that is no greater than another number, such as the length of the list."""

TURNING = SKIPPING | {"turned"}
"""What models call functions after which a list begins with other elements."""

DEEPEST = 6
"""Choices and bounds around the sum of two arguments. An end has a default and the length of the list."""


def iter_overlaps(trace: Trace, models: Models, guards: frozenset[Code]) -> Iterator[PageOverlap]:
    """Yield the cuts of lists behind a place that a client sends, of which nothing before that place is left out."""
    labels = collect_cut_labels(each.value.labels for each in iter_answers(trace))
    beginnings: _Beginnings | None = None
    for kept in iter_cuts(trace, labels, models):
        names = sorted(_find_added_places(kept.occurrence, kept.event.size, DEEPEST))
        if not names or kept.is_page or classify_cut(kept) != "list":
            continue
        beginnings = beginnings or _Beginnings(trace, models, guards)
        for name in names:
            if not beginnings.are_moved(name, kept):
                yield PageOverlap(kept.text, name)


def _find_added_places(here: Occurrence, size: Value, deep: int) -> set[str]:
    """Return the arguments that an end adds to the size of a page: `offset` of `offset + limit`."""
    here, size = here.trace_source(size)
    match size.meaning:
        case Made("+", (one, other)):
            added = [_collect_names(here, each) for each in (one, other)]
            sized = [any(map(is_page_size, each)) for each in added]
            return added[sized.index(False)] if sorted(sized) == [False, True] else set()
        case Made(by, of) if by.rpartition(".")[2] in BOUNDING and deep:
            found = [_find_added_places(here, each, deep - 1) for each in of if not is_length(each)]
        case ConditionalValue(then=then, otherwise=otherwise) if deep:
            found = [_find_added_places(here, each, deep - 1) for each in (then, otherwise) if not is_length(each)]
        case _:
            found = []
    return set[str]().union(*found)


def _collect_names(here: Occurrence, value: Value) -> set[str]:
    """Return the arguments that ask for a page of which a value is made."""
    return {each.name for each in here.resolve_labels(value) if each.origin == "argument" and PAGING.asks(each.name)}


class _Beginnings(PageArgumentUses):
    """Where what one trace answers with begins."""

    def are_moved(self, name: str, kept: KeptPart) -> bool:
        """Return whether an argument may decide where a page begins, or what is left of a list may begin elsewhere."""
        entered, label = self._trace.collect_codes(), kept.event.label
        return any(
            self._is_cut_again(here, label)
            or any(_has_place(here, each, name, label) for each in self._iter_places(here, entered))
            or any(name not in _find_added_places(here, each, DEEPEST) for each in self._iter_ends(here, name))
            for here in self._occurrences
        )

    def _iter_ends(self, here: Occurrence, name: str) -> Iterator[Value]:
        """Yield where what is cut ends, made of an argument: what ends where a page begins may be left out of it."""
        match here.event:
            case Sliced(high=Value() as high):
                yield from (high,) if name in _collect_names(here, high) else ()
            case Called() as event if find_modelled_return(event, self._models) in CUTS:
                yield from (each for each in event.arguments if name in _collect_names(here, each))

    def _iter_places(self, here: Occurrence, entered: frozenset[Code]) -> Iterator[Value]:
        """Yield the values by which elements may be left out from the beginning on, or that unknown code is handed."""
        event = here.event
        match event:
            case Sliced(low=low):
                yield from (low,) if low is not None else ()
            case Indexed(key=key):
                yield key
            case Looped() | Obscured():
                yield from event.values
            case Captured(inner=inner) if inner not in entered:
                yield from event.values
            case Tested(value=value):
                yield from (value,) if _compares(value, DEEPEST) else ()
            case Returned(value=value) if event.code is not self._trace.code:
                yield from (value,) if _compares(value, DEEPEST) else ()
            case Called():
                yield from self._collect_handed_values(event)

    def _collect_handed_values(self, event: Called) -> tuple[Value, ...]:
        returns = find_modelled_return(event, self._models)
        if returns in CUTS:
            return event.arguments[:1] if returns == "between" else ()
        return self._collect_passed_values(event)

    def _is_cut_again(self, here: Occurrence, label: Label) -> bool:
        """Return whether what is left of a list is cut from its beginning on, or turned round."""
        match here.event:
            case Sliced(owner=owner, low=low):
                return low is not None and label in here.resolve_labels(owner)
            case Called(receiver=Value() as owner) as event:
                return find_modelled_return(event, self._models) in TURNING and label in here.resolve_labels(owner)
        return False


def _has_place(here: Occurrence, value: Value, name: str, left: Label) -> bool:
    """Return whether a value is made of an argument, or of all that is sent; what is `left` of the list is so anyway."""
    labels = here.resolve_labels(value)
    if {Label("argument", name), WHOLE}.isdisjoint(labels):
        return False
    return left not in labels or any(_has_place(here, each, name, left) for each in (value.contents or {}).values())


def _compares(value: Value, deep: int) -> bool:
    """Return whether a value tells how two others compare, neither of which is the length of a list."""
    match value.meaning:
        case Negation(operand):
            return deep > 0 and _compares(operand, deep - 1)
        case ConditionalValue(test, then, otherwise):
            return deep > 0 and any(_compares(each, deep - 1) for each in (test, then, otherwise))
        case Relation("<" | "<=" | "==" | "in", left, Value() as right):
            return not is_length(left) and not is_length(right)
    return False
