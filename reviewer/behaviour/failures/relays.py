"""What becomes of a tool's failure where all calls come in: whether the client gets a result that says so.

What a tool gives is supposed to be anything: a value, a failure, an exception. From the functions that call tools outwards, each
value is looked at that may be given back where one failed, and each exception that may leave, up to what the entry answers the
client with.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from reviewer.behaviour.failures.boundaries import ANY, is_cut
from reviewer.behaviour.failures.called_tools import collect_runs, collect_tools
from reviewer.behaviour.failures.failure_endings import FailureEndings, names_flag
from reviewer.behaviour.failures.failure_values import FailureValues, collect_variants, is_failing
from reviewer.behaviour.failures.slices import iter_slices
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Called,
    Caught,
    Context,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Sliced,
    Stored,
    Trace,
)
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code
from reviewer.code.kinds import collect_kinds, is_caught, iter_ancestors, takes_any
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, infer_truth
from reviewer.code.values import ABSENT, Class, Library, Relation, Term, Value, build_constant, strip_negations
from reviewer.facts import Act, CallEntry, Lazy, Server
from reviewer.source import Span


def with_relays(servers: tuple[Server, ...], functions: EntryPoints) -> tuple[Server, ...]:
    """Return servers with what their entries make of the failures of tools."""

    def attach_relays(server: Server, entry: CallEntry) -> CallEntry:
        return replace(
            entry,
            failures=Lazy(lambda: _iter_acts(server, entry, functions)),
            cuts=Lazy(lambda: _iter_cuts(server, entry, functions)),
        )

    return tuple(
        replace(each, entry=attach_relays(each, each.entry)) if each.entry is not None else each for each in servers
    )


def _iter_cuts(server: Server, entry: CallEntry, functions: EntryPoints) -> Iterator[Act]:
    """Yield where texts are cut by bytes between the entry and the tools, which tell of their own."""
    trace, tools = functions.trace(entry.span), collect_tools(server, entry, functions)
    if trace is None or not tools or not _cuts_itself(trace, tools, set()):
        return
    for each in iter_slices(trace, functions.program):
        if tools.isdisjoint(one.event.code for one in each.occurrence.iter_outwards()):
            yield Act("slices", each.occurrence.event.text)


def _cuts_itself(trace: Trace, tools: set[Code], seen: set[int]) -> bool:
    """Return whether a function that is no tool's may cut a text."""
    seen.add(id(trace))
    inner = (each.trace for each in trace.events if isinstance(each, Entered) and each.trace.code not in tools)
    return any(isinstance(each, Sliced) for each in trace.events) or any(
        _cuts_itself(each, tools, seen) for each in inner if id(each) not in seen
    )


UNKNOWN = "mcp-review/unknown"
"""A name that no tool has."""


def _iter_acts(server: Server, entry: CallEntry, functions: EntryPoints) -> Iterator[Act]:
    tools, again, program = (
        frozenset(collect_tools(server, entry, functions)),
        functions.rerun(entry.span),
        functions.program,
    )
    if not tools or again is None:
        return
    trace = again(Interpreter(program, supposed=tools), {})
    unknown = functions.rerun(entry.span, UNKNOWN)
    nameless = unknown(Interpreter(program, supposed=tools), {}) if unknown is not None else None
    found = list(iter_misgiven_failures(trace, program, tools, answered=functions.answers_for(entry.span)))
    if (
        nameless is not None
        and _is_called(trace, tools, program)
        and not _is_called(nameless, tools, program)
        and not is_cut(nameless)
    ):
        found += _Relay(nameless, program, answered=False).iter_unknown_successes()
    seen: set[Span] = set()
    for each in found:
        text = each.text if each.text is not None else each.occurrence.event.text
        if text.span not in seen:
            seen.add(text.span)
            yield Act(each.kind, text)


def _is_called(trace: Trace, tools: frozenset[Code], program: Program) -> bool:
    return any(collect_runs(each.event, tools, program) for each in trace.iter_occurrences(kinds=(Entered, Called)))


Kinds = frozenset[Class | Library]
"""Of which classes an exception may be that leaves a function."""


def iter_misgiven_failures(
    trace: Trace, program: Program, tools: frozenset[Code], *, answered: bool
) -> Iterator[RunFinding]:
    """Yield the places where an entry point gives a tool's failure to the client as something else than an error result.

    `answered` is whether the caller of the entry point turns exceptions into such results.
    """
    relay = _Relay(trace, program, answered=answered)
    failing: dict[Code, Kinds] = dict.fromkeys(tools, frozenset({ANY}) if program.raises else frozenset())
    seen = set[Code]()
    while failing:
        calls = [
            each
            for each in trace.iter_occurrences(kinds=(Entered, Called))
            if collect_runs(each.event, failing, program)
        ]
        fresh: dict[Code, Kinds] = {}
        for code in {each.event.code for each in calls} - seen:
            seen.add(code)
            here = next(each for each in calls if each.event.code is code)
            own = [each.event for each in calls if each.event.code is code]
            found = list(relay.iter_findings(here, own, failing))
            yield from (each for each in found if isinstance(each, RunFinding))
            left = [each for each in found if not isinstance(each, RunFinding)]
            if left and code is not trace.code:
                fresh[code] = frozenset[Class | Library]().union(*left)
        failing = fresh


class _Relay:
    """The way of a failure through one run."""

    def __init__(self, trace: Trace, program: Program, *, answered: bool) -> None:
        self._trace, self._program, self._models = trace, program, program.models
        self._answered = answered
        self._gave: dict[Code, list[Value]] = {}
        """What functions gave where a clause in them took what a tool raised, or a variant for its failure."""
        self._endings = FailureEndings(trace, program)

    def iter_findings(
        self, call: Occurrence, calls: list[Event], codes: dict[Code, Kinds]
    ) -> Iterator[RunFinding | Kinds]:
        """Yield the faults of a function that calls tools, and the exceptions that it leaves to its caller."""
        caller, inner = call.caller, call.find_own_trace(self._trace)
        is_entry = inner.code is self._trace.code
        failing, left = self._collect_failures(inner, calls, codes)
        if left:
            yield from self._iter_leaving(Occurrence(left[0][0], caller), left[0][1], is_entry)
        places = {each.at for each in calls}
        gone = [each for each in inner.events if isinstance(each, Called) and each.at in places]
        wanted = frozenset(kind for each in gone if each.receiver is not None for kind in each.receiver.classes)
        for each in inner.events:
            here = Occurrence(each, caller)
            if isinstance(each, Returned):
                ending = self._endings.classify(here, failing)
                if ending == "protocol":
                    yield (
                        RunFinding("fails protocol", here, each.code.extract_text(each.given))
                        if is_entry
                        else frozenset()
                    )
                elif ending == "success":
                    yield RunFinding("succeeds in error", here, each.code.extract_text(each.given))
                elif not is_entry and self._hands_on(each, failing):
                    yield frozenset()  # as it came: whoever called has the outcome now
                elif self._is_of_no_tool(each, wanted) and self._endings.is_success(here):
                    yield RunFinding("answers unknown", here, each.code.extract_text(each.given))
            elif isinstance(each, Raised):
                kinds = self._collect_raised_kinds(each, failing)
                yield from self._iter_leaving(here, kinds, is_entry) if kinds else ()
            elif isinstance(each, Stored) and _is_unflagged(each) and failing.has_failed(each.facts):
                yield RunFinding("succeeds in error", here)
            elif isinstance(each, Called) and "panics on failure" in collect_acts(each, self._models):
                if each.receiver is not None and failing.is_one(each.receiver.term):
                    yield RunFinding("panics", here)

    def _hands_on(self, event: Returned, failing: FailureValues) -> bool:
        """Return whether a function gives a tool's outcome to its caller; what it gives for a failure is kept."""
        is_given = failing.is_made_of_outcome(event.value) or self._is_given_for_failure(event, failing)
        if is_given and (self._program.raises or failing.has_failed(event.facts) is not False):
            self._gave.setdefault(event.code, []).append(event.value)
        return is_given

    def _is_given_for_failure(self, event: Returned, failing: FailureValues) -> bool:
        """Return whether what a function gives stands for a tool's failure, be it a variant that holds nothing of it."""
        if self._program.raises:
            return bool(failing.taken) and is_failing(event, failing, self._program)
        return bool(collect_variants(event.value)) and failing.has_failed(event.facts) is True

    def iter_unknown_successes(self) -> Iterator[RunFinding]:
        """Yield the places where a call of a tool that does not exist is answered with a success."""
        for each in self._trace.events:
            if isinstance(each, Returned) and self._endings.is_success(Occurrence(each)):
                yield RunFinding("answers unknown", Occurrence(each), each.code.extract_text(each.given))

    # what is raised

    def _collect_failures(
        self, inner: Trace, calls: list[Event], codes: dict[Code, Kinds]
    ) -> tuple[FailureValues, list[tuple[Event, Kinds]]]:
        """Return the values that are a tool's failure in a function, and the calls whose exceptions leave it."""
        taken: set[Term] = set()
        left: list[tuple[Event, Kinds]] = []
        clauses = [each for each in inner.events if isinstance(each, Caught)]
        for call in calls:
            kinds = frozenset[Class | Library]().union(
                *(codes.get(each, frozenset()) for each in collect_runs(call, codes, self._program))
            )
            for around in call.iter_outwards():
                if not kinds or around.condition not in ("catches", "manager"):
                    continue
                own = [each for each in clauses if around.condition == "catches" and each.tried == around.at]
                takes = [each for each in own if self._may_take(each, kinds)]
                taken |= {("taken", inner.code, each.at) for each in takes}
                kinds = frozenset(each for each in kinds if not is_caught(self._program, around, each))
            left += [(call, kinds)] if kinds else []
        told = tuple(chain.from_iterable(self._iter_told_of(each) for each in calls if isinstance(each, Entered)))
        sites = frozenset(
            each.at
            for each in calls
            if not self._program.raises or self._gave.keys() & collect_runs(each, codes, self._program)
        )
        return FailureValues(sites, taken=frozenset(taken), told=told), left

    def _iter_told_of(self, call: Entered) -> Iterator[Facts]:
        """Yield facts about the parts of a call's result, for each value that its function returned because a tool
        failed.
        """
        result = call.trace.result
        if result is None:
            return
        whole = ("via", call.at, result.term)
        every = collect_variants(result)
        for value in self._gave.get(call.trace.code, ()):
            kinds = collect_variants(value)
            if kinds and kinds != every:
                yield {whole: KnownFact(kinds=kinds, others=every - kinds)}
        if not self._program.raises:
            return
        for value in self._gave.get(call.trace.code, ()):
            facts: dict[Term, KnownFact] = {}
            for key, each in (value.contents or {}).items():
                at: Term = (
                    ("field", whole, key[0]) if isinstance(key, tuple) else ("item", whole, build_constant(key).term)
                )
                truth = infer_truth(each, {})
                if truth is not None:
                    facts[at] = KnownFact(truth=truth)
            yield facts

    def _may_take(self, clause: Caught, kinds: Kinds) -> bool:
        """Return whether a clause may take an exception of some classes; of any, those that are not the server's own errors."""
        context = Context("catches", clause.at, types=clause.types)
        if any(is_caught(self._program, context, each) for each in kinds):
            return True
        named = frozenset(kind for each in clause.types for kind in collect_kinds(each))
        return ANY in kinds and any(
            ANY in iter_ancestors(self._program, each) for each in named if not self._is_own(each)
        )

    def _is_own(self, kind: Class | Library) -> bool:
        """Return whether a class is of errors of the protocol."""
        models = (
            self._models.find_model(each.path)
            for each in iter_ancestors(self._program, kind)
            if isinstance(each, Library)
        )
        return any(model is not None and "protocol error" in model.acts for model in models)

    def _collect_raised_kinds(self, event: Raised, failing: FailureValues) -> Kinds:
        """Return of which classes an exception is that is raised where a tool failed and leaves the function; none if none is."""
        if not failing.taken or not is_failing(event, failing, self._program):
            return frozenset()
        clause = next((each for each in event.iter_outwards() if each.condition == "handles"), None)
        again = event.value is None or (clause is not None and clause.value is not None and event.value == clause.value)
        if again and clause is not None and not takes_any(self._program, clause):
            return frozenset()  # what it names was raised to be handed on
        kinds = frozenset({ANY}) if event.value is None else frozenset(collect_kinds(event.value)) or frozenset({ANY})
        around = [each for each in event.iter_outwards() if each.condition in ("catches", "manager")]
        return frozenset(each for each in kinds if not any(is_caught(self._program, one, each) for one in around))

    def _iter_leaving(self, here: Occurrence, kinds: Kinds, is_entry: bool) -> Iterator[RunFinding | Kinds]:
        """Yield the result of an exception that leaves a function: a finding at an entry point, else its kinds, for the
        caller.
        """
        if not is_entry:
            yield kinds
        elif not self._answered or any(map(self._is_own, kinds)):
            yield RunFinding("fails protocol", here)

    # what is given

    def _is_of_no_tool(self, event: Returned, wanted: frozenset[Class]) -> bool:
        """Return whether something is given back because no tool was found to be called."""
        for each in event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                test, holds = strip_negations(each.value, each.holds)
                match test.meaning:
                    case Relation("present" | "succeeds", left):
                        return not holds and not wanted.isdisjoint(left.classes)
                    case Relation("is" | "==", left, Value() as right) if right.constants == ABSENT:
                        return holds and not wanted.isdisjoint(left.classes)
        return False


def _is_unflagged(event: Stored) -> bool:
    return names_flag(event) and event.value.constant == (bool, False)
