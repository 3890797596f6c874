"""Objects by which a function says that it failed, and of which its caller reads something else as if it had not."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.failures.statuses import FAILURE, iter_nested_values
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import (
    WELL,
    classify_telling_field,
    collect_result_terms,
    collect_returned_forms,
    find_own_answering_calls,
    index_by_name,
)
from reviewer.code import ir
from reviewer.code.events import (
    Called,
    Captured,
    Context,
    Entered,
    Event,
    Indexed,
    Looped,
    Obscured,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.program import Program, find_once
from reviewer.code.values import ConditionalValue, Made, Relation, Term, Value
from reviewer.source import Text


def iter_untested_errors(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the places where a function uses a result that may say that the call failed, without testing that."""
    if not program.raises:
        return
    for each in trace.iter_occurrences(kinds=(Entered,)):
        assert isinstance(each.event, Entered)
        kinds = collect_error_kinds(each.event.trace, program)
        if kinds and not each.is_under("loop"):
            found = _use(each, each.find_own_trace(trace), kinds)
            if found is not None:
                yield RunFinding("ignores error", each, found, each.event.text)


def collect_error_kinds(trace: Trace, program: Program) -> frozenset[str]:
    """Return as what a function says that something outside failed: an `object`, or a `list` with one."""
    return find_once(program, trace, "errors", lambda: frozenset(_iter_error_kinds(trace, program)))


def _iter_error_kinds(trace: Trace, program: Program) -> Iterator[str]:
    for event in trace.events:
        if isinstance(event, Returned) and event.code is trace.code:
            here = Occurrence(event)
            is_listed = False
            for each in collect_returned_forms(here, program):
                if (
                    each.is_whole
                    and classify_telling_field(each.value)
                    and _is_from_outside(each.occurrence, each.value)
                ):
                    yield "list" if is_listed else "object"
                is_listed = not each.is_whole and set(each.value.contents or ()) == {0}
    for call in find_own_answering_calls(trace, program):
        if call.trace is not trace:
            yield from collect_error_kinds(call.trace, program)


def _is_from_outside(here: Occurrence, value: Value) -> bool:
    """Return whether an object says what an exception or another program said, or is made where one was caught."""
    values = (
        value,
        *(value.contents or {}).values(),
        *(each.value for each in here.event.iter_outwards() if each.value),
    )
    return here.is_under("handles") or any(part.origin in OUTSIDE for each in values for part in each.labels)


# Labels of what comes from outside, where a failure is no mistake of the caller.
OUTSIDE = frozenset({"exception", "network", "command", "database"})


class _FoundUses(NamedTuple):
    """What a function does with a value: reads of it, whether it asks for a failure, whether it is handed on whole."""

    reads: list[Text]
    is_asked: bool
    is_handed_on: bool


def _use(call: Occurrence, inner: Trace, kinds: frozenset[str]) -> Text | None:
    """Return where a function takes what a call gave for a success, None if it does not, or may look."""
    event, terms = call.event, frozenset(collect_result_terms(call))
    after = [each for each in inner.events if each is not event]
    loops = [each for each in after if isinstance(each, Looped) and each.value.term in terms]
    found = _get_found(after, terms)
    if found.is_asked or _spreads(inner):
        return None
    well = next((each for each in after if isinstance(each, Returned) and _is_well_with(each.value, terms)), None)
    if well is not None:
        return well.code.extract_text(well.given)
    if found.is_handed_on:
        return None
    if loops and "list" in kinds:
        inside = _get_found(
            [each for each in after if _is_in(each, loops)], frozenset(each.element.term for each in loops)
        )
        return inside.reads[0] if inside.reads and not inside.is_asked and not inside.is_handed_on else None
    return found.reads[0] if found.reads and not loops and "object" in kinds else None


def _spreads(trace: Trace) -> bool:
    """Return whether a function lays an object over another: what that then holds is not seen."""
    inner = (each for one in ir.iter_statements(trace.code.body) for each in ir.iter_expressions(one))
    return any(isinstance(each, ir.Record) and any(key is None for key, _ in each.entries) for each in inner)


def _is_in(event: Event, loops: list[Looped]) -> bool:
    return any(each.condition == "loop" and any(each.at == one.at for one in loops) for each in event.iter_outwards())


def _get_found(events: list[Event], terms: frozenset[Term]) -> _FoundUses:
    reads, is_asked, is_handed_on = list[Text](), False, False
    for event in events:
        match event:
            case Called(receiver=Value() as owner) if owner.term in terms:
                key = event.arguments[0].text if event.arguments and event.path.endswith(".get") else None
                is_asked = is_asked or key is None or FAILURE.match(key) is not None
                reads.append(event.text)
            case Indexed(owner=owner, key=key) if owner.term in terms:
                is_asked = is_asked or key.text is None or FAILURE.match(key.text) is not None
                reads.append(event.text)
            case Looped() | Tested():
                pass
            case Called() | Returned() | Raised() | Stored() | Obscured() | Captured() | Entered():
                values = event.given.values() if isinstance(event, Entered) else event.values
                is_held = any(part.term in terms for each in values for part in _iter_held(each))
                is_handed_on = is_handed_on or (
                    is_held and not any(_is_chosen(each, terms) for each in event.iter_outwards())
                )
        is_asked = is_asked or any(_asks(each, terms) for each in iter_nested_values(event.values))
    return _FoundUses(reads, is_asked, is_handed_on)


def _iter_held(value: Value) -> Iterator[Value]:
    """Yield a value, what it holds, may be, or is made of as a whole, but not what is read of it."""
    waiting = [value]
    for number in range(MOST):
        if number == len(waiting):
            return
        each = waiting[number]
        yield each
        waiting += (each.contents or {}).values()
        match each.meaning:
            case ConditionalValue(then=then, otherwise=otherwise):
                waiting += (then, otherwise)
            case Made(by, of) if by not in READING and not by.startswith(".") and not by.endswith(".get"):
                waiting += of


# An entry is another thing than the object that it is taken out of.
READING = frozenset({"item", "element"})
# How many values one test is followed back through, so that long chains of conditions end.
MOST = 48


def _is_chosen(context: Context, terms: frozenset[Term]) -> bool:
    """Return whether a test asks for what something holds, so that what says that it failed does not come there."""
    if context.condition != "test" or context.value is None:
        return False
    return any(
        isinstance(each.meaning, Made) and any(one.term in terms for one in each.meaning.of)
        for each in iter_nested_values((context.value,))
    )


def _asks(value: Value, terms: frozenset[Term]) -> bool:
    match value.meaning:
        case Relation("in" | "kind" | "==" | "is", left, right):
            return left.term in terms or (right is not None and right.term in terms)
    return False


def _is_well_with(value: Value, terms: frozenset[Term]) -> bool:
    """Return whether an object says that all is well, and holds some value."""
    said = index_by_name(value)
    is_well = any(
        name in said and any(said[name].constant == (type(each), each) for each in values)
        for name, values in WELL.items()
    )
    return is_well and any(each.term in terms for each in said.values())
