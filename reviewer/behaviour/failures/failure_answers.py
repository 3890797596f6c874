"""Answers to failures that do not fit them: that say success, name no issue, give a result, or ask to wait without a time."""

import re
from collections.abc import Iterator

from reviewer.behaviour.failures.mappings import FailureMapping
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import collect_entered_calls
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code.events import Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program, find_once
from reviewer.code.values import ELEMENT, Class, Term, Value, find_original_term, get_term_head
from reviewer.facts import FailureAnswer
from reviewer.facts.responses import FailureMisfit
from reviewer.source import Text
from reviewer.text.patterns import pattern

# Names of the field of an envelope that says whether the call succeeded.
FLAGS = ("ok", "success", "succeeded")
# Names of the field of an envelope that lists what is wrong.
PROBLEMS = ("issues", "errors", "problems")
# Names of the field of an envelope that holds the result.
RESULTS = ("result", "data", "payload")
# Names of fields that hold prose: such a field alone is no result.
MESSAGES = frozenset({"message", "text", "detail", "details", "reason"})
CODES = frozenset({"code", "kind", "type", "error_code"})
"""What the fields of an issue are called that say what happened to people, and to programs."""

LIMITED = pattern(r"rate_?limit|too_?many|thrott|quota|try_?later|retry_?later", re.IGNORECASE)
"""What a code is called that asks to try again later."""

WAITING = pattern(r"retry|wait|after|reset", re.IGNORECASE)
"""What a field is called that says when."""


def iter_misfits(mapping: FailureMapping) -> Iterator[FailureAnswer]:
    """Yield the faults in the answers of a mapping, each fault of an answer once."""
    told = set()
    for clause in mapping.clauses:
        answers = list(mapping.iter_answers(clause, clause.trace))
        own = {find_original_term(value.term) for _, value in answers}
        for here, value in answers:
            held = [
                each
                for each in iter_parts(here, value)
                if each[1] is value or find_original_term(each[1].term) not in own
            ]
            for fault in dict.fromkeys(fault for each in held for fault in _iter_faults(*each)):
                answer = FailureAnswer(fault, here.event.text)
                if (fault, answer.text.span) not in told:
                    told.add((fault, answer.text.span))
                    yield answer


def _iter_faults(here: Occurrence, value: Value) -> Iterator[FailureMisfit]:
    held = _collect_held(value)
    flag = next((held[name] for name in FLAGS if name in held), None)
    if flag is not None and flag.constants is not None:
        if _equals_constant(here, flag, True):
            yield "success"
        problems = next((held[name] for name in PROBLEMS if name in held), None)
        if problems is not None and _is_empty(here, problems):
            yield "no issue"
        result = next((held[name] for name in RESULTS if name in held), None)
        if result is not None and _is_given(here, result):
            yield "result"
    if _asks_to_wait(here, held):
        yield "no wait"


def iter_limits_without_wait(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where an answer, a failure, or a part of one, is made that asks to try later and does not say when."""
    for each in trace.iter_occurrences(kinds=(Returned, Raised)):
        for here, value in _iter_given(each) if each.is_possible() else ():
            is_own = get_term_head(value.term) != "via"  # what a call gave is told there
            if is_own and here.event is each.event and _asks_to_wait(here, _collect_held(value), trace):
                if isinstance(each.event, Raised) and value is each.event.values[0] and not _has_wait(value):
                    continue  # what catches it may know when
                waiting = find_once(program, trace, "given waits", lambda: frozenset(_iter_given_waits(trace)))
                if waiting.isdisjoint(_iter_places_outwards(each, value)):
                    yield RunFinding("limits without wait", each)


def _iter_given(each: Occurrence) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the values that a function returns or raises, and their parts, including those of an `Err`."""
    for value in each.event.values[:1]:
        yield from iter_parts(each, value)
        if value.failure is not None:
            yield from iter_parts(each, value.failure)


def _has_wait(value: Value) -> bool:
    return any(map(WAITING.search, _collect_held(value)))


_Place = tuple[Code, Term]
"""Which value an object is in a function."""

UPDATED = "updated"
"""What stands for an object with the time that a function makes of another: no value of the run is called so."""


def _iter_given_waits(trace: Trace) -> Iterator[_Place]:
    """Yield the objects that are told the time after they were made, as the functions have them: `Issue::new(code).after(ms)`.

    A function that makes another object of one, with the time, has `UPDATED` instead of it.
    """
    for each in trace.iter_occurrences(kinds=(Stored, Returned, Raised)):
        if isinstance(each.event, Stored):
            named = isinstance(each.event.key, Value) and WAITING.search(each.event.key.text or "")
            if named and not _equals_constant(each, each.event.value, None):
                here, owner = each.trace_source(each.event.owner)
                yield from ((here.event.code, one.term) for one in (owner, *owner.ways))
            continue
        for here, value in _iter_given(each):
            held = _collect_held(value) if get_term_head(value.term) != "via" else {}
            code = held.get("code")
            if code is not None and _has_wait(value) and any(map(LIMITED.search, _iter_names(here, code, None))):
                if not _asks_to_wait(here, held):
                    yield here.event.code, UPDATED


def _iter_places_outwards(here: Occurrence, value: Value) -> Iterator[_Place]:
    """Yield which value an object is in the function that makes it, and in those that it is given back to."""
    term = value.term
    yield here.event.code, term
    while here.caller is not None:
        here = here.caller
        term = ("via", here.event.at, term)
        yield from ((here.event.code, term), (here.event.code, UPDATED))


def iter_misfitting_answers(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where an envelope is made that says by its flag one thing and something else beside, or an issue without a code.

    Where exceptions are raised, what answers for them is looked at instead.
    """
    if program.raises:
        return
    for each in trace.iter_occurrences(kinds=(Returned,)):
        if isinstance(each.event, Returned) and each.is_possible():
            for here, value in iter_parts(each, each.event.value):
                is_own = get_term_head(value.term) != "via"
                for fault in _iter_misfits(here, value) if is_own and here.event is each.event else ():
                    yield RunFinding("misfits failure", each, about=Text(fault, each.event.text.span))


def _iter_misfits(here: Occurrence, value: Value) -> Iterator[str]:
    """Yield the faults of an envelope that is written out as a literal."""
    held = _collect_held(value)
    flag = next((held[name] for name in FLAGS if name in held), None)
    problems = next((held[name] for name in PROBLEMS if name in held), None)
    if flag is None or problems is None:
        return
    result = next((held[name] for name in RESULTS if name in held), None)
    if _equals_constant(here, flag, False):
        if _is_empty(here, problems):
            yield "no issue"
        if result is not None and _is_given(here, result):
            yield "result"
    elif _equals_constant(here, flag, True) and bool(here.trace_source(problems)[1].contents):
        yield "success"
    for _, each in (here.trace_source(one) for one in (here.trace_source(problems)[1].contents or {}).values()):
        names, is_open = {*_collect_held(each)}, ELEMENT in (each.contents or {})  # `..base`, of which nothing is known
        if names & MESSAGES and not names & CODES and not is_open:
            yield "no code"


def _collect_held(value: Value) -> dict[str, Value]:
    return {
        str(key[-1] if isinstance(key, tuple) and key else key): each for key, each in (value.contents or {}).items()
    }


def _asks_to_wait(here: Occurrence, held: dict[str, Value], root: Trace | None = None) -> bool:
    """Return whether an object has a code, or may have one, that asks to try later, and no field that says when.

    With the trace that the run began with also if a function gives the code.
    """
    code = held.get("code")
    if code is None or not any(map(LIMITED.search, _iter_names(here, code, root))):
        return False
    wait = next((each for name, each in held.items() if WAITING.search(name)), None)
    return wait is None or _equals_constant(here, wait, None)


def _iter_names(here: Occurrence, value: Value, root: Trace | None) -> Iterator[str]:
    """Yield the names that a value may have: as a text, or as a variant of an enum."""
    here, source = here.trace_source(value)
    for _, each in source.constants or ():
        if isinstance(each, str):
            yield each
    for call, inner in collect_entered_calls(root, here, source) if root is not None else ():
        for event in inner.events:
            if isinstance(event, Returned):
                yield from _iter_names(Occurrence(event, call), event.value, None)
    for thing in source.things:
        if isinstance(thing, Class) and thing.variant:
            yield thing.variant


def _equals_constant(here: Occurrence, value: Value, constant: object) -> bool:
    """Return whether a value is one constant and no other."""
    _, source = here.trace_source(value)
    return source.constants is not None and {each for _, each in source.constants} == {constant}


def _is_empty(here: Occurrence, value: Value) -> bool:
    """Return whether a value is a list that was written without elements, or None."""
    _, source = here.trace_source(value)
    is_bare = source.certain and source.library_types == ["list"] and not source.contents
    return (
        _equals_constant(here, value, None)
        or source.contents == {}
        or (is_bare and _is_written(find_original_term(source.term)))
    )


def _is_written(term: Term) -> bool:
    """Return whether a value is a list literal, or the default of a list field."""
    return isinstance(term, tuple) and (term[:1] == ("new",) or (len(term) > 1 and _is_written(term[0])))


def _is_given(here: Occurrence, value: Value) -> bool:
    """Return whether a value is one that is written out: an object, or a constant other than None."""
    _, source = here.trace_source(value)
    if source.certain and _is_written(find_original_term(source.term)):
        return True
    return bool(source.contents) or (source.constants is not None and {each for _, each in source.constants} != {None})
