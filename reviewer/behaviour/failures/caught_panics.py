"""Where a panic that was caught is answered: what the client is told of it, and whether a log tells of it too."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from reviewer.behaviour.failures.boundaries import iter_failed_guards, iter_rethrown
from reviewer.behaviour.failures.caught_logs import Log, find_constant_text, is_of_call, log_of
from reviewer.behaviour.failures.error_boundaries import (
    CatchClause,
    FailureTextSearch,
    find_result_site,
    is_caught,
    iter_text_expressions,
    locate_answer,
)
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import Assigned, Called, Occurrence, Returned, Trace
from reviewer.code.ir import Code, Interpolation, Site
from reviewer.code.parts import REASON
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import Made, Value, find_original_term, get_term_head
from reviewer.facts import ErrorBoundary as Fact
from reviewer.source import Text
from reviewer.text.patterns import pattern

INTERNALS = pattern(r"\.rs\b|::|\bline \d|\w/\w+/|\\\\")
"""What only the code behind a handler knows: a file, a path, a line."""

PLACES = frozenset({"file!", "line!", "column!", "module_path!"})
"""Macros that tell where in the code they stand."""


REPLACING = frozenset({"or call", "then or", "failing by"})
"""What models call functions that give what a closure makes of a failure."""


class CaughtPanic(CatchClause):
    """What a function does with the panics that a call in it catches."""

    def __init__(self, trace: Trace, program: Program, call: Called) -> None:
        super().__init__(trace, program, call.at)
        self.call = call

    def build_fact(self) -> Fact | None:
        """Return how the panics are answered; None if nothing answers for them here."""
        answers = [(each, value) for each, value in self._iter_given_values() if self._is_after(each)]
        leak = self.find_failure_text()
        replaced = next(self._iter_replacements(), None)
        if (not answers and leak is None and replaced is None) or (self.call.code, self._clause) in iter_rethrown(
            self._trace, self._program
        ):
            return None
        log = self.log_event()
        specific = next((_get_specific(each) for each, value in answers if self._is_specific(each, value)), None)
        place = _place(answers[0][0]) if answers else replaced or self.call.text
        told = next(
            (
                text
                for each, value in answers
                if (text := find_constant_text(each, value, self._program.models)) is not None
            ),
            None,
        )
        found = Fact(place.span, leak, "panic", specific=specific, answer=told)
        return attach_log(found, log) if log is not None else found

    def _is_specific(self, occurrence: Occurrence, value: Value) -> bool:
        return _is_specific(occurrence, value) or is_of_call(occurrence, value, self._program.models)

    def _iter_replacements(self) -> Iterator[Text]:
        """Yield where something else is taken for what was caught."""
        for each in self._trace.iter_occurrences(kinds=(Called,)):
            event = each.event
            if isinstance(event, Called) and self._program.models.get_model(event.path).returns in (
                "or else",
                "then or",
            ):
                if event.receiver is not None and _is_result(event.receiver):
                    yield event.text

    def log_event(self) -> Log | None:
        """Return the event that logs a panic: preferably one that names a target, even if it logs successful calls as
        well.
        """
        models = self._program.models
        found = [log_of(each, models) for each in self.iter_log_calls()]
        named = (each for each in found if each.target is not None)
        beside = (
            log_of(each, models) for each in iter_log_calls(self._trace, self._program) if each.code is self._trace.code
        )
        return next(named, None) or next(
            (each for each in beside if each.target is not None), found[0] if found else None
        )

    def _iter_occurrences(self) -> Iterator[Occurrence]:
        return (each for each in self._trace.iter_occurrences() if self._is_after(each))

    def _is_after(self, occurrence: Occurrence) -> bool:
        """Return whether something is done because of a panic."""
        return (self.call.code, self._clause) in iter_failed_guards(occurrence)

    def _iter_answers(self) -> Iterator[tuple[Occurrence, Value]]:
        """Yield the answers of the function: failures made from a panic, and results that it or a closure returns
        instead.
        """
        for each, value in self._iter_given_values():
            called = each.caller.event if each.caller is not None else None
            is_instead = called is not None and (called.code, called.at) in self._instead
            if is_instead or each.event.code in (self._trace.code, self.call.code):
                yield each, value

    @cached_property
    def _instead(self) -> set[tuple[Code, Site]]:
        """The calls that give what a closure gives, in the place of what was caught."""
        return {
            (each.event.code, each.event.at)
            for each in self._trace.iter_occurrences(kinds=(Called,))
            if isinstance(each.event, Called) and find_modelled_return(each.event, self._program.models) in REPLACING
            if each.event.receiver is not None and _is_result(each.event.receiver)
        }

    def _iter_given_values(self) -> Iterator[tuple[Occurrence, Value]]:
        """Yield that and what closures in it give, the panic itself left out."""
        for each in self._trace.iter_occurrences(kinds=(Returned, Assigned)):
            event = each.event
            is_own = event.code in (self._trace.code, self.call.code) or event.code.around is self.call.code
            if is_own and isinstance(event, Returned | Assigned) and not _is_result(event.value):
                is_failure = infer_failure(event.value, event.facts) is True
                if isinstance(event, Returned) or (is_failure and self._is_after(each)):
                    yield each, event.value

    def _get_outside(self, occurrence: Occurrence, search: FailureTextSearch) -> Text:
        return self._place(occurrence, search)

    def _place(self, occurrence: Occurrence, search: FailureTextSearch) -> Text:
        """Return the smallest part of an answer that makes a text of the panic, else the whole."""
        event, within = occurrence.event, find_result_site(occurrence.event)
        texts = (each for each in iter_text_expressions(event) if isinstance(each, Interpolation))
        found = [each.at for each in texts if within.holds(each.at)]
        for each in () if found else self._trace.iter_occurrences(kinds=(Called,)):
            made = each.event
            if isinstance(made, Called) and event.code in (made.code, made.code.around) and within.holds(made.at):
                if any(is_caught(each.trace_source(value)[1]) for value in made.values) or search.tells(
                    each, made.result
                ):
                    found.append(made.at)
        return (
            event.code.extract_text(min(found, key=lambda each: each.end - each.start))
            if found
            else locate_answer(occurrence)
        )


def iter_caught_panics(trace: Trace, program: Program) -> Iterator[CaughtPanic]:
    """Yield the calls in a function that catch panics, each with what becomes of them."""
    seen: set[tuple[Code, Site]] = set()
    for each in trace.iter_occurrences(kinds=(Called,)) if "catches panics" in trace.acts else ():
        event = each.event
        if isinstance(event, Called) and "catches panics" in collect_acts(event, program.models):
            is_own = event.code is trace.code or event.code.around is trace.code
            if is_own and (event.code, event.at) not in seen:
                seen.add((event.code, event.at))
                yield CaughtPanic(trace, program, event)


def iter_hook_logs(trace: Trace, program: Program) -> Iterator[Log]:
    """Yield the log calls in the panic hook that a function sets for its process."""
    for each in trace.iter_occurrences(kinds=(Called,)) if "logs" in trace.acts else ():
        caller = each.caller.event if each.caller is not None else None
        if isinstance(each.event, Called) and caller is not None and "logs" in collect_acts(each.event, program.models):
            if caller.text.partition("(")[0].endswith("set_hook"):
                yield log_of(each.event, program.models)


def iter_log_calls(trace: Trace, program: Program) -> Iterator[Called]:
    """Yield the calls that log something."""
    for each in trace.iter_occurrences(kinds=(Called,)) if "logs" in trace.acts else ():
        if isinstance(each.event, Called) and "logs" in collect_acts(each.event, program.models):
            yield each.event


def attach_log(fact: Fact, log: Log) -> Fact:
    """Return a rescue with what logs it."""
    return replace(fact, log=log.text, target=log.target, level=log.level)


def _is_result(value: Value) -> bool:
    """Return whether a value is what a call gave that catches panics, with the panic as it came."""
    term, reason = find_original_term(value.term), (value.contents or {}).get(REASON)
    return get_term_head(term) == "guarded" and reason is not None and is_caught(reason)


def _get_specific(occurrence: Occurrence) -> Text:
    """Return the part of an answer that says more than a constant text, as far as one expression does."""
    event, within = occurrence.event, find_result_site(occurrence.event)
    found = [each for each in iter_text_expressions(event) if within.holds(each.at)]
    told = [each.at for each in found if isinstance(each, Interpolation) or INTERNALS.search(str(each.value))]
    return event.code.extract_text(told[0]) if told else locate_answer(occurrence)


def _is_specific(occurrence: Occurrence, value: Value) -> bool:
    """Return whether an answer says more than a constant text: what a run tells, or a place in the code."""
    for _, part in iter_parts(occurrence, value.failure or value):
        if part.text is not None and INTERNALS.search(part.text) is not None:
            return True
        if isinstance(part.meaning, Made) and part.meaning.by in PLACES:
            return True
        if isinstance(part.meaning, Made) and part.meaning.by == "text" and not all(map(_is_fixed, part.meaning.of)):
            return True
    return False


def _is_fixed(value: Value) -> bool:
    """Return whether a part of a text is the same each time: a constant, also one that is not there."""
    match value.term:
        case ("global", _, (*_, str() as name)):
            return name.isupper()
    return value.constants is not None


def _place(occurrence: Occurrence) -> Text:
    """Return where a panic is answered: the test that tells of it, or the answer where a `match` does."""
    event = occurrence.event
    tests = [each for each in event.iter_outwards() if each.condition == "test"]
    is_told = bool(tests) and (tests[0].holds or tests[0].whole is None)
    return event.code.extract_text(tests[0].at) if is_told else locate_answer(occurrence)
