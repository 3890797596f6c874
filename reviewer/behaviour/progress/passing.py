"""On what it depends whether an event happens in a round of a loop: on the count, on the time, on what is gone through."""

from collections.abc import Iterator
from typing import Literal

from reviewer.behaviour.progress.loops import Around, LoopSite, LoopVariables, is_made_in
from reviewer.behaviour.progress.written import leaves_otherwise
from reviewer.code.events import Occurrence, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.values import Made, Negation, Relation, Term, Value

Reason = Literal["count", "time", "element", "unknown"]
"""What decides whether an event happens in a round.

- `count`: a number that the rounds count, as `done % 100` does, or one that an earlier round left. `time`: the clock.
- `element`: what is gone through. `unknown`: what only a run tells.
"""

DEEPEST = 8
"""Nested values of a condition that are searched. 40 servers and the tests of the rules had up to 3."""


class Tests:
    """The conditions of a trace."""

    def __init__(self, trace: Trace, loop_variables: LoopVariables, models: Models) -> None:
        self._loop_variables, self._models = loop_variables, models
        self._tested: dict[Code, dict[Term, tuple[Site, Value]]] = {}
        for each in trace.iter_occurrences(kinds=(Tested,)):
            if isinstance(each.event, Tested):
                self._tested.setdefault(each.event.code, {})[each.event.value.term] = each.event.at, each.event.value

    def iter_reasons(self, occurrence: Occurrence, around: Around, spoken_of: frozenset[Term]) -> Iterator[Reason]:
        """Yield the tests that decide whether an event happens in an iteration of a loop around it; none if it always does.

        A test whether one of the values is present does not count, nor does one that ends the loop.
        """
        here: Occurrence | None = occurrence
        while here is not None:
            is_last = here is around.inner
            for at, test in self.iter_deciding_tests(here):
                if is_last and not self._decides(around, at):
                    continue
                if not _asks(test, spoken_of):
                    yield from self._iter_value_reasons(here, test, around.loop, DEEPEST)
            here = None if is_last else here.caller

    def _decides(self, around: Around, test: Site) -> bool:
        """Return whether a condition in the function of a loop decides about a round, and not only whether there is another."""
        code, at = around.loop
        return around.loop.holds(code, test) and not leaves_otherwise(code, test, around.inner.event.at, at)

    def iter_deciding_tests(self, here: Occurrence) -> Iterator[tuple[Site, Value]]:
        """Yield the tests in an event's own function that it depends on."""
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                yield each.at, each.value
        tested = self._tested.get(here.event.code, {})
        yield from (
            tested[term] for term, fact in here.event.facts.items() if fact.truth is not None and term in tested
        )

    def _iter_value_reasons(self, here: Occurrence, value: Value, loop: LoopSite, deep: int) -> Iterator[Reason]:
        here, value = here.trace_source(value)
        if value.constants is not None:
            return
        if any(each.origin == "time" for each in here.resolve_labels(value)):
            yield "time"
            return
        if self._loop_variables.counts(value.term):
            yield "count"
            return
        inner = _collect_parts(value)
        if not inner or not deep:
            if is_made_in(here, value.term, loop):
                yield "element" if _is_element(value) else "unknown"
            return
        if isinstance(value.meaning, Made) and not self._is_known(value.meaning.by):
            if is_made_in(here, value.term, loop):
                yield "unknown"
        for each in inner:
            yield from self._iter_value_reasons(here, each, loop, deep - 1)

    def _is_known(self, by: str) -> bool:
        return "." not in by or by.startswith(".") or self._models.find_model(by) is not None


def _collect_parts(value: Value) -> tuple[Value, ...]:
    return () if isinstance(value.meaning, Made) and value.meaning.by == "element" else value.operands


def _is_element(value: Value) -> bool:
    return isinstance(value.meaning, Made) and value.meaning.by == "element"


def _asks(test: Value, spoken_of: frozenset[Term]) -> bool:
    """Return whether a condition only asks whether there is a value."""
    for _ in range(DEEPEST):
        match test.meaning:
            case Negation(operand):
                test = operand
            case Relation("present" | "is" | "==", left):
                test = left
            case _:
                break
    return test.term in spoken_of
