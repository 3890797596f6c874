"""Calls of the project's own functions whose results nobody reads, and those of them of which the result is all that counts.

Whether a result is read is told by the code of who calls, not by values: a result that is joined with others in a loop is still
read. What only gives it on, as `.ok()` and `drop` do, reads it as little as an assignment to a name that nobody reads.
"""

from collections.abc import Iterable, Iterator

from reviewer.code import ir
from reviewer.code.calls import RECURSION
from reviewer.code.events import Called, Cut, Entered, Obscured, Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.ir import Variable
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_constants
from reviewer.code.values import Value, find_original_term, get_term_head, is_empty_tuple
from reviewer.source import Span, Text

PASSING = frozenset({"without reason", "copied", "cloned"})
"""What models call functions that give what they are given, or let it go."""


def iter_unread_checks(traces: Iterable[Trace], program: Program) -> Iterator[Text]:
    """Yield the calls of checks, which only say whether something is allowed, whose result is ignored."""
    seen = set[Span]()
    # many tools come to the same functions, which are asked once
    for trace in dict.fromkeys(trace for whole in traces for trace in whole.list_traces()):
        for call in iter_unread(trace, program.models):
            span = call.text.span
            if span not in seen and _is_check(call.trace, program.models):
                seen.add(span)
                yield call.text


def iter_unread(trace: Trace, models: Models) -> Iterator[Entered]:
    """Yield the calls in one function of other project functions whose results are ignored."""
    # what a library runs gives its result to the library, as the closure in `rows.retain(..)` does
    calls = [each for each in trace.events if isinstance(each, Entered) and each.trace.code.around is None]
    targets = {each.at: each.target for each in ir.iter_calls(trace.code.body)} if calls else {}
    read = _collect_used_variables(trace, models) if targets else frozenset()
    yield from (each for each in calls if each.at in targets and targets[each.at] not in read)


def _collect_used_variables(trace: Trace, models: Models) -> frozenset[Variable]:
    """Return the variables of a function that something is done with."""
    passing = {each.at for each in trace.events if isinstance(each, Called) and _passes(each, models)}
    read = {
        each
        for inner in ir.iter_codes(trace.code)
        if inner is not trace.code
        for each in ir.collect_read_variables(inner)
    }
    if trace.code.around is not None:
        read |= ir.collect_read_variables(trace.code.around)
    given: dict[Variable, set[Variable]] = {}
    for statement in ir.iter_statements(trace.code.body):
        found = {each.variable for each in ir.iter_expressions(statement) if isinstance(each, ir.Read)}
        match statement:
            case ir.Evaluate():
                pass
            case ir.Assign(target=target) | ir.Await(target=target):
                given.setdefault(target, set()).update(found)
            case ir.Call(target=target, at=at) if at in passing:
                given.setdefault(target, set()).update(found)
            case _:
                read |= found
    pending = list(read)
    for each in pending:
        pending += [new for new in given.get(each, ()) if new not in read]
        read |= given.get(each, set())
    return frozenset(read)


def _passes(call: Called, models: Models) -> bool:
    row = models.find_model(call.path) if call.path and not call.followed else None
    return row is not None and (row.returns in PASSING or "frees" in row.acts)


def _is_check(trace: Trace, models: Models) -> bool:
    """Return whether a function may say yes or no, by True and False or by failing, and does nothing else."""
    ends = [each for each in trace.events if isinstance(each, Returned)]
    if not ends or any(isinstance(each, ir.Yield) for each in ir.iter_statements(trace.code.body)):
        return False
    saying = [each for each in ends if each.value.failure is None]
    if len(saying) < len(ends):
        return (
            bool(saying) and all(is_empty_tuple(each.value) for each in saying) and _is_harmless(trace, models, FAILING)
        )
    return all(map(_is_truth, ends)) and not _is_fixed(ends) and _is_harmless(trace, models, frozenset())


def _is_truth(end: Returned) -> bool:
    """Return whether a function gives True or False there: one of the two, or what a comparison says."""
    constants = infer_constants(end.value, end.facts)
    if constants is not None:
        return all(kind is bool for kind, _ in constants)
    declared = end.code.returns
    return declared is not None and declared.text.strip() == "bool"


def _is_fixed(ends: list[Returned]) -> bool:
    """Return whether a function always gives the same."""
    found = [infer_constants(each.value, each.facts) for each in ends]
    return len({each for one in found if one is not None for each in one}) < 2 and None not in found


def _is_harmless(trace: Trace, models: Models, acts: frozenset[str]) -> bool:
    """Return whether a function, and those it calls, certainly only computes a result, apart from some acts."""
    if any(each.reason != RECURSION for each in trace.iter_omissions()):
        return False
    return not any(_may_change(each, models, acts) for each in trace.iter_occurrences())


CHANGING = frozenset(
    {
        "nothing", "called", "task", "written", "extended", "appended", "removed", "emptied", "retained",
        "kept entry", "pointed", "drained", "taken",
    }
)  # fmt: skip
"""What models say of functions that change their receiver, or about whose effects nothing is known."""

FIXED = ("str.", "bytes.", "int.", "float.", "bool.", "tuple.", "frozenset.")
"""Types whose objects never change, so that no method of theirs does more than give something."""

FAILING = frozenset({"parses", "deserialises", "decodes", "fails", "validates", "checks path"})
"""Acts of functions of which only the result counts, if a failure is a result: an exception would leave the caller."""


def _may_change(here: Occurrence, models: Models, acts: frozenset[str]) -> bool:
    match here.event:
        case Called(followed=False) as event:
            row = models.find_model(event.path) if event.path else None
            if row is None and event.path.startswith(FIXED):
                return False
            return row is None or row.returns in CHANGING or not acts.issuperset(row.acts)
        case Stored(owner=owner):
            return not _is_own(owner)
        case Raised() | Obscured() | Cut():
            return True
    return False


def _is_own(owner: Value) -> bool:
    """Return whether an object was made by the function that writes into it."""
    return get_term_head(find_original_term(owner.term)) == "new"
