"""The texts that code compares anything with on the way to the arms of a dispatcher: the names that it may be asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour.entrances import Entrances
from reviewer.code.events import Called, Event, Indexed, Tested, Trace
from reviewer.code.values import Choice, Negation, Relation, Value
from reviewer.facts import Dispatch, Lazy


def with_asked(dispatches: Iterable[Dispatch], functions: Entrances) -> Iterator[Dispatch]:
    """Yield dispatches with the texts that they, or what leads to them, compare something with."""
    for each in dispatches:
        yield replace(each, asked=Lazy(partial(asked, each, functions)))


def asked(dispatch: Dispatch, functions: Entrances) -> Iterable[str]:
    """Return all texts that anything is compared with where calls come in that lead to a dispatcher."""
    code, own = functions.code(dispatch.span), functions.trace(dispatch.span)
    traces = [each.trace for each in functions.entrances(code)] if code is not None else []
    return sorted({text for trace in (*traces, *((own,) if own is not None else ())) for text in _texts(trace)})


def _texts(trace: Trace) -> Iterator[str]:
    for each in trace.occurrences(kinds=(Tested, Indexed, Called)):
        yield from _of(each.event)


def _of(event: Event) -> Iterator[str]:
    match event:
        case Tested():
            yield from _compared(event.value, 4)
        case Indexed(owner=owner) | Called(receiver=Value() as owner):
            yield from (key for key in owner.contents or {} if isinstance(key, str))


def _compared(value: Value, deep: int) -> Iterator[str]:
    match value.meaning:
        case Relation(_, left, right):
            for each in (left, *((right,) if right is not None else ())):
                yield from (text for text in (each.text, *_held(each)) if text is not None)
        case Negation(operand) if deep:
            yield from _compared(operand, deep - 1)
        case Choice(test, then, otherwise) if deep:
            for each in (test, then, otherwise):
                yield from _compared(each, deep - 1)


def _held(value: Value) -> Iterator[str | None]:
    for key, each in (value.contents or {}).items():
        yield key if isinstance(key, str) else None
        yield each.text
