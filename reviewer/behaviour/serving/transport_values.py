"""Events on the way to where something is served, with the transports that their values hold.

The result of a call that serves, or makes what does, has a label with the call's place, by which it is known wherever it is
passed.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from reviewer.code.events import Event, Occurrence
from reviewer.code.models import ActName
from reviewer.code.values import ABSENT, Function, Label, Library, Made, Term, Value, find_original_term
from reviewer.records import dataclass


@dataclass(eq=False)
class ServingEvent:
    """An occurrence, with what it does and the labels of the transports that its values hold."""

    occurrence: Occurrence
    event: Event
    acts: frozenset[ActName]
    held: frozenset[str]

    @cached_property
    def parts(self) -> frozenset[Term]:
        """The terms of its values and of what they hold, as they were made."""
        return frozenset(
            find_source(self.occurrence, part) for value in self.event.values for part in _iter_parts(value)
        )


def find_field(value: Value | None, name: str) -> Value | None:
    """Return the field of an object, or the argument for it; for several possible objects the field of one if all may
    have it.
    """
    found: Value | None = None
    if value is not None and value.contents:
        found = value.contents.get((name,)) or value.contents.get(name)
    sides = value.ways if value is not None and found is None else ()
    return next(
        (each for side in sides if (each := find_field(side, name)) is not None and each.constants != ABSENT), found
    )


def iter_transport_names(labels: Iterable[Label]) -> Iterator[str]:
    """Yield the transports that labels name, each by its place."""
    return (each.name for each in labels if each.origin == "transport")


def collect_held(occurrence: Occurrence) -> frozenset[str]:
    """Return the transports that the values of an event hold."""
    return frozenset(
        name
        for value in occurrence.event.values
        for name in iter_transport_names(collect_all_labels(occurrence, value))
    )


def collect_all_labels(occurrence: Occurrence, value: Value) -> frozenset[Label]:
    """Return where a value comes from, and what a function that it is has of the variables around it."""
    labels = occurrence.resolve_labels(value)
    for each in value.things:
        if isinstance(each, Function):
            for inner in (*(each.captured or {}).values(), *((each.receiver,) if each.receiver is not None else ())):
                labels |= occurrence.resolve_labels(inner)
    return labels


def is_library(value: Value) -> bool:
    """Return whether a value may be a library's function, class or module."""
    return any(isinstance(each, Library) for each in value.things)


def find_source(occurrence: Occurrence, value: Value) -> Term:
    """Return the term that a value had where it was made, in whatever function and of whatever copy."""
    return find_original_term(occurrence.trace_source(value)[1].term)


def _iter_parts(value: Value, deep: int = 4) -> Iterator[Value]:
    """Yield a value and what it holds that takes requests: the routes of an application in a list, and not its lifespan.

    A method that is handed over takes them for its object: `serve({ fetch: app.fetch })`.
    """
    yield value
    if deep and isinstance(value.meaning, Made) and len(value.meaning.of) == 1 and not value.meaning.of[0].constants:
        owner = value.meaning.of[0]
        if any(isinstance(each, Library) and each.path == value.meaning.by for each in value.things):
            yield owner
    for key, each in (value.contents or {}).items() if deep else ():
        if key != ("lifespan",):
            yield from _iter_parts(each, deep - 1)
