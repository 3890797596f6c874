"""Elements for which an operation outside failed, and which are left out of the answer as if they had never been there."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.failures.gathered import asks_whether_failed
from reviewer.behaviour.failures.outside import asks_outside
from reviewer.behaviour.failures.swallows import SwallowSearch, search_of
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import collect_result_terms, is_error, is_of_failure, tells_failure
from reviewer.code.acts import LOGGING, collect_acts
from reviewer.code.events import (
    Assigned,
    Called,
    Context,
    Entered,
    Event,
    Looped,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import (
    Assign,
    Body,
    Break,
    Call,
    Continue,
    If,
    Loop,
    ReasonOf,
    Return,
    Site,
    Statement,
    Try,
    iter_bodies,
    iter_statements,
)
from reviewer.code.program import Program
from reviewer.code.values import (
    ABSENT,
    ConditionalValue,
    Negation,
    Relation,
    Term,
    Value,
    strip_negations,
)
from reviewer.source import Text


def iter_left_out(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where a loop puts what it gets into what is answered, and goes on without a word where it gets nothing."""
    if not trace.leads_to(asks_outside, program):
        return
    search = search_of(trace, program)
    for each in trace.iter_occurrences(search.enters, kinds=(Called, Stored)):
        failing = _find_failure(each, each.find_own_trace(trace), search)
        if failing is not None and _is_silent(each, failing, each.find_own_trace(trace), program, search):
            about = failing.operation.text if not isinstance(failing.operation, Tested) else None
            yield RunFinding("leaves out failed", each, failing.text, about)


class _ElementFailure(NamedTuple):
    """What fails for one element of a loop, or the test that tells so: `branch` runs then, and `text` is where that begins."""

    operation: Event
    branch: Site
    text: Text
    loop: Context
    owner: Term


def _find_failure(here: Occurrence, inner: Trace, search: SwallowSearch) -> _ElementFailure | None:
    """Return the operation whose failure keeps an event from adding an element; None if there is none."""
    owner = search.find_filled(here.event)
    if owner is None:
        return None
    between = list[Context]()
    for each in here.event.iter_outwards():
        if each.condition == "loop":
            if _is_element(owner, each, inner):
                return None  # what is there already lacks a part of it
            around = (_find_operation(here.event, one, inner, search) for one in between)
            found = next((one for one in around if one is not None), None) or _find_before(
                here.event, each, inner, search
            )
            is_seen = found is not None and each.value is not None and found[0].is_in_loop(each.at)
            return _ElementFailure(*found, each, owner) if found is not None and is_seen else None
        between.append(each)
    return None


def _is_element(owner: Term, loop: Context, inner: Trace) -> bool:
    """Return whether something is put into what a loop goes through: `for each in found: each["size"] = ..`."""
    gone = [each for each in inner.events if isinstance(each, Looped)]
    elements = [each.element for each in gone if loop.value is not None and each.value.term == loop.value.term]
    return any(owner in (each.term, *(one.term for one in (each.contents or {}).values())) for each in elements)


def _find_operation(
    event: Event, around: Context, inner: Trace, search: SwallowSearch
) -> tuple[Event, Site, Text] | None:
    """Return the operation that fails in a block around an event, the handler that runs then, and where it begins."""
    code = event.code
    if around.condition == "catches":
        clauses = [(at, one) for (owner, at), one in search.clauses.items() if owner is code and one.tried == around.at]
        operations = search.operations.get((code, around.at), ())
        if len(clauses) == 1 and operations:
            at, clause = clauses[0]
            return operations[0][1].event, at, code.extract_text(clause.head)
    if around.condition == "test" and around.value is not None:
        test, holds = strip_negations(around.value, around.holds)
        if holds and isinstance(test.meaning, Relation) and test.meaning.operator in ("present", "succeeds"):
            given = search.results.get((code, test.meaning.left.term))
            return (given, around.at, given.text) if given is not None else None
        if not holds and asks_whether_failed(test, inner):
            found = next((one for one in inner.events if isinstance(one, Tested) and one.at == around.at), None)
            return (found, around.at, code.extract_text(around.at)) if found is not None else None
        return _find_given_for_failure(event, test, around, inner, search) if holds else None
    return None


def _find_given_for_failure(
    event: Event, test: Value, around: Context, inner: Trace, search: SwallowSearch
) -> tuple[Event, Site, Text] | None:
    """Return the call of a function that gives nothing where something failed in it, if a test asks whether it gave something."""
    asked = test.meaning.left if isinstance(test.meaning, Relation) and test.meaning.operator == "present" else test
    for call in inner.events:
        if not isinstance(call, Entered) or asked.term not in collect_result_terms(Occurrence(call)):
            continue
        for each in call.trace.events:
            handling = next((one for one in each.iter_outwards() if one.condition == "handles"), None)
            clause = search.clauses.get((each.code, handling.at)) if handling is not None else None
            if not isinstance(each, Returned) or clause is None or each.value.constants != ABSENT:
                continue
            if (each.code, clause.tried) in search.operations and not search.is_told(
                Occurrence(each, Occurrence(call)), clause.context.at
            ):
                return call, around.at, event.code.extract_text(call.at)
    return None


def _find_before(event: Event, loop: Context, inner: Trace, search: SwallowSearch) -> tuple[Event, Site, Text] | None:
    """Return the operation before an event whose failure makes a loop continue with the next element, and the code that
    runs then.
    """
    code = event.code
    for each in iter_statements(code.body):
        if isinstance(each, Try) and loop.at.start < each.at.start and each.at.end <= event.at.start:
            for clause in each.catches:
                known = search.clauses.get((code, clause.at))
                operations = search.operations.get((code, known.tried), ()) if known is not None else ()
                if known is not None and operations and _goes_on(clause.body):
                    return operations[0][1].event, clause.at, code.extract_text(known.head)
    skipping = {each.test.at for each in iter_statements(code.body) if isinstance(each, If) and _goes_on(each.then)}
    for one in inner.events:
        is_before = isinstance(one, Tested) and loop.at.start < one.at.start and one.at.end <= event.at.start
        if is_before and isinstance(one, Tested) and one.at in skipping and asks_whether_failed(one.value, inner):
            return one, one.at, code.extract_text(one.at)
        test = (
            strip_negations(one.value)[0].meaning if isinstance(one, Tested) and loop.at.start < one.at.start else None
        )
        if isinstance(test, Relation) and test.operator in ("present", "succeeds") and one.at.end <= event.at.start:
            given, fact = search.results.get((code, test.left.term)), event.facts.get(test.left.term)
            if given is not None and fact is not None and fact.failed is False:
                return given, one.at, given.text
    return None


def _goes_on(body: Body) -> bool:
    return bool(body) and isinstance(body[-1], Continue)


def _is_silent(
    here: Occurrence, failing: _ElementFailure, inner: Trace, program: Program, search: SwallowSearch
) -> bool:
    """Return whether nothing comes of a failure but a line in a log, and the container is what the function gives."""
    given = [each for each in inner.events if isinstance(each, Returned) and _is_made_of(each.value, failing.owner)]
    size = ("length", failing.loop.value.term) if failing.loop.value is not None else None
    if not given or any(_is_made_of(each.value, size) for each in given) or _is_one_of_several(here.event):
        return False
    asked = next((each.value for each in inner.events if isinstance(each, Tested) and each.at == failing.branch), None)
    if any(_is_in_branch(each, failing, asked) and _handles_failure(each, program, search) for each in inner.events):
        return False
    return not any(_counts(each, failing, program) for each in inner.events)


def _is_in_branch(event: Event, failing: _ElementFailure, asked: Value | None) -> bool:
    """Return whether something is done because of a failure; the arms of a `match` ask for it one after the other."""
    holds = isinstance(failing.operation, Tested)
    return any(
        (each.at == failing.branch or _asks_alike(each, asked))
        and (each.condition == "handles" or (each.condition == "test" and _is_so(each) is holds))
        for each in event.iter_outwards()
    )


def _asks_alike(context: Context, asked: Value | None) -> bool:
    """Return whether a test asks what another asked."""
    if asked is None or context.value is None:
        return False
    return strip_negations(context.value)[0].term == strip_negations(asked)[0].term


def _is_so(context: Context) -> bool:
    return strip_negations(context.value, context.holds)[1] if context.value is not None else context.holds


TELLING = frozenset(
    {"logs to client", "notifies", "network", "executes sql", "reads database", "runs command", "exits"}
)
"""What is done of which somebody learns, or that tries something else."""


def _handles_failure(event: Event, program: Program, search: SwallowSearch) -> bool:
    """Return whether something is kept, counted, told or tried where something failed."""
    match event:
        case Stored() | Returned() | Raised():
            return True
        case Assigned(value=value):
            is_reason = isinstance(value.term, tuple) and value.term[:1] in (("reason",), ("caught",))
            return not is_reason and not _names_reason(event)
        case Entered(given=given):
            return any(map(is_of_failure, given.values())) or event.trace.leads_to(asks_outside, program)
        case Called():
            acts = collect_acts(event, program.models)
            if search.find_filled(event) is not None or not TELLING.isdisjoint(acts):
                return True
            is_known = program.models.find_model(event.path) is not None or event.followed
            return not is_known and LOGGING.isdisjoint(acts) and any(map(is_of_failure, event.values))
    return False


def _names_reason(event: Event) -> bool:
    """Return whether a variable only names why something failed, in the pattern of an arm: `Err(error) =>`.

    What the callee gave as its reason has a term of its own, such as the text that `map_err` made.
    """
    return any(
        isinstance(each, Assign) and each.value.at == event.at and isinstance(each.value, ReasonOf)
        for each in iter_statements(event.code.body)
    )


def _counts(event: Event, failing: _ElementFailure, program: Program) -> bool:
    """Return whether an error is made of how much was found, or that is compared with something that only a run tells."""
    here = Occurrence(event)
    is_error_ = isinstance(event, Raised) or (
        isinstance(event, Returned)
        and (is_error(event.value, program.models) or tells_failure(here, event.value, program.models))
    )
    for each in event.iter_outwards():
        if each.condition == "test" and each.value is not None and _is_about(each.value, failing.owner):
            test, _ = strip_negations(each.value)
            sides = (test.meaning.left, test.meaning.right) if isinstance(test.meaning, Relation) else (None,)
            if is_error_ or all(side is not None and side.constants is None for side in sides):
                return True
    return False


def _is_about(test: Value, owner: Term) -> bool:
    terms = (owner, ("length", owner))
    match test.meaning:
        case Relation(_, left, right):
            return left.term in terms or (right is not None and right.term in terms)
        case Negation(operand):
            return _is_about(operand, owner)
        case ConditionalValue(inner, then, otherwise):
            return any(_is_about(each, owner) for each in (inner, then, otherwise))
    return test.term in terms


def _is_one_of_several(event: Event) -> bool:
    """Return whether a loop is left after something was found: it tries one after the other until one does."""
    loops = {each.label for each in iter_statements(event.code.body) if isinstance(each, Loop)}
    body = _find_body_of(event.code.body, event.at)
    after = [each for each in body if each.at.start >= event.at.end] if body is not None else []
    return any(isinstance(each, Return) or (isinstance(each, Break) and each.label in loops) for each in after)


def _find_body_of(body: Body, at: Site) -> Body | None:
    """Return the innermost body that has a statement at a place."""
    for each in body:
        found = next((inner for one in iter_bodies(each) if (inner := _find_body_of(one, at)) is not None), None)
        if found is not None:
            return found
        if each.at == at and _is_plain(each):
            return body
    return None


def _is_plain(statement: Statement) -> bool:
    return isinstance(statement, Call) or not any(True for _ in iter_bodies(statement))


DEEPEST = 6
"""How many values inside values are looked through for a list: an object of fields, a text, a result of the protocol."""


def _is_made_of(value: Value, term: Term, deep: int = DEEPEST) -> bool:
    """Return whether a value is one of a term, or is made of it."""
    if value.term == term:
        return True
    inner = (*(value.contents or {}).values(), *value.sources)
    return bool(deep) and any(_is_made_of(each, term, deep - 1) for each in inner)
