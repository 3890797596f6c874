"""The texts that code compares anything with on the way to the arms of a dispatcher: the names that it may be asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Called, Event, Indexed, Tested, Trace
from reviewer.code.ir import Code
from reviewer.code.values import Function, Value
from reviewer.facts import Dispatch, Lazy


def with_asked(dispatches: Iterable[Dispatch], functions: EntryPoints) -> Iterator[Dispatch]:
    """Yield dispatches with the texts that they, or what leads to them, compare something with."""
    every = tuple(dispatches)
    for each in every:
        others = [other for other in every if other.span != each.span]
        yield replace(each, asked=Lazy(partial(collect_compared_texts, each, others, functions)))


def collect_compared_texts(dispatch: Dispatch, others: Iterable[Dispatch], functions: EntryPoints) -> Iterable[str]:
    """Return all texts that anything is compared with where calls come in that lead to a dispatcher.

    What leads only to another dispatcher answers for the actions of that.
    """
    code, own = functions.find_code(dispatch.span), functions.trace(dispatch.span)
    traces = [each.trace for each in functions.find_entry_points(code)] if code is not None else []
    aside = {each for other in others if (each := functions.find_code(other.span)) is not None and each is not code}
    found = {text for trace in traces for text in _iter_texts(trace, _collect_apart(trace, code, aside))}
    return sorted(found | set(_iter_texts(own) if own is not None else ()))


def _collect_apart(trace: Trace, code: Code | None, aside: set[Code]) -> frozenset[Code]:
    """Return the functions that lead to other dispatchers, and those themselves, but for those that lead to this one as well."""
    towards, apart = set[Code](), set[Code]()
    for here in trace.iter_occurrences(kinds=(Tested,)) if aside else ():
        chain = [each.event.code for each in here.iter_outwards()]
        for start, each in enumerate(chain):
            if each is code:
                towards.update(chain[start:])
            elif each in aside:
                apart.update(chain[start:])
    return frozenset(apart - towards) if code in towards else frozenset()


def _iter_texts(trace: Trace, apart: frozenset[Code] = frozenset()) -> Iterator[str]:
    for each in trace.iter_occurrences(kinds=(Tested, Indexed, Called)):
        if apart and any(on.event.code in apart for on in each.iter_outwards()):
            continue
        looked_up = _collect_rows(each.event) if isinstance(each.event, Tested) else frozenset[str]()
        yield from (text for text in _iter_event_texts(each.event) if text not in looked_up)


def _collect_rows(event: Event) -> frozenset[str]:
    """Return the texts in the rows that loops around an event go through: who looks a row up answers nothing by that.

    Rows that hold functions are arms themselves.
    """
    rows = [
        row
        for each in event.iter_outwards()
        if each.condition == "loop" and each.value is not None
        for row in (each.value.contents or {}).values()
    ]
    if any(isinstance(thing, Function) for row in rows for part in _iter_parts(row) for thing in part.things):
        return frozenset()
    return frozenset(part.text for row in rows for part in _iter_parts(row) if part.text is not None)


def _iter_parts(row: Value) -> Iterator[Value]:
    yield row
    yield from (row.contents or {}).values()


def _iter_event_texts(event: Event) -> Iterator[str]:
    match event:
        case Tested():
            for each in iter_relations(event.value):
                for value in (each.left, *((each.right,) if each.right is not None else ())):
                    yield from (text for text in (value.text, *_iter_held(value)) if text is not None)
        case Indexed(owner=owner) | Called(receiver=Value() as owner):
            yield from (key for key in owner.contents or {} if isinstance(key, str))


def _iter_held(value: Value) -> Iterator[str | None]:
    for key, each in (value.contents or {}).items():
        yield key if isinstance(key, str) else None
        yield each.text
