"""Answers that are a list or a mapping as Python writes it, and not as JSON."""

from collections.abc import Iterator
from dataclasses import replace

from reviewer.behaviour.answer_size.cuts import iter_answers
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import collect_entered_calls, is_error
from reviewer.behaviour.results.outcomes import iter_given_kinds
from reviewer.code.events import Called, Event, Occurrence, Returned, Trace
from reviewer.code.program import Program
from reviewer.code.state import infer_failure, infer_truth
from reviewer.code.values import ConditionalValue, Made, Value
from reviewer.source import Text

WRITING = frozenset({"builtins.str", "builtins.repr"})
"""What writes an object as the language does."""

PARSING = frozenset({"json.loads", "json.load"})
"""What gives a list or a mapping, but where the text is a single value; so does the method `json` of a reply."""

DEEPEST = 8
"""Helpers and blocks that an answer is looked through for: a result, its list, a block, its text."""


def iter_language_reprs(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where an answer, or a text in it, is `str(…)` of a list or a mapping."""
    if not trace.leads_to(_writes, program):
        return
    seen: set[Text] = set()
    for event in iter_answers(trace):
        if infer_failure(event.value, event.facts) is not True:
            for here, value in _iter_written(trace, program, Occurrence(event), event.value, DEEPEST):
                place = _place(trace, here, value)
                if place.event.text not in seen:
                    seen.add(place.event.text)
                    yield RunFinding("writes object", place)


def _place(trace: Trace, here: Occurrence, value: Value) -> Occurrence:
    """Return the call that wrote an object; what answers with it if that is in another function."""
    calls = (each for each in here.find_own_trace(trace).events if isinstance(each, Called) and each.path in WRITING)
    return next((replace(here, event=each) for each in calls if each.result.term == value.term), here)


def _writes(event: Event, _program: Program) -> bool:
    return isinstance(event, Called) and event.path in WRITING


def _iter_written(
    trace: Trace, program: Program, here: Occurrence, value: Value, deep: int
) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the objects whose notation is in a value."""
    here, value = here.trace_source(value)
    if not deep or value.constants is not None or is_error(value, program.models):
        return
    meaning = value.meaning
    if isinstance(meaning, Made) and meaning.by in WRITING and not collect_entered_calls(trace, here, value):
        if _is_object(trace, program, here, meaning.of[0]):
            yield here, value
        return
    for at, each in _iter_inside(trace, here, value):
        yield from _iter_written(trace, program, at, each, deep - 1)


def _iter_inside(trace: Trace, here: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the possible values and contents of a value, and the result of the project's function that returned it."""
    match value.meaning:
        case ConditionalValue(test, then, otherwise):
            known = infer_truth(test, here.event.facts)
            yield from ((here, each) for each, holds in ((then, True), (otherwise, False)) if known is not (not holds))
        case Made("joined", of):
            yield from ((here, each) for each in of)
        case _:
            yield from ((here, each) for each in value.ways)
            for key, each in (value.contents or {}).items():
                if not isinstance(key, str):  # what stands under a name in an object is a text beside others
                    yield here, each
    for call, inner in collect_entered_calls(trace, here, value):
        for event in inner.events:
            if isinstance(event, Returned) and event.code is inner.code:
                yield call.place_inside(event), event.value


def _is_object(trace: Trace, program: Program, here: Occurrence, operand: Value) -> bool:
    """Return whether a written value is certainly a list or a mapping on some path, or was read from JSON."""
    at, value = here.trace_source(operand)
    if isinstance(value.meaning, Made) and "parses" in program.models.get_model(value.meaning.by).acts:
        row = program.models.get_model(value.meaning.by)
        return row.path in PARSING or "reads body" in row.acts
    return any(each.kind in ("list", "mapping") for each in iter_given_kinds(trace, program, at, value))
