"""Work that no cancellation reaches: a thread that sleeps repeatedly and checks nothing, a coroutine that is shielded."""

from collections.abc import Iterator

from reviewer.behaviour.concurrency.cancellation import takes_cancellation
from reviewer.behaviour.concurrency.lifetimes import STOPPING
from reviewer.behaviour.concurrency.stop_signals import StopChecks, find_stop_checks, holds_check
from reviewer.behaviour.concurrency.waiting import AGAIN, is_brief
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.loops import LoopSite, iter_loops_around
from reviewer.code.acts import collect_acts
from reviewer.code.events import Awaited, Called, Event, Occurrence, Tested, Trace
from reviewer.code.given import Pending
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program

WAITING = frozenset({"sleeps", "network", "runs command"})
"""What takes its time wherever it is done."""


def iter_unreachable_work(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the loops of threads that sleep in each round, and the coroutines that are shielded: they go on when a call ends."""
    loops = list(_iter_for_threads(trace, program)) if "sleeps" in trace.acts else []
    yield from loops
    if "shields" in trace.acts:
        yield from _iter_shielded_work(trace, program, [each.occurrence for each in loops])


def _iter_for_threads(trace: Trace, program: Program) -> Iterator[RunFinding]:
    waiting: dict[LoopSite, Occurrence] = {}
    checking: set[LoopSite] = set()
    occurrences = list(trace.iter_occurrences(kinds=(Called, Tested)))
    threads = _InThreads()
    checks = find_stop_checks(trace, program)
    waited = {
        (each.event.code, each.event.at) for each in occurrences if "waits" in collect_acts(each.event, program.models)
    }
    for each in occurrences:
        if each not in threads:
            continue
        if _asks_to_stop(each.event, checks, program):
            checking.update(around.loop for around in iter_loops_around(each))
        elif _pauses(each.event, checks, program) and each.is_possible():
            for around in iter_loops_around(each):
                begun = _collect_threads_around(around.inner)
                # one that nobody waits for and that goes round as long as it likes is a service, and no work of the call
                if begun and (around.context.value is not None or not begun.isdisjoint(waited)):
                    waiting[around.loop] = each
    yield from (
        RunFinding("ignores cancellation", each, loop.code.extract_text(loop.at))
        for loop, each in waiting.items()
        if loop not in checking and AGAIN.search(loop.code.source.data, loop.at.start, loop.at.end) is None
    )


def _asks_to_stop(event: Event, checks: StopChecks, program: Program) -> bool:
    """Return whether code asks whether it is to end: a signal that somebody may give, or something that is worded so."""
    if holds_check(event.code, event.at, checks.ineffective):
        return False
    return (
        holds_check(event.code, event.at, checks.effective)
        or "checks cancellation" in collect_acts(event, program.models)
        or STOPPING.search(str(event.text)) is not None
    )


def _pauses(event: Event, checks: StopChecks, program: Program) -> bool:
    """Return whether a thread pauses: it sleeps, or waits for a signal that nobody ever gives."""
    acts = collect_acts(event, program.models)
    if "sleeps" not in acts and not holds_check(event.code, event.at, checks.ineffective):
        return False
    return "blocks" in acts and not is_brief(event)


class _InThreads:
    """What happens in threads. Whether a call does is found once for all that it leads to."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def __contains__(self, occurrence: Occurrence) -> bool:
        return any(each.condition == "thread" for each in occurrence.event.iter_outwards()) or self._is_led(
            occurrence.caller
        )

    def _is_led(self, call: Occurrence | None) -> bool:
        if call is None:
            return False
        known = self._known.get(id(call))
        if known is None:
            known = self._known[id(call)] = call in self
        return known


def _collect_threads_around(inner: Occurrence) -> set[tuple[Code, Site]]:
    """Return the calls that begin the threads in which a loop runs: not those that it begins itself in each round."""
    return {
        (here.event.code, around.at)
        for here in inner.iter_outwards()
        if here.event.code is not inner.event.code
        for around in here.event.iter_outwards()
        if around.condition == "thread"
    }


def _iter_shielded_work(trace: Trace, program: Program, told: list[Occurrence]) -> Iterator[RunFinding]:
    """Yield the calls that shield what takes its time, without the threads of which a loop is `told` already."""
    for each in trace.iter_occurrences(kinds=(Called,)):
        event = each.event
        if not isinstance(event, Called) or "shields" not in collect_acts(event, program.models):
            continue
        if not event.arguments:
            yield from _iter_for_scope(each, trace, program)
            continue
        work = event.arguments[0].awaits
        if _is_minded(each, program):
            continue
        if program.models.get_model(event.path).runs == "in thread":
            lasting = (here for here in trace.iter_occurrences(kinds=(Called,)) if _is_in_thread_of(here, event))
            is_told = any(_is_in_thread_of(here, event) for here in told)
            if not is_told and any(_takes_time(here.event, program) for here in lasting):
                yield RunFinding("ignores cancellation", each)
            continue
        if not isinstance(work, Pending):
            begun = event.arguments[0].term
            calls = (here.event for here in trace.iter_occurrences(kinds=(Called,)) if isinstance(here.event, Called))
            if any(here.result.term == begun and _takes_time(here, program) for here in calls):
                yield RunFinding("ignores cancellation", each)
            continue
        lasting = (here for here in trace.iter_occurrences(kinds=(Called, Awaited)) if _is_called_by(here, work))
        if any(_takes_time(here.event, program) for here in lasting):
            yield RunFinding("ignores cancellation", each)


def _iter_for_scope(scope: Occurrence, trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield a scope that is shielded, if what is done in it takes its time."""
    assert isinstance(scope.event, Called)
    term = scope.event.result.term
    if _is_minded(scope, program):
        return
    for here in trace.iter_occurrences(kinds=(Called,)):
        if _takes_time(here.event, program):
            around = (each for place in here.iter_outwards() for each in place.event.iter_outwards())
            if any(
                each.condition == "manager" and each.value is not None and each.value.term == term for each in around
            ):
                yield RunFinding("ignores cancellation", scope)
                return


def _takes_time(event: Event, program: Program) -> bool:
    """Return whether something takes its time, or waits for a command that does."""
    if not isinstance(event, Called):
        return False
    acts = collect_acts(event, program.models)
    return bool(WAITING & acts) or ("waits" in acts and "command" in program.models.get_model(event.path).labels)


def _is_called_by(here: Occurrence, work: Pending) -> bool:
    return any(each.event.code is work.function.code for each in here.iter_outwards())


def _is_in_thread_of(here: Occurrence, begun: Called) -> bool:
    """Return whether something is done in the thread that a call begins."""
    return any(
        around.condition == "thread" and around.at == begun.at and place.event.code is begun.code
        for place in here.iter_outwards()
        for around in place.event.iter_outwards()
    )


def _is_minded(here: Occurrence, program: Program) -> bool:
    """Return whether code cleans up there, or does something itself about the cancellation of what it waits for."""
    for current in here.iter_outwards():
        for each in current.event.iter_outwards():
            if each.condition in ("always", "handles"):
                return True
            if each.condition in ("catches", "manager") and takes_cancellation(program, each):
                return True
    return False
