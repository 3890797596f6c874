"""Failures of what serves that are taken on the way out, so that the process ends as if all was well."""

import re
from collections.abc import Iterable, Iterator

from reviewer.behaviour.results.answers import collect_result_terms
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Assigned,
    Called,
    Caught,
    Context,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Trace,
)
from reviewer.code.ir import Site
from reviewer.code.kinds import takes_any
from reviewer.code.models import ActName
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import ABSENT, ConditionalValue, Library, Module, Value
from reviewer.source import Text
from reviewer.text.patterns import pattern

TELLING = frozenset[ActName](
    {"exits", "ends process", "aborts", "panics", "panics on failure",
     "serves stdio", "serves sse", "serves http", "serves", "serves by name"}
)  # fmt: skip
"""Acts by which code says how the process ends, or serves in another way instead."""

MAY_TELL = pattern(r"exit|abort|quit|kill|fail|die|raise|panic|restart|retry|status", re.IGNORECASE)
"""Words in the names of unknown calls that may decide how the process ends: `ctx.exit(1)`."""


def find_quiet_end(ways: Iterable[Occurrence], traces: Iterable[Trace], program: Program) -> Text | None:
    """Return where a failure of what serves is taken on all ways to it, so that the process ends with status 0, else None."""
    found = list[Text | None]()
    for way in ways:
        begun = next(each for each in way.iter_outwards() if each.caller is None).event
        whole = next((each for each in traces if any(one is begun for one in each.events)), None)
        if whole is not None and program.raises:
            found.append(_Ending(whole, program, way).find_catching_clause(way))
        elif whole is not None and whole.code.name == "main":  # a test or another crate may begin elsewhere
            found.append(_Ending(whole, program, way).find_dropping_call(way))
    return found[0] if found and all(found) else None


class _Ending:
    def __init__(self, whole: Trace, program: Program, way: Occurrence) -> None:
        self._whole, self._program = whole, program
        self._passed = {each.event.trace.code for each in way.iter_outwards() if isinstance(each.event, Entered)}

    def find_catching_clause(self, way: Occurrence) -> Text | None:
        """Return the clause that takes any exception of what serves, after which the process ends as it would without one."""
        for here in way.iter_outwards():
            events = here.find_own_trace(self._whole).events
            if any(each.condition in ("loop", "thread", "task", "signal") for each in here.event.iter_outwards()):
                return None  # it may be tried again, or somebody else may look after it
            for around in here.event.iter_outwards():
                clause = self._find_clause(around, events) if around.condition == "catches" else None
                if clause is None:
                    continue
                inside = [
                    one
                    for each in events
                    if each.is_in_clause(clause.at)
                    for one in _iter_written_there(each, clause.at)
                ]
                if any(isinstance(each, Raised) for each in inside):
                    continue  # the next one has it
                after = [each for each in events if each.at.start >= around.at.end]
                if any(map(self._may_report_failure, (*inside, *after))) or self._is_told_later(here):
                    return None
                return clause.code.extract_text(clause.head)
        return None

    def _find_clause(self, around: Context, events: Iterable[Event]) -> Caught | None:
        found = (each for each in events if isinstance(each, Caught) and each.tried == around.at)
        return next(
            (each for each in found if takes_any(self._program, Context("handles", each.at, types=each.types))), None
        )

    def find_dropping_call(self, way: Occurrence) -> Text | None:
        """Return the call of a serving function that may fail, if its failure is not passed on to the end of the
        process.
        """
        fails = False
        for here in way.iter_outwards():
            events = here.find_own_trace(self._whole).events
            if fails:
                after = [
                    each for each in events if each.at.end >= here.event.at.start and _may_follow(each, here.event)
                ]
                if any(each.condition == "loop" for each in here.event.iter_outwards()):
                    return None
                if any(self._ends(each) for each in after):
                    return None
                if not any(_hands_on(each, here) for each in after):
                    return None if self._is_told_later(here) else here.event.text
            fails = any(isinstance(each, Returned) and infer_failure(each.value, each.facts) for each in events) or (
                fails and any(_hands_on(each, here) for each in events)
            )
        return None

    def _is_told_later(self, here: Occurrence) -> bool:
        """Return whether a caller says how the process ends: what it does after the call, or with what that gives."""
        for each in list(here.iter_outwards())[1:]:
            events = each.find_own_trace(self._whole).events
            if any(one.condition == "loop" for one in each.event.iter_outwards()):
                return True
            after = (one for one in events if one.at.start >= each.event.at.end and _follows(one, each.event))
            if any(isinstance(one, Raised) or self._gives_status(one) or self._ends(one) for one in after):
                return True
            around = (one for one in events if one.at.start <= each.event.at.start and each.event.at.end < one.at.end)
            if any(self._ends(one) and not self._is_handed(one, each) for one in around):
                return True
        return False

    def _is_handed(self, event: Event, here: Occurrence) -> bool:
        """Return whether a call that ends the process is handed just what a function gives: `sys.exit(main())`."""
        terms = set(collect_result_terms(here))
        return any(each.term in terms and not isinstance(each.meaning, ConditionalValue) for each in event.values)

    def _may_report_failure(self, event: Event) -> bool:
        """Return whether an event may let somebody know that something failed."""
        if isinstance(event, Assigned):
            return not all(isinstance(each, Library | Module) for each in event.value.things) or not event.value.things
        return isinstance(event, Raised | Stored) or self._gives_status(event) or self._ends(event)

    def _gives_status(self, event: Event) -> bool:
        """Return whether a function gives something that may become a status: a number in Python, a failure in Rust."""
        if not isinstance(event, Returned):
            return False
        return event.value.constants != ABSENT if self._program.raises else event.value.failure is not None

    def _ends(self, event: Event) -> bool:
        if isinstance(event, Entered):
            return event.trace.code not in self._passed and event.trace.leads_to(may_end, self._program)
        return may_end(event, self._program)


def _iter_written_there(event: Event, at: Site) -> Iterator[Event]:
    """Yield an event, and those of the function that it runs if that is written in the clause itself: `.catch((e) => …)`."""
    yield event
    if isinstance(event, Entered) and at.start <= event.trace.code.at.start and event.trace.code.at.end <= at.end:
        yield from (each for each in event.trace.events if not isinstance(each, Returned))


def may_end(event: Event, program: Program) -> bool:
    """Return whether an event says how the process ends, may do so, or serves."""
    if not isinstance(event, Called) or event.followed:
        return False
    acts = collect_acts(event, program.models)
    is_known = bool(acts) or program.models.find_model(event.path) is not None
    return not TELLING.isdisjoint(acts) or (not is_known and MAY_TELL.search(event.path or event.text) is not None)


def _may_follow(event: Event, before: Event) -> bool:
    """Return whether one event may happen in a run with another: it is another event, and not in an opposite branch."""
    if event is before:
        return False
    taken = {each.at: each.holds for each in before.iter_outwards() if each.condition == "test"}
    return all(
        taken.get(each.at, each.holds) is each.holds for each in event.iter_outwards() if each.condition == "test"
    )


def _follows(event: Event, before: Event) -> bool:
    """Return whether one event always follows another: no further test, loop or failure decides about it."""
    around = {(each.at, each.condition) for each in before.iter_outwards()}
    inner = (each for each in event.iter_outwards() if (each.at, each.condition) not in around)
    return _may_follow(event, before) and not any(each.condition in ("test", "handles", "loop") for each in inner)


def _hands_on(event: Event, here: Occurrence) -> bool:
    """Return whether a function returns a failure of the function it called, or that function's result."""
    if not isinstance(event, Returned):
        return False
    if infer_failure(event.value, event.facts) or event.value.failure is not None:
        return True
    return _may_be(event.value, set(collect_result_terms(here)))


def _may_be(value: Value, terms: set[object]) -> bool:
    return value.term in terms or any(_may_be(each, terms) for each in value.ways)
