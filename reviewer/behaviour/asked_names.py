"""The texts that code compares anything with on the way to the arms of a dispatcher: the names that it may be asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour.comparisons import relations
from reviewer.behaviour.entrances import Entrances
from reviewer.code.events import Called, Event, Indexed, Tested, Trace
from reviewer.code.values import Value
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
            for each in relations(event.value):
                for value in (each.left, *((each.right,) if each.right is not None else ())):
                    yield from (text for text in (value.text, *_held(value)) if text is not None)
        case Indexed(owner=owner) | Called(receiver=Value() as owner):
            yield from (key for key in owner.contents or {} if isinstance(key, str))


def _held(value: Value) -> Iterator[str | None]:
    for key, each in (value.contents or {}).items():
        yield key if isinstance(key, str) else None
        yield each.text
