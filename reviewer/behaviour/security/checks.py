"""What was made sure of before something is done: tests that hold there, and what a value was made by."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from reviewer.behaviour.values.reachable import iter_reachable
from reviewer.code.events import (
    Called,
    Carried,
    Context,
    Entered,
    Event,
    Indexed,
    Occurrence,
    Raised,
    Returned,
    Tested,
    Trace,
)
from reviewer.code.ir import Site
from reviewer.code.program import Program
from reviewer.code.state import Facts
from reviewer.code.values import (
    ConditionalValue,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.records import dataclass

MOST = 48
"""How many values are looked at that one is made of, the nearest first. What is farther away is not what a test speaks of."""


@dataclass(eq=False)
class Timeline:
    """What one function does during one call of it, in order, as far as it tells what is known later."""

    tests: list[tuple[int, Value]] = field(default_factory=list)
    refusals: list[tuple[int, Value]] = field(default_factory=list)
    """The tests that led to where the function ended early: with others, so that what each told holds no more after that."""
    makers: dict[Term, list[tuple[int, Called]]] = field(default_factory=dict)
    """The calls that gave a value, by its term."""
    calls: dict[Site, Called] = field(default_factory=dict)
    carried: dict[Term, Carried] = field(default_factory=dict)
    """What loops leave for their next round, by the term that it has in any round."""
    indexed: dict[Term, int] = field(default_factory=dict)
    """Of what an element was taken, with the first step at which one was."""
    closures: list[tuple[int, Entered]] = field(default_factory=list)
    """The closures that were run, such as those by which elements were chosen."""
    steps: int = 0
    _last: list[tuple[int, Value]] = field(default_factory=list)
    """The last tests that were made one right after another."""

    def take(self, event: Event) -> None:
        """Take down an event that follows on those before."""
        self.steps += 1
        if isinstance(event, Tested):
            is_next = bool(self._last) and self._last[-1][0] == self.steps - 1
            self._last = [*(self._last if is_next else ()), (self.steps, event.value)]
            self.tests.append(self._last[-1])
        elif isinstance(event, Called):
            self.makers.setdefault(event.result.term, []).append((self.steps, event))
            self.calls[event.at] = event
        elif isinstance(event, Carried):
            self.carried[event.value.term] = event
        elif isinstance(event, Indexed):
            self.indexed.setdefault(event.owner.term, self.steps)
        elif isinstance(event, Entered) and event.trace.code.kind == "closure":
            self.closures.append((self.steps, event))
        elif isinstance(event, Returned | Raised):
            tests = list(iter_test_contexts(event))
            led = [value for each in tests if (value := _refuse(each)) is not None]
            if not tests:  # where several ways come together, such as in `(Some(_), Some(_)) | (None, None) =>`
                led = [value for _, value in self._last]
            self.refusals += [(self.steps, value) for value in led]

    def find_maker(self, value: Value, before: int) -> Called | None:
        """Return the last call before a step that gave a value, None if none did."""
        found = [each for step, each in self.makers.get(value.term, ()) if step < before]
        return found[-1] if found else None

    def find_making_step(self, value: Value, maker: Called) -> int:
        """Return the step at which a value was first given by the function of a call."""
        return next(step for step, each in self.makers[value.term] if each.path == maker.path)


@dataclass(eq=False)
class CheckedStep:
    """Something that a function does, and what it did before."""

    occurrence: Occurrence
    timeline: Timeline
    place: int
    around: "CheckedStep | None"
    """The call that leads there, None where the run began."""

    @property
    def event(self) -> Event:
        """What is done."""
        return self.occurrence.event

    def find_maker(self, value: Value) -> Called | None:
        """Return the call that gave a value that is used here, None if none of this function did."""
        return self.timeline.find_maker(value, self.place)

    def find_giver(self, value: Value) -> Called | None:
        """Return the last call that gave just this value, and no copy of it, None if none of this function did."""
        found = [each for step, each in self.timeline.makers.get(value.term, ()) if step < self.place]
        return next((each for each in reversed(found) if each.result.duplicate == value.duplicate), None)

    def iter_known_conditions(self, since: int = 0) -> Iterator[Value]:
        """Yield the conditions that were tested after a step and whose results are known here.

        Tests that rejected others count as well: after `if one.is_none() && other.is_none() { return }` neither is
        known, but one of them is present.
        """
        facts = self.event.facts
        for step, test in self.timeline.tests:
            if since < step < self.place:
                yield from (each for each in iter_conditions(test) if _is_told(each, facts))
        yield from (test for step, test in self.timeline.refusals if since < step < self.place)

    def is_asked(self, value: Value, does_tell: Callable[[Value], bool], since: int | None = None) -> bool:
        """Return whether a condition that tells something holds here and speaks of a value.

        It speaks also of what the value is taken from, such as the list that it is an element of. Unless only what was tested
        after a step counts, that may have been where the value comes from.
        """
        if _speaks(self.iter_known_conditions(since or 0), value, does_tell):
            return True
        outside = self.iter_handovers(value) if since is None else ()
        return any(around.is_asked(each, does_tell) for around, each in outside)

    def was_asked(self, value: Value, does_tell: Callable[[Value], bool]) -> bool:
        """Return whether a condition that tells something was tested before, however it turned out, and speaks of a value.

        Of `(a && b) || c` nothing is known where it holds, but that it was asked.
        """
        tests = (each for place, test in self.timeline.tests if place < self.place for each in iter_conditions(test))
        return _speaks(tests, value, does_tell) or any(
            around.was_asked(each, does_tell) for around, each in self.iter_handovers(value)
        )

    def iter_closure_results(self, value: Value) -> Iterator[Value]:
        """Yield the results of closures over the elements of a value's source, here or where the value is passed on."""
        roots = frozenset(_iter_terms(value))
        for place, entered in self.timeline.closures:
            given = [term for term, each in entered.given.items() if not roots.isdisjoint(_iter_terms(each))]
            for event in entered.trace.events if given and place < self.place else ():
                if isinstance(event, Called) and not set(given).isdisjoint(_iter_terms(event.result)):
                    yield event.result
        for around, each in self.iter_handovers(value):
            yield from around.iter_closure_results(each)

    def find_handover(self, value: Value) -> "tuple[CheckedStep, Value] | None":
        """Return the call that hands a value over as it is, and what it is there; None if none does."""
        event = self.around.event if self.around is not None else None
        handed = event.given.get(value.term) if isinstance(event, Entered) else None
        return (self.around, handed) if self.around is not None and handed is not None else None

    def iter_handovers(self, value: Value) -> "Iterator[tuple[CheckedStep, Value]]":
        """Yield the argument that a value, or its source, is passed as, with the step of the call."""
        event = self.around.event if self.around is not None else None
        if self.around is not None and isinstance(event, Entered):
            yield from ((self.around, event.given[each]) for each in _iter_terms(value) if each in event.given)


def _speaks(tests: Iterable[Value], value: Value, does_tell: Callable[[Value], bool]) -> bool:
    roots = frozenset(_iter_terms(value))
    return any(does_tell(each) and not roots.isdisjoint(_iter_terms(each)) for each in tests)


def _iter_terms(value: Value) -> Iterator[Term]:
    """Yield the terms of a value and of what it is made of, or is a part of."""
    for each in iter_parts(value):
        term = each.term
        yield term
        while (
            isinstance(term, tuple)
            and term[:1] in (("part",), ("length",), ("element",), ("pieces",))
            and len(term) > 1
        ):
            term = term[1]
            yield term


def collect_steps(
    trace: Trace, program: Program, is_asked: Callable[[Event], bool], reaches: Callable[[Trace, Program], bool]
) -> list[CheckedStep]:
    """Return the events of a kind in a trace, each with what was done before; `reaches` tells which functions hold some."""
    found: list[CheckedStep] = []
    if not trace.reaches(reaches, program):
        return found
    timelines: dict[int, tuple[Timeline, CheckedStep | None, Occurrence | None]] = {}
    for each in trace.iter_occurrences(lambda event, _: event.trace.reaches(reaches, program)):
        key = id(each.caller)
        if key not in timelines:
            timelines[key] = (Timeline(), _find_around(each, timelines), each.caller)
        timeline, around, _ = timelines[key]
        timeline.take(each.event)
        if is_asked(each.event):
            found.append(CheckedStep(each, timeline, timeline.steps, around))
    return found


def _find_around(
    occurrence: Occurrence, timelines: "dict[int, tuple[Timeline, CheckedStep | None, Occurrence | None]]"
) -> "CheckedStep | None":
    caller = occurrence.caller
    if caller is None:
        return None
    timeline, around, _ = timelines[id(caller.caller)]
    return CheckedStep(caller, timeline, timeline.steps, around)


def iter_test_contexts(event: Event) -> Iterator[Context]:
    """Yield the tests in whose branches an event stands in its function, the innermost first."""
    for each in event.iter_outwards():
        if each.condition == "test":
            yield each


def _refuse(context: Context) -> Value | None:
    """Return a test that led to an early end, None if it says that something is there: what follows is not sure of it then."""
    if context.value is None:
        return None
    test, holds = strip_negations(context.value, context.holds)
    return None if holds and asks_presence(test) else context.value


def asks_presence(test: Value) -> bool:
    """Return whether a condition only asks whether a value is there, or is no failure."""
    test, _ = strip_negations(test)
    return isinstance(test.meaning, Relation) and test.meaning.operator in ("present", "succeeds")


def iter_conditions(test: Value) -> Iterator[Value]:
    """Yield a test and the conditions that it is put together of."""
    return iter_reachable((test,), _combine, MOST)


def _combine(test: Value) -> tuple[Value, ...]:
    match test.meaning:
        case Negation(operand):
            return (operand,)
        case ConditionalValue(choosing, then, otherwise):
            return (choosing, then, otherwise)
    return ()


def _is_told(test: Value, facts: Facts) -> bool:
    fact = facts.get(test.term)
    return fact is not None and fact.truth is not None


def iter_parts(value: Value) -> Iterator[Value]:
    """Yield a value and what it is made of, but not the objects whose fields these are.

    A test of one field tells nothing of another.
    """
    return iter_reachable((value,), _collect_operands, MOST)


def _collect_operands(value: Value) -> tuple[Value, ...]:
    if isinstance(value.meaning, Negation | Relation):
        return value.operands
    return () if isinstance(value.meaning, Made) and is_field(value) else value.sources


def is_field(value: Value) -> bool:
    """Return whether a value is a field of an object, whichever code read it."""
    return get_term_head(find_original_term(value.term)) == "field"
