"""Calls that do nothing: what they give has to be awaited, and nothing reads it."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Entered, Event, Occurrence, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.surroundings import SCOPES
from reviewer.code.values import Function, Thing, is_function
from reviewer.facts import ActKind


def iter_never_awaited(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls of `async` functions whose results nothing reads, so that nothing can wait for them.

    Where such calls begin at once, those that may fail.
    """
    kind: ActKind = "never awaited" if program.begins_async else "never runs"
    for each in trace.iter_matching(_does_nothing, program, kinds=(Called,)):
        if not each.is_possible() or (
            program.begins_async and (_is_apart(each) or not _may_fail(each, trace, program))
        ):
            continue
        yield RunFinding(kind, each)


def _is_apart(occurrence: Occurrence) -> bool:
    """Return whether something is done in a task, or for what somebody tells: the call is over then."""
    return any(occurrence.is_under(each) for each in ("task", "thread", "signal"))


def _does_nothing(event: Event, program: Program) -> bool:
    if not isinstance(event, Called) or not event.written:
        return False
    if program.models.has_trait(event.path, "drops results") and not event.followed:
        return any(is_function(each) and _is_async(each.things) for each in event.arguments)
    return _runs_later(event, program) and event.at in _collect_unread(event, program)


def _runs_later(event: Called, program: Program) -> bool:
    """Return whether a call certainly does nothing until its result is awaited."""
    if event.followed:
        return bool(event.callee.things) and _is_async(event.callee.things)
    return "needs await" in collect_acts(event, program.models)


def _is_async(called: Iterable[Thing]) -> bool:
    """Return whether all of some functions certainly are `async`."""
    return all(isinstance(each, Function) and each.code.is_async and not each.code.is_generator for each in called)


def _may_fail(here: Occurrence, whole: Trace, program: Program) -> bool:
    """Return whether something may fail in what a call runs, outside of what takes failures; a library's function may."""
    assert isinstance(here.event, Called)
    events = here.find_own_trace(whole).events
    entered = [each.trace for each in events if isinstance(each, Entered) and each.at == here.event.at]
    if not entered:
        return "needs await" in collect_acts(here.event, program.models)
    return any(
        _fails(each.event, program) and not each.is_under("catches")
        for trace in entered
        for each in trace.iter_occurrences(kinds=(Called,))
    )


def _fails(event: Event, program: Program) -> bool:
    if not isinstance(event, Called) or event.followed:
        return False
    is_known = program.models.find_model(event.path) is not None or program.is_standard(event.path)
    return not is_known or "fails" in collect_acts(event, program.models)


def _collect_unread(event: Called, program: Program) -> frozenset[Site]:
    """Return the calls of a code whose results nothing reads, found once."""
    key = ("unread results", event.code)
    if key not in program.found:
        program.found[key] = frozenset(_iter_sites(event.code))
    found: frozenset[Site] = program.found[key]
    return found


def _iter_sites(code: Code) -> Iterator[Site]:
    outermost = code
    while outermost.around is not None and outermost.around.kind in SCOPES:
        outermost = outermost.around
    read = ir.collect_read_variables(outermost)
    kept = {
        each.value.variable: each.target
        for each in ir.iter_statements(code.body)
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Read)
    }
    for each in ir.iter_calls(code.body):
        if kept.get(each.target, each.target) not in read:
            yield each.at
