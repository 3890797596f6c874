"""What becomes of a tool's failure where all calls come in: whether the client gets a result that says so.

What a tool gives is supposed to be a failure. From the functions that call tools outwards, each value is looked at that may be
given back then, up to what the entry answers the client with.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from reviewer.behaviour.answers import FLAGS, entered, is_error, names_of
from reviewer.behaviour.checks import asks_presence
from reviewer.behaviour.entrances import Entrances
from reviewer.behaviour.findings import Finding
from reviewer.behaviour.slices import slices
from reviewer.behaviour.texts import DEEPEST
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Entered, Event, Occurrence, Returned, Sliced, Stored, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.state import Facts, State, failure_of, refine
from reviewer.code.values import Choice, Class, Instance, Relation, Term, Value, unnegated
from reviewer.facts import Act, Entry, Lazy, Server
from reviewer.source import Span

Ending = Literal["", "protocol", "success"]
"""What a failure is to the client: an error of the protocol, or a success; empty if it is a result that says so, or unknown."""


def with_relays(servers: tuple[Server, ...], functions: Entrances) -> tuple[Server, ...]:
    """Return servers with what their entries make of the failures of tools."""

    def known(server: Server, entry: Entry) -> Entry:
        return replace(
            entry,
            failures=Lazy(lambda: _acts(server, entry, functions)),
            cuts=Lazy(lambda: _cuts(server, entry, functions)),
        )

    return tuple(replace(each, entry=known(each, each.entry)) if each.entry is not None else each for each in servers)


def _cuts(server: Server, entry: Entry, functions: Entrances) -> Iterator[Act]:
    """Yield where texts are cut by bytes between the entry and the tools, which tell of their own."""
    trace, tools = _traced(server, entry, functions)
    if trace is None or not _cuts_itself(trace, tools, set()):
        return
    for each in slices(trace, functions.program):
        if tools.isdisjoint(one.event.code for one in each.occurrence.outwards()):
            yield Act("slices", each.occurrence.event.text)


def _cuts_itself(trace: Trace, tools: set[Code], seen: set[int]) -> bool:
    """Return whether a function that is no tool's may cut a text."""
    seen.add(id(trace))
    inner = (each.trace for each in trace.events if isinstance(each, Entered) and each.trace.code not in tools)
    return any(isinstance(each, Sliced) for each in trace.events) or any(
        _cuts_itself(each, tools, seen) for each in inner if id(each) not in seen
    )


def _traced(server: Server, entry: Entry, functions: Entrances) -> tuple[Trace | None, set[Code]]:
    """Return what an entry does, if it is seen to call tools, and the functions of these."""
    code = functions.code(entry.span)
    spans = dict.fromkeys(each.handler.span for each in server.tools if each.handler is not None)
    tools = {found for each in spans if (found := functions.code(each)) is not None} - {code}
    return (functions.trace(entry.span) if code is not None and tools else None), tools


def _acts(server: Server, entry: Entry, functions: Entrances) -> Iterator[Act]:
    trace, tools = _traced(server, entry, functions)
    seen: set[Span] = set()
    for each in misgiven_failures(trace, functions.program, tools) if trace is not None else ():
        text = each.text if each.text is not None else each.occurrence.event.text
        if text.span not in seen:
            seen.add(text.span)
            yield Act(each.kind, text)


class _Failing(NamedTuple):
    """What surely is a tool's failure in a call of one function: what calls at some places give, and what it was handed."""

    sites: frozenset[Site] = frozenset()
    terms: frozenset[Term] = frozenset()

    def is_one(self, term: Term) -> bool:
        """Return whether a term is of a tool's outcome."""
        match term:
            case ("via", Site() as site, *_) if site in self.sites:
                return True
        return term in self.terms

    def has_failed(self, facts: Facts) -> bool | None:
        """Return whether tests told that a tool failed, or that it did not."""
        known = [fact for term, fact in facts.items() if self.is_one(term)]
        if any(each.failed is False or each.present for each in known):
            return False
        return True if any(each.failed for each in known) else None

    def made(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value is made of a tool's outcome."""
        if self.is_one(value.term) or (value.failure is not None and self.made(value.failure, deep - 1)):
            return True
        inner = (*value.operands, *value.sources, *(value.contents or {}).values()) if deep > 0 else ()
        return any(self.made(each, deep - 1) for each in inner)


def misgiven_failures(trace: Trace, program: Program, tools: Iterable[Code]) -> Iterator[Finding]:
    """Yield where an entry gives a tool's failure to the client as something else than a result that says so."""
    relay = _Relay(trace, program)
    failing, seen = set(tools), set[Code]()
    while failing:
        calls = [each for each in trace.occurrences(kinds=(Entered,)) if _runs(each.event, failing)]
        failing = set()
        for code in {each.event.code for each in calls} - seen:
            here = next(each for each in calls if each.event.code is code)
            sites = frozenset(each.event.at for each in calls if each.event.code is code)
            seen.add(code)
            found = list(relay.found(here.caller, here.within(trace), _Failing(sites)))
            yield from (each for each in found if each is not None)
            failing |= {code} if None in found and code is not trace.code else set()


def _runs(event: Event, codes: set[Code]) -> bool:
    return isinstance(event, Entered) and event.trace.code in codes


class _Relay:
    """The way of a failure through one run."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._models = trace, program.models

    def found(self, caller: Occurrence | None, inner: Trace, failing: _Failing) -> Iterator[Finding | None]:
        """Yield what is wrong in a function that calls tools; None where it fails as they do, and its caller has to answer."""
        calls = (each for each in inner.events if isinstance(each, Called) and each.at in failing.sites)
        wanted = frozenset(kind for each in calls if each.receiver is not None for kind in _classes(each.receiver))
        for each in inner.events:
            here = Occurrence(each, caller)
            if isinstance(each, Returned):
                ending = self._ending(here, failing)
                is_entry = inner.code is self._trace.code
                if ending == "protocol":
                    yield Finding("fails protocol", here, each.code.text(each.given)) if is_entry else None
                elif ending == "success":
                    yield Finding("succeeds in error", here, each.code.text(each.given))
                elif failing.made(each.value) and not is_entry:
                    yield None  # as it came: whoever called has the outcome now
                elif (
                    self._is_of_no_tool(each, wanted)
                    and self._of(here, each.value, each.facts, _Failing(), DEEPEST) == "success"
                ):
                    yield Finding("answers unknown", here, each.code.text(each.given))
            elif isinstance(each, Stored) and _is_unflagged(each) and failing.has_failed(each.facts):
                yield Finding("succeeds in error", here)
            elif isinstance(each, Called) and "panics on failure" in acts_of(each, self._models):
                if each.receiver is not None and failing.is_one(each.receiver.term):
                    yield Finding("panics", here)

    def _is_of_no_tool(self, event: Returned, wanted: frozenset[Class]) -> bool:
        """Return whether something is given back because no tool was found to be called."""
        for each in event.outwards():
            if each.condition == "test" and each.value is not None:
                test, holds = unnegated(each.value, each.holds)
                if isinstance(test.meaning, Relation) and asks_presence(test):
                    return not holds and not wanted.isdisjoint(_classes(test.meaning.left))
        return False

    def _ending(self, here: Occurrence, failing: _Failing) -> Ending:
        """Return how a function ends with what it returns, if a tool failed."""
        event = here.event
        assert isinstance(event, Returned)
        failed = failing.has_failed(event.facts)
        if failed is False or (failed is None and not failing.made(event.value)):
            return ""
        return self._of(here, event.value, event.facts, failing, DEEPEST)

    def _of(self, here: Occurrence, value: Value, facts: Facts, failing: _Failing, deep: int) -> Ending:
        if failure_of(value, facts) is True:
            return "protocol"
        if not deep or is_error(value, self._models) or failing.is_one(value.term):
            return ""
        if isinstance(value.meaning, Choice):
            return self._of_choice(here, value.meaning, facts, failing, deep)
        calls = [each for each in entered(self._trace, here, value) if _may_give(each[1], value)]
        if calls:
            return self._of_calls(calls, failing, deep)
        flags = [each for name, each in names_of(value).items() if name in FLAGS]
        if any(each.constants is None for each in flags) or self._is_flagged_later(here, value):
            return ""
        return "success" if flags or "answers" in self._models.made(value).acts else ""

    def _of_choice(self, here: Occurrence, choice: Choice, facts: Facts, failing: _Failing, deep: int) -> Ending:
        for side, holds in ((choice.then, True), (choice.otherwise, False)):
            state = State(facts=facts)
            if refine(state, choice.test, holds) and failing.has_failed(state.facts) is not False:
                ending = self._of(here, side, state.facts, failing, deep - 1)
                if ending:
                    return ending
        return ""

    def _of_calls(self, calls: list[tuple[Occurrence, Trace]], failing: _Failing, deep: int) -> Ending:
        """Return how functions of the project end that are handed a tool's outcome, or why it failed."""
        for call, inner in calls:
            given = call.event.given if isinstance(call.event, Entered) else {}
            handed = _Failing(terms=frozenset(term for term, each in given.items() if failing.is_one(each.term)))
            for each in inner.events:
                if isinstance(each, Returned) and handed.has_failed(each.facts) is not False:
                    ending = self._of(Occurrence(each, call), each.value, each.facts, handed, deep - 1)
                    if ending:
                        return ending
        return ""

    def _is_flagged_later(self, here: Occurrence, value: Value) -> bool:
        """Return whether a result is told to be an error, or may be, after it was made."""
        for each in here.within(self._trace).events:
            if isinstance(each, Stored) and each.owner.term == value.term and _names_flag(each):
                return each.value.constant != (bool, False)
        return False


def _classes(value: Value) -> Iterator[Class]:
    """Yield the classes of the project that a value may be of."""
    return (each.of for each in value.things if isinstance(each, Instance) and isinstance(each.of, Class))


def _may_give(inner: Trace, value: Value) -> bool:
    """Return whether a function may have given a value: of what one call runs, each gives its own."""
    match value.term:
        case ("via", _, term):
            return inner.result is None or inner.result.term == term or inner.code.is_async
    return True


def _names_flag(event: Stored) -> bool:
    return event.key is not None and event.key.text in FLAGS


def _is_unflagged(event: Stored) -> bool:
    return _names_flag(event) and event.value.constant == (bool, False)
