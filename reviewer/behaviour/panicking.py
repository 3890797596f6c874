"""What may panic in a call: calls that do, and parts that are taken of something, each with what was done before."""

from reviewer.behaviour.checks import Step, steps
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Condition, Event, Indexed, Occurrence, Sliced, Trace
from reviewer.code.models import Act
from reviewer.code.program import Program, remembered

PANICKING = frozenset[Act]({"panics", "panics on failure", "cuts"})
APART: tuple[Condition, ...] = ("thread", "task", "catches")

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
            return not event.followed and not PANICKING.isdisjoint(acts_of(event, program.models))
        return isinstance(event, Indexed | Sliced)

    found = steps(trace, program, is_asked, _may_panic)
    return [each for each in found if not _is_apart(each.occurrence) and each.occurrence.is_possible()]


def _may_panic(trace: Trace, _program: Program) -> bool:
    return not PANICKING.isdisjoint(trace.acts) or any(type(each) in (Indexed, Sliced) for each in trace.events)


def _is_apart(occurrence: Occurrence) -> bool:
    """Return whether a panic ends a task or a thread of its own, or is caught."""
    return any(occurrence.is_under(each) for each in APART)
