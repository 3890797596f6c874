"""What loops ask whether they are to end, and whether anybody ever says so: events, tokens, atomic flags, fields of objects."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.concurrency.kept_handles import (
    collect_kept_names,
    is_kept_alone,
    is_putting,
    is_told,
    may_be_ended,
)
from reviewer.behaviour.concurrency.lifetimes import PUTTING
from reviewer.code import ir
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Captured, Entered, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program, find_once
from reviewer.code.values import Class, Instance, Library, Term, Value, find_original_term, strip_negations

SIGNALS = (
    "threading.Event", "asyncio.Event", "anyio.Event", "trio.Event", "multiprocessing.Event", "std.sync.atomic.Atomic",
    "std.sync.atomic.AtomicBool", "tokio_util.sync.CancellationToken",
)  # fmt: skip
"""The types of what says that work is to end, which somebody has to say by a method."""

ASKING = frozenset({"is_set", "wait", "load", "is_cancelled", "cancelled", "cancelled_owned"})
"""Methods that ask one of these."""

SHARING = frozenset({"clone", "child_token", "as_ref"})
"""Methods that give it to others, of whom what they do is seen."""

SHELLS = frozenset({"std.sync.Arc.new", "std.sync.Arc.clone", "std.boxed.Box.new", "std.rc.Rc.new"})
"""Functions that hold what they are handed, and do nothing with it."""

CheckSites = frozenset[tuple[Code, Site]]
"""Where code asks whether it is to end."""


class StopChecks(NamedTuple):
    """Where code asks a signal of the project whether it is to end: one that somebody may give, or one that nobody ever does."""

    effective: CheckSites
    ineffective: CheckSites


def find_stop_checks(trace: Trace, program: Program) -> StopChecks:
    """Return the checks of stop signals, by whether anybody may give the signal.

    Nobody gives an event that is never set, a token that is never cancelled, and a field that is only written when its
    object is created.
    """

    def find() -> StopChecks:
        found = list(_iter_stop_checks(trace, program))
        return StopChecks(
            frozenset((code, at) for code, at, is_given in found if is_given),
            frozenset((code, at) for code, at, is_given in found if not is_given),
        )

    return find_once(program, trace, "stop checks", find)


def collect_ineffective_checks(trace: Trace, program: Program) -> CheckSites:
    """Return the checks of stop signals that are never given."""
    return find_stop_checks(trace, program).ineffective


def holds_check(code: Code, at: Site, checks: CheckSites) -> bool:
    """Return whether one of some checks is part of an expression."""
    return any(checking is code and at.holds(site) for checking, site in checks)


def _iter_stop_checks(trace: Trace, program: Program) -> Iterator[tuple[Code, Site, bool]]:
    """Yield the checks of stop signals, each with whether anybody may give the signal."""
    asked: dict[Term, list[Occurrence]] = {}
    for each in trace.list_occurrences(kinds=(Called, Tested)):
        event = each.event
        if isinstance(event, Called):
            if not event.followed and event.receiver is not None and event.path.rpartition(".")[2] in ASKING:
                value = each.trace_source(event.receiver)[1]
                if _is_signal(value) and _is_made_in(value.term, trace):
                    asked.setdefault(find_original_term(value.term), []).append(each)
                elif _is_signal(value):
                    yield event.code, event.at, _may_be_given(event, value, program)
        elif isinstance(event, Tested) and each.is_under("loop"):
            name = _get_field_name(each, event.value)
            if name:
                yield event.code, event.at, is_told(name, program, ASKING | SHARING)
    for term, looks in asked.items():
        is_given = _may_be_said(term, trace, program)
        yield from ((each.event.code, each.event.at, is_given) for each in looks)


def _may_be_given(asking: Called, signal: Value, program: Program) -> bool:
    """Return whether anybody may give a signal that was there before the call: one that a module or an object keeps."""
    owner = _find_asked(asking)
    match signal.term, owner:
        case (("entry", _, (str() as name,)) | ("field", _, str() as name), _) | (_, ir.Field(name=name)):
            return not is_kept_alone(name, program) or is_told(name, program, ASKING | SHARING)
        case _, ir.Global(path=(*_, name)):
            return is_told(name, program, ASKING | SHARING)
    return True


def _find_asked(asking: Called) -> ir.Expression | None:
    """Return the signal that a call asks, as it is written: `self.stop` of `self.stop.is_set()`."""
    calls = (each for each in ir.iter_calls(asking.code.body) if each.at == asking.at)
    return next((each.callee.owner for each in calls if isinstance(each.callee, ir.Field)), None)


def _is_signal(value: Value) -> bool:
    made = [each.of for each in value.things if isinstance(each, Instance)]
    return bool(made) and all(isinstance(each, Library) and each.path in SIGNALS for each in made)


def _is_made_in(term: Term, trace: Trace) -> bool:
    """Return whether a call of the trace made a value, so that all who have it were handed it there."""
    term = find_original_term(term)
    return isinstance(term, tuple) and term[:1] in (("call",), ("new",)) and term[1] in trace.collect_codes()


def _get_field_name(here: Occurrence, test: Value) -> str:
    """Return the name of the field of an object of the project that a test asks, empty if it asks anything else."""
    asked, _ = strip_negations(test, True)
    match asked.term:
        case ("entry", owner, (str() as name,)) | ("field", owner, str() as name):
            of = _find_owner(here, owner)
            return name if of is not None and any(_is_of_project(each) for each in of.things) else ""
    return ""


def _find_owner(here: Occurrence, owner: Term) -> Value | None:
    """Return the object that a method of its own is called on, as its caller has it."""
    caller = here.caller.event if here.caller is not None else None
    return caller.given.get(owner) if isinstance(caller, Entered) else None


def _is_of_project(thing: object) -> bool:
    return isinstance(thing, Instance) and isinstance(thing.of, Class)


def _may_be_said(term: Term, trace: Trace, program: Program) -> bool:
    """Return whether anything is done with a signal by which somebody may say that work is to end."""
    for each in trace.list_occurrences(kinds=(Called, Captured, Returned, Stored)):
        match each.event:
            case Stored(owner=owner, value=value):
                is_said = _is_derived_from(each, owner, term) or (
                    _is_derived_from(each, value, term) and _may_be_said_by_name(each, program)
                )
            case Called(followed=True):
                is_said = False
            case Called() as call:
                is_said = _may_say(each, call, term, trace, program)
            case Captured(inner=inner) as event:
                is_said = inner not in trace.collect_codes() and any(
                    _is_derived_from(each, value, term) for value in event.values
                )
            case event:
                is_said = each.caller is None and any(_is_derived_from(each, value, term) for value in event.values)
        if is_said:
            return True
    return False


def _may_say(here: Occurrence, call: Called, term: Term, trace: Trace, program: Program) -> bool:
    """Return whether a call says that work is to end, or hands the signal to what may."""
    if call.receiver is not None and _is_derived_from(here, call.receiver, term):
        return call.path.rpartition(".")[2] not in ASKING | SHARING
    if not any(_is_derived_from(here, value, term) for value in call.values):
        return False
    if find_modelled_return(call, program.models) in PUTTING or is_putting(call.path):
        return _may_be_said_by_name(here, program)
    return call.path not in SHELLS and not program.models.get_model(call.path).runs and not _is_made(call, trace)


def _is_derived_from(here: Occurrence, value: Value, term: Term) -> bool:
    return find_original_term(here.trace_source(value)[1].term) == term


def _is_made(call: Called, trace: Trace) -> bool:
    """Return whether a call makes an object of the project's, whose constructor was followed."""
    return any(_is_of_project(each) for each in call.result.things) and any(
        isinstance(each.event, Entered) and each.event.trace.code.name == "__init__"
        for each in trace.list_occurrences(kinds=(Entered,))
        if each.event.code is call.code and each.event.at == call.at
    )


def _may_be_said_by_name(here: Occurrence, program: Program) -> bool:
    names = collect_kept_names(here.event.code, here.event.at)
    return not names or any(may_be_ended(each, program) for each in names)
