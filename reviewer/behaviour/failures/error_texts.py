"""What the text of an error consists of that the client is shown: raised or answered, also by several functions."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from reviewer.behaviour.failures.exceptions import collect_made_failures, find_initial_calls, iter_failures, leaves
from reviewer.behaviour.results.answers import find_answers, is_error, is_handed_on, tells_failure
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.events import Called, Occurrence, Raised, Returned, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_kinds, is_caught
from reviewer.code.program import Program
from reviewer.code.values import Class, ConditionalValue, Library, Made, Value, find_original_term

TextPart = tuple[Occurrence, Value]
"""A value that stands in a text, with the call whose function has it."""

ShowsContents = Callable[[Occurrence, Value], tuple[bool, bool]]
"""Decides whether a text shows the contents of a value, and the parts that the value is made from."""

TEXTUAL = frozenset({"text", "+", "%"})
"""Operators that put their operands into a text."""


class ErrorTexts:
    """What stands in the texts of the errors of a handler. `within` says of a value what else a text shows of it."""

    def __init__(self, trace: Trace, program: Program, within: ShowsContents) -> None:
        self._trace, self._program, self._within = trace, program, within
        self._answers, self._failed = find_answers(trace, program), collect_made_failures(trace)

    def iter_parts(self, occurrence: Occurrence) -> Iterator[TextPart]:
        """Yield the parts of the error text that an event raises, returns or makes, as the client sees it."""
        return chain(self._iter_said(occurrence, self._telling), self._iter_reason(occurrence))

    @cached_property
    def _telling(self) -> Mapping[Code, list[Site]]:
        """The clauses that tell the client what the exception says that they take."""
        found: defaultdict[Code, list[Site]] = defaultdict(list)
        for each in self._trace.iter_occurrences(kinds=(Raised, Returned)):
            handling = [
                (here.event.code, around)
                for here in each.iter_outwards()
                for around in here.event.iter_outwards()
                if around.condition == "handles" and around.value is not None
            ]
            terms = {value.term for _, value in self._iter_said(each)} if handling else set()
            for code, around in handling:
                if around.value is not None and around.value.term in terms:
                    found[code].append(around.at)
        return found

    def _is_told(self, occurrence: Occurrence, kind: Class | Library, telling: Mapping[Code, list[Site]]) -> bool:
        """Return whether the clause that takes an exception tells the client what it says."""
        for here in occurrence.iter_outwards():
            for around in here.event.iter_outwards():
                if around.condition == "catches" and is_caught(self._program, around, kind):
                    clauses = telling.get(here.event.code, ())
                    return any(around.at.holds(each) for each in clauses)
        return False

    def _iter_said(
        self, occurrence: Occurrence, telling: Mapping[Code, list[Site]] = MappingProxyType({})
    ) -> Iterator[TextPart]:
        """Yield the parts of the error text that the client sees."""
        event, models = occurrence.event, self._program.models
        if isinstance(event, Raised) and event.value is not None:
            kinds = collect_kinds(event.value)
            if any(
                leaves(self._program, occurrence, each) or self._is_told(occurrence, each, telling) for each in kinds
            ):
                for here, part in self._iter_exception_parts(occurrence, event.value):
                    yield from self.iter_shown_parts(here, part)
        elif isinstance(event, Returned) and tells_failure(occurrence, event.value, models):
            if not is_handed_on(event.value) and self._answers.is_answer(occurrence):
                yield from self.iter_shown_parts(occurrence, event.value)
        elif isinstance(event, Returned) and event.value.failure is None and is_error(event.value, models):
            if not is_handed_on(event.value) and self._answers.is_answer(occurrence):
                yield from self._iter_error_parts(occurrence, event.value, DEEPEST)

    def _iter_reason(self, occurrence: Occurrence) -> Iterator[TextPart]:
        """Yield the parts of a failure's text at the place where the handler makes it: in `Err(..)` or a closure."""
        event = occurrence.event
        if not isinstance(event, Returned):
            return
        own = [each for each in iter_failures(event.value) if each.term == find_original_term(each.term)]
        for each in (*own, event.value) if event.value.failure is None else own:
            if each.term in self._failed:
                yield from self._iter_error_parts(occurrence, each, DEEPEST)

    def _iter_error_parts(self, occurrence: Occurrence, error: Value, deep: int) -> Iterator[TextPart]:
        """Yield the parts of an error's text, including that of an error inside another."""
        here, error = occurrence.trace_source(error)
        yield from self.iter_shown_parts(here, error)
        inner: tuple[Value, ...] = tuple((error.contents or {}).values())
        if isinstance(error.meaning, Made) and error.meaning.by not in TEXTUAL:
            inner = (*inner, *error.meaning.of)
        for each in inner if deep else ():
            yield from self._iter_error_parts(here, each, deep - 1)

    def _iter_exception_parts(self, occurrence: Occurrence, error: Value) -> Iterator[TextPart]:
        """Yield the parts of an exception's text. A class of the project passes it to its base class."""
        here, error = occurrence.trace_source(error)
        if any(isinstance(each, Class) for each in collect_kinds(error)):
            begun = find_initial_calls(self._trace, self._program, error)
            yield from ((each, part) for each in begun for part in _collect_arguments(each))
            yield from ((here, part) for key, part in (error.contents or {}).items() if not begun and key == ("0",))
        elif isinstance(error.meaning, Made):
            yield from ((here, each) for each in error.meaning.of)

    def iter_shown_parts(self, occurrence: Occurrence, value: Value, deep: int = DEEPEST) -> Iterator[TextPart]:
        """Yield the values that stand in a text or an answer."""
        here, value = occurrence.trace_source(value)
        yield here, value
        holds, goes_on = self._within(here, value)
        inner: tuple[Value, ...] = tuple((value.contents or {}).values()) if holds else ()
        models = self._program.models
        match value.meaning:
            case ConditionalValue(then=then, otherwise=otherwise):
                inner = (*inner, then, otherwise)
            case Made(by, of) if by in TEXTUAL or models.get_model(by).returns in ("text", "same text"):
                inner = of
        if deep and goes_on:
            for each in inner:
                yield from self.iter_shown_parts(here, each, deep - 1)


def _collect_arguments(occurrence: Occurrence) -> tuple[Value, ...]:
    event = occurrence.event
    return (*event.arguments, *event.named.values()) if isinstance(event, Called) else ()
