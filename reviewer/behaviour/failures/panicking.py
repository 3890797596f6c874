"""What may panic in a call: calls that do, and parts that are taken of something, each with what was done before."""

from reviewer.behaviour.security.checks import CheckedStep, collect_steps
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, ContextKind, Divided, Event, Indexed, Sliced, Trace
from reviewer.code.models import ActName
from reviewer.code.program import Program, find_once

PANICKING = frozenset[ActName]({"panics", "panics on failure", "panics on zero", "cuts"})
"""Acts in the models after which a call may have ended without an answer."""

PARTS = (Indexed, Sliced, Divided)
"""What panics for some values without a call."""

APART: tuple[ContextKind, ...] = ("thread", "task", "catches")
"""Where a panic ends a task or a thread of its own, or is caught."""

LOST: tuple[ContextKind, ...] = ("task",)
"""Contexts in which a panic is lost, because nothing awaits the result."""


def collect_panicking_steps(trace: Trace, program: Program, *, is_answered: bool = False) -> tuple[CheckedStep, ...]:
    """Return the steps of a trace that may panic and would leave the call unanswered. They are found once per trace.

    `is_answered` includes panics that a caller handles, as of a thread: the call fails even so. There are none in
    languages in which failures are exceptions, which any caller may catch.
    """
    if program.raises:
        return ()
    found = find_once(program, trace, "panicking", lambda: tuple(_collect_possible_steps(trace, program)))
    return tuple(each for each in found if not any(map(each.occurrence.is_under, LOST if is_answered else APART)))


def _collect_possible_steps(trace: Trace, program: Program) -> list[CheckedStep]:
    def is_asked(event: Event) -> bool:
        if isinstance(event, Called):
            return not event.followed and not PANICKING.isdisjoint(collect_acts(event, program.models))
        return isinstance(event, PARTS)

    found = collect_steps(trace, program, is_asked, may_panic)
    return [each for each in found if each.occurrence.is_possible()]


def may_panic(trace: Trace, _program: Program) -> bool:
    """Return whether a function itself does anything that panics for some input."""
    return not PANICKING.isdisjoint(trace.acts) or any(isinstance(each, PARTS) for each in trace.events)
