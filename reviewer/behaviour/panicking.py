"""What may panic in a call: calls that do, and parts that are taken of something, each with what was done before."""

from reviewer.behaviour.checks import Step, steps
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Event, Indexed, Occurrence, Sliced, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Act
from reviewer.code.program import Program, remembered

PANICKING = frozenset[Act]({"panics", "panics on failure", "cuts"})
CATCHING = frozenset[Act]({"catches panics"})

ONE_AT_LEAST = frozenset({"split", "rsplit", "splitn", "rsplitn", "split_terminator"})
"""Methods that give one piece of a text at least, if only the whole."""


def panicking(trace: Trace, program: Program) -> tuple[Step, ...]:
    """Return what may panic in a trace and would leave the call without an answer, looked for once.

    Nothing does where what fails raises an exception, which whoever called may take.
    """
    if program.raises:
        return ()
    return remembered(program, trace, "panicking", lambda: tuple(_panicking(trace, program)))


def _panicking(trace: Trace, program: Program) -> list[Step]:
    def is_asked(event: Event) -> bool:
        if isinstance(event, Called):
            return not event.followed and not (PANICKING | CATCHING).isdisjoint(acts_of(event, program.models))
        return isinstance(event, Indexed | Sliced)

    found = steps(trace, program, is_asked, _may_panic)
    catching = {
        (each.event.code, each.event.at)
        for each in found
        if isinstance(each.event, Called) and not CATCHING.isdisjoint(acts_of(each.event, program.models))
    }
    return [each for each in found if not _is_apart(each.occurrence, catching) and each.occurrence.is_possible()]


def _may_panic(trace: Trace, _program: Program) -> bool:
    return not PANICKING.isdisjoint(trace.acts) or any(type(each) in (Indexed, Sliced) for each in trace.events)


def _is_apart(occurrence: Occurrence, catching: set[tuple[Code, Site]]) -> bool:
    """Return whether a panic ends a task or a thread of its own, or is caught."""
    if occurrence.is_under("thread") or occurrence.is_under("task"):
        return True
    here = occurrence.caller
    while here is not None:
        at = here.event.at
        if any(code is here.event.code and at.start <= of.start and of.end <= at.end for code, of in catching):
            return True
        here = here.caller
    return False
