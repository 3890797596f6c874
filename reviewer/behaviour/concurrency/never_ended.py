"""Endless work in threads and kept tasks that a call starts and nothing ends."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.concurrency.kept_handles import collect_kept_names, is_let_go, is_putting, may_be_ended
from reviewer.behaviour.concurrency.lifetimes import PUTTING, STOPPING, iter_begun_labels, iter_left_tasks
from reviewer.behaviour.concurrency.loop_exits import goes_on_for_ever
from reviewer.behaviour.concurrency.stop_signals import collect_ineffective_checks, holds_check
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.loops import Around, LoopSite, extract_first_line, iter_loops_around
from reviewer.code import ir
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import Awaited, Called, Event, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import Label, Term, Value, strip_negations

SHORTEST = 0.05
"""Seconds of a sleep between two rounds: what sleeps for less waits for something that comes soon."""

ENDING = frozenset({"checks cancellation", "exits", "aborts"})
"""What is done by a loop that asks whether it is to end, or ends everything."""


class Begun(NamedTuple):
    """Where work is begun beside the call: the call that begins it, and what is around that."""

    call: Occurrence
    at: Site
    is_thread: bool


def iter_never_ended(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the places where a call starts background work that nothing ends, with its endless sleeping loop as
    `about`.
    """
    if trace.acts.isdisjoint({"sleeps", "blocks"}):
        return
    ineffective = collect_ineffective_checks(trace, program)
    endless: dict[tuple[Code, Site], tuple[Begun, Around]] = {}
    checking: set[LoopSite] = set()
    within: dict[tuple[Code, Site], set[Code]] = {}
    for each in trace.list_occurrences(kinds=(Called, Tested)):
        event = each.event
        acts = collect_acts(event, program.models)
        begun = find_begun(each)
        if begun is not None:
            within.setdefault((begun.call.event.code, begun.at), set()).add(event.code)
        if holds_check(event.code, event.at, ineffective):
            is_pause = isinstance(event, Called) and event.path.rpartition(".")[2] == "wait"
        elif not acts.isdisjoint(ENDING) or STOPPING.search(str(event.text)) is not None:
            checking.update(around.loop for around in iter_loops_around(each))
            continue
        else:
            is_pause = "sleeps" in acts and not _is_momentary(event)
        for around in iter_loops_around(each) if is_pause and each.is_possible() else ():
            begun = find_begun(around.inner)
            if begun is not None and goes_on_for_ever(around.loop, ineffective):
                endless.setdefault((begun.call.event.code, begun.at), (begun, around))
    for key, (begun, around) in endless.items():
        if around.loop not in checking and _is_left(begun, trace, program, frozenset(within.get(key, ()))):
            code, at = around.loop
            yield RunFinding(
                "never ends", begun.call, begun.call.event.code.extract_text(begun.at), extract_first_line(code, at)
            )


def _is_momentary(sleep: Event) -> bool:
    time = sleep.find_argument(0, "seconds", "secs", "delay") if isinstance(sleep, Called) else None
    return time is not None and infer_interval(time, sleep.facts).high < SHORTEST


def find_begun(inner: Occurrence) -> Begun | None:
    """Return the call by which the work was begun beside the tool's call that an event is part of, None if it is none."""
    for here in inner.iter_outwards():
        for around in here.event.iter_outwards():
            if around.condition in ("thread", "task") and here.event.code is not inner.event.code:
                return Begun(here, around.at, around.condition == "thread")
    return None


def is_begun_once(call: Occurrence, trace: Trace) -> bool:
    """Return whether a test of what the server remembers decides that work is begun, so that no other call begins it again.

    What it remembers under a name that the client says is no such thing: each name has work of its own.
    """
    tested = {
        strip_negations(each.event.value, True)[0].term
        for each in trace.list_occurrences(kinds=(Tested,))
        if isinstance(each.event, Tested)
    }
    for here in call.iter_outwards():
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None and _is_of_server(here, each.value):
                return True
        if any(term in tested and _is_shared(term) for term in here.event.facts):
            return True
        if not isinstance(here.event, Called) and ONCE.intersection(_iter_callee_names(here)):
            return True
    return False


ONCE = frozenset({"get_or_init", "get_or_try_init", "call_once", "get_or_insert_with", "LazyLock", "Lazy"})
"""Methods that call what they are handed only once."""


def _iter_callee_names(here: Occurrence) -> Iterator[str]:
    for call in ir.iter_calls(here.event.code.body, here.event.at):
        match call.callee:
            case ir.Field(name=name):
                yield name
            case ir.Global(path=path):
                yield from path


def _is_of_server(here: Occurrence, test: Value) -> bool:
    asked, _ = strip_negations(test, True)
    return _is_shared(asked.term) and not any(
        each.origin in ("argument", "request") for each in here.resolve_labels(asked)
    )


def _is_shared(term: Term) -> bool:
    """Return whether a term is of what calls share, and of nothing that a client says."""
    words = set(_iter_words(term))
    return not words.isdisjoint({"field", "global"}) and "argument" not in words


def _iter_words(term: object) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple) and term[:1] != ("constant",):
        for each in term:
            yield from _iter_words(each)


def _is_left(begun: Begun, trace: Trace, program: Program, own: frozenset[Code]) -> bool:
    """Return whether nothing ends work that goes on forever: a thread, or a task kept under names that nothing stops.

    Work that is started once for all calls may be meant to last as long as the server, unless the project drops it.
    `own` are the functions that the work runs.
    """
    if begun.is_thread:
        return not is_begun_once(begun.call, trace)
    calls = [
        each
        for each in trace.list_occurrences(kinds=(Called,))
        if each.event.code is begun.call.event.code and each.event.at == begun.at
    ]
    labels = {
        label
        for each in calls
        if isinstance(each.event, Called)
        for label in iter_begun_labels(each, each.event.result)
    }
    names = _find_keepers(labels, trace, program) if labels else None
    if names is None or any(may_be_ended(each, program, own) for each in names):
        return False
    if not names and any(
        each.occurrence.event in {call.event for call in calls} for each in iter_left_tasks(trace, program)
    ):
        return False  # it is told already that nobody has it
    return not is_begun_once(begun.call, trace) or any(is_let_go(each, program, own) for each in names)


def _find_keepers(labels: set[Label], trace: Trace, program: Program) -> set[str] | None:
    """Return the names under which a task is kept, None if anything else is done with it."""
    names: set[str] = set()
    for each in trace.list_occurrences(kinds=(Called, Stored, Returned, Awaited)):
        event = each.event
        values = event.arguments if isinstance(event, Called) else event.values
        if labels.isdisjoint(label for value in values for label in iter_begun_labels(each, value)):
            continue
        match event:
            case Called(path=path) if find_modelled_return(event, program.models) in PUTTING or is_putting(path):
                names.update(collect_kept_names(event.code, event.at))
            case Called(followed=True):
                pass  # what it does with it is seen
            case Stored():
                names.update(collect_kept_names(event.code, event.at))
            case Returned() if each.caller is not None:
                pass
            case _:
                return None
    return names
