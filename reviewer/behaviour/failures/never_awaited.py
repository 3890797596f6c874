"""Calls that do nothing: what they give has to be awaited, and nothing reads it."""

from collections.abc import Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Event, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.surroundings import SCOPES
from reviewer.code.values import Function


def iter_never_awaited(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls of `async` functions whose results nothing reads, so that nothing can wait for them."""
    for each in trace.iter_matching(_does_nothing, program, kinds=(Called,)):
        if each.is_possible():
            yield RunFinding("never runs", each)


def _does_nothing(event: Event, program: Program) -> bool:
    return (
        isinstance(event, Called)
        and event.written
        and _runs_later(event, program)
        and event.at in _collect_unread(event, program)
    )


def _runs_later(event: Called, program: Program) -> bool:
    """Return whether a call certainly does nothing until its result is awaited."""
    if event.followed:
        called = event.callee.things
        return bool(called) and all(
            isinstance(each, Function) and each.code.is_async and not each.code.is_generator for each in called
        )
    return "needs await" in collect_acts(event, program.models)


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
