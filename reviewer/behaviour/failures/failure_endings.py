"""What a client gets for a tool's failure: an error of the protocol, a success, or a result that says so.

A function's value is looked at where the tool failed: the sides of a choice that the failure leads to, and what the functions
give that are handed the outcome.
"""

from collections.abc import Mapping
from typing import Literal

from reviewer.behaviour.failures.failure_values import FailureValues, is_failure_branch
from reviewer.behaviour.results.answers import FLAGS, collect_entered_calls, index_by_name, is_error
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.events import Called, Entered, Event, Occurrence, Returned, Stored, Trace
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, State, infer_failure, infer_truth, refine
from reviewer.code.values import ELEMENT, ConditionalValue, Made, Term, Value

Ending = Literal["", "protocol", "success"]
"""What a failure is to the client: an error of the protocol, or a success; empty if it is a result that says so, or unknown."""


class FailureEndings:
    """How functions end that were given the outcome of a tool, in one run."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program, self._models = trace, program, program.models

    def is_success(self, here: Occurrence) -> bool:
        """Return whether a function ends with a success whatever a tool gave."""
        assert isinstance(here.event, Returned)
        return (
            self._classify_value_ending(here, here.event.value, here.event.facts, FailureValues(), DEEPEST) == "success"
        )

    def classify(self, here: Occurrence, failing: FailureValues) -> Ending:
        """Return how a function ends with what it returns, if a tool failed."""
        event = here.event
        assert isinstance(event, Returned)
        failed = failing.has_failed(event.facts)
        if failed is None:
            failed = is_failure_branch(event, failing, self._program)
        if failed is False or (failed is None and not self._is_made(here, event.value, failing)):
            return ""
        for facts in failing.iter_suppositions(event.facts) if not failed else (event.facts,):
            ending = self._classify_value_ending(here, event.value, facts, failing, DEEPEST)
            if ending:
                return ending
        return ""

    def _is_made(self, here: Occurrence, value: Value, failing: FailureValues) -> bool:
        """Return whether a value is made of a tool's outcome, or by a function of the project that is handed it."""
        handed = (
            each
            for call, _ in collect_entered_calls(self._trace, here, value)
            for each in _collect_given(call.event).values()
        )
        return failing.is_made_of_outcome(value) or any(map(failing.is_made_of_outcome, handed))

    def _classify_value_ending(
        self, here: Occurrence, value: Value, facts: Facts, failing: FailureValues, deep: int
    ) -> Ending:
        if infer_failure(value, facts) is True:
            return "protocol"
        if not deep or is_error(value, self._models) or failing.is_one(value.term):
            return ""
        if isinstance(value.meaning, ConditionalValue):
            return self._get_for_choice(here, value.meaning, facts, failing, deep)
        calls = [each for each in collect_entered_calls(self._trace, here, value) if _may_give(each[1], value)]
        if calls:
            return self._get_for_calls(calls, value, facts, failing, deep)
        held = list((value.contents or {}).values()) or list(value.sources)
        if len(held) == 1 and self._answers(held[0]):
            return self._classify_value_ending(here, held[0], facts, failing, deep - 1)  # an envelope around it
        flags = [each for name, each in index_by_name(value).items() if name in FLAGS]
        held = [each for each in (value.contents or {}).values() if each.constants is None]
        if self._program.raises and any(failing.is_one(each.term) for each in held):
            return ""  # what a call gave is in an envelope as it came
        if any(infer_truth(each, facts) is not False for each in flags) or self._is_flagged_later(here, value):
            return ""
        return "success" if flags or self._answers(value) else ""

    def _answers(self, value: Value) -> bool:
        """Return whether a value is a result of the protocol, made by a library's function or written out."""
        if "answers" in self._models.get_maker_model(value).acts:
            return True
        content = index_by_name(value).get("content") if value.contents else None
        if content is not None and _is_filled_up(value):
            return not self._models.find_types_acting(frozenset({"answers"})).isdisjoint(value.library_types)
        return content is not None and any("type" in index_by_name(each) for each in (content.contents or {}).values())

    def _get_for_choice(
        self, here: Occurrence, choice: ConditionalValue, facts: Facts, failing: FailureValues, deep: int
    ) -> Ending:
        for side, holds in ((choice.then, True), (choice.otherwise, False)):
            state = State(facts=facts)
            if choice.test.meaning is None and not isinstance(
                side.meaning, ConditionalValue
            ):  # which way came here no test tells
                made = next((each for each in here.find_own_trace(self._trace).events if _makes(each, side)), None)
                failed = failing.has_failed(made.facts) if made is not None else True
                says_why = any(each.origin == "exception" for each in side.labels)
                if failed is False or (failed is None and not says_why):
                    continue
            failed = failing.tells_failure(choice.test, holds)
            if (
                refine(state, choice.test, holds)
                and failed is not False
                and failing.has_failed(state.facts) is not False
            ):
                ending = self._classify_value_ending(here, side, state.facts, failing, deep - 1)
                if ending:
                    return ending
        return ""

    def _get_for_calls(
        self, calls: list[tuple[Occurrence, Trace]], value: Value, facts: Facts, failing: FailureValues, deep: int
    ) -> Ending:
        """Return how functions of the project end that are handed a tool's outcome, or why it failed."""
        flags = [each for name, each in index_by_name(value).items() if name in FLAGS]
        if any(infer_truth(each, facts) for each in flags):
            return ""
        for call, inner in calls:
            given = _collect_given(call.event)
            handed = FailureValues(terms=frozenset(term for term, each in given.items() if failing.is_outcome(each)))
            told = {
                term: KnownFact(truth=truth)
                for term, each in given.items()
                if (truth := infer_truth(each, facts)) is not None
            }
            for each in inner.events:
                if isinstance(each, Returned) and handed.has_failed(each.facts) is not False:
                    ending = self._classify_value_ending(
                        Occurrence(each, call), each.value, {**told, **each.facts}, handed, deep - 1
                    )
                    if ending:
                        return ending
        return ""

    def _is_flagged_later(self, here: Occurrence, value: Value) -> bool:
        """Return whether a result is told to be an error, or may be, after it was made."""
        for each in here.find_own_trace(self._trace).events:
            if isinstance(each, Stored) and each.owner.term == value.term and names_flag(each):
                return each.value.constant != (bool, False)
        return False


def _is_filled_up(value: Value) -> bool:
    """Return whether a struct that is written out takes its other fields from the default: `..Default::default()`."""
    rest = (value.contents or {}).get(ELEMENT)
    return rest is not None and any(
        isinstance(each.meaning, Made) and each.meaning.by == "std.default.Default.default" for each in rest.operands
    )


def _makes(event: Event, value: Value) -> bool:
    """Return whether a call gives a value: what was known there is known of the value."""
    return isinstance(event, Called) and event.result.term == value.term


def _collect_given(event: Event) -> Mapping[Term, Value]:
    """Return the arguments of a function that is run, by the terms that they have in it."""
    return event.given if isinstance(event, Entered) else {}


def _may_give(inner: Trace, value: Value) -> bool:
    """Return whether a function may have given a value: of what one call runs, each gives its own."""
    match value.term:
        case ("via", _, term):
            return inner.result is None or inner.result.term == term or inner.code.is_async
    return True


def names_flag(event: Stored) -> bool:
    """Return whether an event sets the flag of a result that says whether it is an error."""
    return event.key is not None and event.key.text in FLAGS
