"""What goes to the standard output on the way to a place that serves there."""

from collections.abc import Iterator

from reviewer.behaviour.effects import prints
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Condition, Entered, Event, Occurrence, Returned, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.facts import Act

DECIDING = frozenset[Condition]({"test", "loop", "handles", "thread", "task"})
"""The circumstances in which something may be done, or not, or later."""

Scope = tuple[Code, Site, bool]
"""A branch, a loop or the like."""


def printed_before(trace: Trace, program: Program, path: str, at: Site) -> Iterator[Act]:
    """Yield what is surely printed before control comes to a part of a file; nothing if it was not seen to come there."""
    found: list[Occurrence] = []
    for each in trace.occurrences():
        event = each.event
        if event.code.source.path == path and at.start <= event.at.start and event.at.end <= at.end:
            around = frozenset(_scopes(each))
            callers = {each.event for each in _led_by(each)}
            yield from (_act(one) for one in found if around.issuperset(_scopes(one)) and _is_passed(one, callers))
            return
        if isinstance(event, Called) and _prints(each, event, program.models):
            found.append(each)


def _prints(occurrence: Occurrence, event: Called, models: Models) -> bool:
    return prints(occurrence, frozenset(acts_of(event, models)), models) and occurrence.is_possible()


def _act(occurrence: Occurrence) -> Act:
    return Act("prints", occurrence.event.text, tuple(place.text for place in occurrence.path()))


def _scopes(occurrence: Occurrence) -> Iterator[Scope]:
    """Yield what decides whether something is done, over all calls that lead to it."""
    for here in (occurrence, *_led_by(occurrence)):
        for each in here.event.outwards():
            if each.condition in DECIDING:
                yield here.event.code, each.at, each.holds


def _led_by(occurrence: Occurrence) -> Iterator[Occurrence]:
    """Yield the calls that lead to something, the innermost first."""
    current = occurrence.caller
    while current is not None:
        yield current
        current = current.caller


def _is_passed(occurrence: Occurrence, callers: set[Event]) -> bool:
    """Return whether control comes to something in each function that it leaves again: none is left before by a success."""
    inner = occurrence
    for each in _led_by(occurrence):
        if each.event not in callers and isinstance(each.event, Entered):
            for event in each.event.trace.events:
                if event is inner.event:
                    break
                if isinstance(event, Returned) and event.value.failure is None and event.context is not None:
                    return False
        inner = each
    return True
