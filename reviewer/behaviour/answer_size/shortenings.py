"""Where handlers shorten a text or an answer for its size, though a guard of the project does that for all of them."""

from collections.abc import Callable, Iterator, Sequence
from math import inf

from reviewer.behaviour.answer_size.cuts import (
    KeptPart,
    classify_cut,
    collect_cut_labels,
    compute_max_characters,
    iter_answers,
    iter_cuts,
)
from reviewer.behaviour.arguments.inputs import find_origin
from reviewer.behaviour.fields.asked_fields import lies_in
from reviewer.behaviour.security import checks
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Assigned, Called, Entered, Event, Occurrence, Raised, Returned, Stored, Tested, Trace
from reviewer.code.ir import Code, collect_names
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.values import Made, Relation, Value, strip_negations
from reviewer.facts import Guard, Handler
from reviewer.source import Span, Text

SHORTEST = 32
"""Characters. What is cut to fewer is a label, no answer."""

LONGEST = 2_000
"""Elements that are left of a list at most: pages of 1,000 were seen."""

SMALLEST = 512
"""Characters or bytes. A comparison with fewer does not bound an answer."""

MARK = "_truncated"
"""The key of what stands for a text that is too large and says how to get the whole."""


def build_shortening_finder(functions: EntryPoints, guards: Sequence[Guard]) -> Callable[[Handler], Iterator[Text]]:
    """Return a function that finds the expressions by which a handler shortens its answer, which the guards bound."""
    signing = frozenset(code for each in guards if (code := functions.find_code(each.span)) is not None)

    def iter_shortenings(handler: Handler) -> Iterator[Text]:
        trace = functions.trace(handler.span)
        yield from _iter_shortenings(trace, functions.program, signing, handler.span) if trace is not None else ()

    return iter_shortenings


def _iter_shortenings(trace: Trace, program: Program, guards: frozenset[Code], within: Span) -> Iterator[Text]:
    """Yield the expressions of a handler, a part of a function, that shorten what it answers with.

    What a helper shortens is told where it is called by the handler, or by a function that hands the guard the handler's answer.
    """
    if trace.code in guards:
        return
    answering = frozenset((trace.code,)) | _collect_guard_callers(trace, guards)
    for each in find_once(program, trace, ("shortenings", guards), lambda: tuple(_iter_found(trace, program, guards))):
        if within.holds(each[0].text.span):
            yield [event for event in each if lies_in(event.code, answering)][-1].text


def _collect_guard_callers(trace: Trace, guards: frozenset[Code]) -> frozenset[Code]:
    """Return the functions that hand something to a guard."""
    entered = (each.event for each in trace.iter_occurrences(kinds=(Entered,)) if isinstance(each.event, Entered))
    return frozenset(each.code for each in entered if each.trace.code in guards)


def _iter_found(trace: Trace, program: Program, guards: frozenset[Code]) -> Iterator[tuple[Event, ...]]:
    entered = list(trace.iter_occurrences(kinds=(Entered,)))
    bounding = [each for each in entered if isinstance(each.event, Entered) and each.event.trace.code in guards]
    central = guards.union(*(each.event.trace.collect_codes() for each in bounding if isinstance(each.event, Entered)))
    labels = collect_cut_labels(each.value.labels for each in iter_answers(trace)) | collect_cut_labels(
        each.resolve_labels(value)
        for each in bounding
        if isinstance(each.event, Entered)
        for value in each.event.given.values()
    )
    for kept in iter_cuts(trace, labels, program.models):
        path = _collect_path(kept.occurrence)
        if central.isdisjoint(each.code for each in path) and _is_short(kept, program) and not _builds_envelope(path):
            yield path
    for each in trace.iter_occurrences(kinds=(Tested,)):
        if isinstance(each.event, Tested) and _bounds_size(each, program):
            path = _collect_path(each)
            is_own = central.isdisjoint(event.code for event in path) and not _builds_envelope(path)
            if is_own and _does_otherwise(trace, each, program.models):
                yield path


def _collect_path(occurrence: Occurrence) -> tuple[Event, ...]:
    """Return the calls that lead to an event, the outermost first, and the event."""
    return tuple(each.event for each in occurrence.iter_outwards())[::-1]


def _builds_envelope(path: tuple[Event, ...]) -> bool:
    """Return whether a helper makes what says how to get the whole text."""
    return any(MARK in collect_names(each.code.body) for each in path if each.code is not path[0].code)


def _is_short(kept: KeptPart, program: Program) -> bool:
    """Return whether a text that was found is cut to a size: to no label, and nothing that the client sent."""
    kind = classify_cut(kept, LONGEST)
    is_sized = SHORTEST <= compute_max_characters(kept) < inf and kind in ("text", "lines") and not kept.is_page
    return is_sized and not kept.is_sent(program)


def _bounds_size(here: Occurrence, program: Program) -> bool:
    """Return whether a test compares the size of what was written as a text with a number, and that is no input."""
    found = _compare(here.event.values[0])
    if found is None or found[1] < SMALLEST:
        return False
    there, text = here.trace_source(found[0])
    is_written = any(_writes(each, program.models) for each in checks.iter_parts(text))
    return is_written and find_origin(there, text, program) is None


def _compare(test: Value) -> tuple[Value, float] | None:
    """Return the value whose length a test compares with a number, and that number; None for another test."""
    test, _ = strip_negations(test)
    match test.meaning:
        case Relation("<" | "<=", left, right) if right is not None:
            for one, other in ((left, right), (right, left)):
                number = other.constant
                if isinstance(one.meaning, Made) and one.meaning.by == "length" and number is not None:
                    return one.meaning.of[0], number[1] if isinstance(number[1], int) else 0
    return None


def _writes(value: Value, models: Models) -> bool:
    """Return whether a value is an object as a text."""
    model = models.get_maker_model(value)
    return "serialises" in model.acts or model.returns in ("text", "same text")


def _does_otherwise(trace: Trace, test: Occurrence, models: Models) -> bool:
    """Return whether something else is answered where a test tells that the size is too large, and no error."""
    call = test.caller.event if test.caller is not None else None
    events = call.trace.events if isinstance(call, Entered) else trace.events
    inner, holds = strip_negations(test.event.values[0])
    assert isinstance(inner.meaning, Relation)
    is_length_left = isinstance(inner.meaning.left.meaning, Made) and inner.meaning.left.meaning.by == "length"
    large = (not is_length_left) is holds
    done = [
        each
        for each in events
        if any(
            part.condition == "test" and part.at == test.event.at and part.holds is large
            for part in each.iter_outwards()
        )
    ]
    if any(
        isinstance(each, Raised) or (isinstance(each, Returned) and each.value.failure is not None) for each in done
    ):
        return False
    return any(isinstance(each, Returned | Assigned | Stored) or _changes(each, models) for each in done)


CHANGING = frozenset({"removed", "emptied", "shortened", "retained", "written"})
"""What models call functions that change what they are called on."""


def _changes(event: Event, models: Models) -> bool:
    return isinstance(event, Called) and models.get_model(event.path).returns in CHANGING
