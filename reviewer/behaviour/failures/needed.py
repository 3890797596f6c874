"""Arguments without which a call always fails, whatever else it is given."""

from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from operator import is_not

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import is_error, tells_failure
from reviewer.behaviour.values.nests import find_nest, iter_skipping_tests
from reviewer.code.events import Context, Entered, Event, Occurrence, Raised, Returned, Trace
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import ABSENT, ConditionalValue, Made, Relation, Value, strip_negations
from reviewer.source import Text


def iter_needed_arguments(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where a call fails because an argument is absent, before anything succeeds; `about` is the argument's name."""

    def enters(event: Entered, _: object) -> bool:
        """Look into what is done whatever is given, or but for one test, and raises something."""
        is_sure = sum(each.condition not in HARMLESS for each in event.iter_outwards()) <= 1
        return is_sure and program.raises and event.trace.leads_to(_raises, program)

    for each in trace.iter_occurrences(enters, kinds=(Raised, Returned)):
        if each.event.code is not trace.code and not isinstance(each.event, Raised):
            continue
        tests = [one for one in each.iter_circumstances() if one.condition not in HARMLESS]
        if len(tests) != 1 or not _fails(each, program) or _may_succeed_before(each, tests[0], trace, program):
            continue
        name = _get_absent(each, tests[0], program)
        if name:
            yield RunFinding("needs argument", each, about=Text(name, each.event.text.span))


HARMLESS = frozenset({"catches", "manager", "ensures", "timed"})
"""Circumstances in which something is done whatever is given."""


def _raises(event: Event, _: Program) -> bool:
    return isinstance(event, Raised)


def _may_succeed_before(here: Occurrence, test: Context, trace: Trace, program: Program) -> bool:
    """Return whether a function gives something on the way to a place, other than where a test comes out the other way.

    Or whether another test may lead round the place, as the parts of `a or b` do.
    """
    for each in here.iter_outwards():
        around = (at for owner, body in find_nest(each.event) for at in iter_skipping_tests(owner, body, each.event.at))
        if any(at != test.at for at in around):
            return True
        for one in takewhile(partial(is_not, each.event), each.find_own_trace(trace).events):
            if isinstance(one, Returned) and not _fails(Occurrence(one), program):
                if all(context.at != test.at or context.holds is test.holds for context in one.iter_outwards()):
                    return True
    return False


def _fails(here: Occurrence, program: Program) -> bool:
    """Return whether an exception, a failure or the text of an error is what a call comes to."""
    event = here.event
    if not isinstance(event, Returned):
        return here.event.code is not None
    value = event.value
    if infer_failure(value, event.facts) is True:
        return True
    return not is_one_of_several(value) and (
        is_error(value, program.models) or tells_failure(here, value, program.models)
    )


def is_one_of_several(value: Value) -> bool:
    """Return whether a value may be an error or something else: what a function gives that comes to several ends, a choice."""
    match value.term:
        case ("via", _, ("join", *_)) | ("join", *_):
            return True
    return isinstance(value.meaning, ConditionalValue) or (
        isinstance(value.meaning, Made) and value.meaning.by == "joined"
    )


def _get_absent(here: Occurrence, context: Context, program: Program) -> str:
    """Return the argument whose absence gives a test the result that it has in a context; empty if there is none."""
    if context.condition != "test" or context.value is None:
        return ""
    owner = next((each for each in here.iter_outwards() if context in each.event.iter_outwards()), here)
    return _find_absent_argument(owner, context.value, context.holds, program)


def _find_absent_argument(here: Occurrence, test: Value, holds: bool, program: Program) -> str:
    test, holds = strip_negations(test, holds)
    match test.meaning:
        case Relation("present" | "succeeds", left) if not holds:
            return _get_argument(here, left, program)
        case Relation("is" | "==", left, right) if holds and right is not None and right.constants == ABSENT:
            return _get_argument(here, left, program)
        case ConditionalValue(inner, _, _, then_truth, otherwise_truth):
            if then_truth is holds:
                return _find_absent_argument(here, inner, True, program)
            return _find_absent_argument(here, inner, False, program) if otherwise_truth is holds else ""
    return _get_argument(here, test, program) if not holds else ""


ABSENT_IF = frozenset({"then", "number", "receiver", "cloned", "filtered"})
"""What models say of functions that give nothing of nothing: `.and_then(..)`, `.as_i64()`, `.as_deref()`, `.filter(..)`."""


def _get_argument(here: Occurrence, value: Value, program: Program) -> str:
    """Return the name of the argument that a value is, or of which it is made so that it is absent where that is."""
    here, value = here.trace_source(value)
    match value.term:
        case ("argument", str() as name):
            return name
    if isinstance(value.meaning, ConditionalValue) and value.meaning.otherwise.failure is not None:
        return _find_absent_argument(here, value.meaning.test, False, program)
    if isinstance(value.meaning, Made) and value.meaning.of:
        if program.models.get_maker_model(value).returns in ABSENT_IF:
            return _get_argument(here, value.meaning.of[0], program)
    return ""
