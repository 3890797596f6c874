"""What becomes of a tool's failure where all calls come in: whether the client gets a result that says so.

What a tool gives is supposed to be anything: a value, a failure, an exception. From the functions that call tools outwards, each
value is looked at that may be given back where one failed, and each exception that may leave, up to what the entry answers the
client with.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Literal, NamedTuple

from reviewer.behaviour.failures.boundaries import ANY, is_cut
from reviewer.behaviour.failures.slices import iter_slices
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import FLAGS, collect_entered_calls, index_by_name, is_error
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import DEEPEST
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
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_kinds, is_caught, iter_ancestors, takes_any
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, State, infer_failure, infer_truth, refine, substitute_term
from reviewer.code.values import (
    ABSENT,
    ELEMENT,
    Class,
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    constant,
    strip_negations,
)
from reviewer.facts import Act, CallEntry, Lazy, Server
from reviewer.source import Span, Text

Ending = Literal["", "protocol", "success"]
"""What a failure is to the client: an error of the protocol, or a success; empty if it is a result that says so, or unknown."""


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


def collect_tools(server: Server, entry: CallEntry, functions: EntryPoints) -> set[Code]:
    """Return the functions of a server's tools: those that were found, and methods of their types that are handed arguments."""
    own = functions.find_code(entry.span)
    trace = functions.trace(entry.span) if own is not None else None
    if trace is None:
        return set()
    spans = dict.fromkeys(each.code.span for each in server.tools if each.code is not None)
    found = {code for each in spans if (code := functions.find_code(each)) is not None} - {own}
    if found and not functions.program.raises:
        return found
    types = set(_iter_types(server, functions))
    for each in trace.iter_occurrences(kinds=(Called,)) if types else ():
        assert isinstance(each.event, Called)
        if any(value.labels for value in (*each.event.arguments, *each.event.named.values())):
            found |= {code for code in _collect_callees(each.event) if _find_owner(code, functions.program) in types}
    return found - {own}


def _iter_types(server: Server, functions: EntryPoints) -> Iterator[tuple[str, str]]:
    """Yield the types of tools, each with its file: those that are known, and those a method of which says the name of a tool."""
    for tool in server.tools:
        if isinstance(tool.type, Text):
            yield str(tool.type), tool.type.span.path
        elif isinstance(tool.name, Text):
            naming = functions.trace(tool.name.span)
            owner = _find_owner(naming.code, functions.program) if naming is not None else None
            yield from [owner] if owner is not None else ()


def _collect_callees(event: Called) -> set[Code]:
    """Return the functions of the project that a call may enter."""
    return {each.code for each in event.callee.things if isinstance(each, Function)}


def _find_owner(code: Code, program: Program) -> tuple[str, str] | None:
    """Return the name of the type that a function is a method of, and the file."""
    cls = program.find_receiver_class(code)
    name = code.owner or (cls.name if cls is not None else "")
    return (name, code.source.path) if name else None


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


class _FailureValues(NamedTuple):
    """The values in a call of one function that are certainly a tool's failure: results of calls, and arguments.

    `taken` are the clauses that catch what a tool raised. `told` are facts about parts of a call's result if a clause
    in the called function caught it.
    """

    sites: frozenset[Site] = frozenset()
    terms: frozenset[Term] = frozenset()
    taken: frozenset[Term] = frozenset()
    told: tuple[Facts, ...] = ()

    def is_one(self, term: Term) -> bool:
        """Return whether a term is of a tool's outcome."""
        match term:
            case ("via", Site() as site, *_) if site in self.sites:
                return True
            case ("call", _, Site() as site) if site in self.sites:
                return True
        return term in self.terms

    def is_outcome(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value fails where a tool failed: its outcome, one of several calls', what is made of a success."""
        if self.is_one(value.term):
            return True
        match value.meaning:
            case ConditionalValue(test, _, otherwise) if deep and self.tells_failure(test, True) is False:
                return self.is_outcome(otherwise, deep - 1)
            case ConditionalValue(_, then, otherwise) | Made("joined", (then, otherwise)) if deep:
                sides = (then, otherwise)  # what no tool gave, such as what was kept of an earlier call, fails for none
                own = [self.is_outcome(each, deep - 1) for each in sides]
                return any(own) and all(
                    is_own or not self.is_made_of_outcome(each) for is_own, each in zip(own, sides, strict=True)
                )
        return False

    def has_failed(self, facts: Facts) -> bool | None:
        """Return whether tests told that a tool failed, or that it did not."""
        taken = [facts[each].truth for each in self.taken if each in facts]
        if any(taken):
            return True
        agreeing = {_is_of_told_kind(each, facts) for each in self.told} - {None}
        if agreeing:
            return True in agreeing
        known = [fact for term, fact in facts.items() if self.is_one(term)]
        if any(each.failed is False or each.present for each in known):
            return False
        if any(each.failed for each in known):
            return True
        return False if taken and len(taken) == len(self.taken) else None

    def tells_failure(self, test: Value, holds: bool) -> bool | None:
        """Return whether a test tells that a tool failed, or that it did not, whichever of several calls it was."""
        test, holds = strip_negations(test, holds)
        match test.meaning:
            case Relation("succeeds" | "present", left) if self.is_outcome(left):
                return not holds
        return None

    def is_made_of_outcome(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value is made of a tool's outcome: where failures are raised, of what a clause took."""
        if value.failure is not None and self.is_made_of_outcome(value.failure, deep - 1):
            return True
        if value.term in self.taken or self.is_one(value.term):
            return True
        inner = (*value.operands, *value.sources, *(value.contents or {}).values()) if deep > 0 else ()
        return any(self.is_made_of_outcome(each, deep - 1) for each in inner)

    def iter_suppositions(self, facts: Facts) -> Iterator[Facts]:
        """Yield the facts that hold after each clause that catches a tool's exception; only the given facts if none
        does.
        """
        for each in self.taken:
            others = {other: KnownFact(truth=False) for other in self.taken if other != each}
            yield {**facts, **others, each: KnownFact(truth=True, present=True)}
        for each in self.told:
            yield {**facts, **each}
        if not self.taken and not self.told:
            yield facts


def _is_of_told_kind(told: Facts, facts: Facts) -> bool | None:
    """Return whether tests told that something is of the variant of which it is where a tool failed, or that it is not."""
    for term, fact in told.items():
        known = facts.get(term)
        if known is not None and fact.kinds:
            return bool(fact.kinds & known.kinds) if known.kinds else False if fact.kinds <= known.others else None
    return None


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


def collect_runs(event: Event, codes: Collection[Code], program: Program) -> set[Code]:
    """Return which of some functions an event runs, or may: also of an object of which only the type is known, or nothing."""
    if isinstance(event, Entered):
        return {event.trace.code} & set(codes)
    if not isinstance(event, Called):
        return set()
    found = _collect_callees(event) & set(codes)
    if (
        found
        or event.receiver is None
        or _collect_callees(event)
        or not program.raises
        or not event.path.startswith(".")
    ):
        return found
    kinds = [each.of for each in event.receiver.things if isinstance(each, Instance)]
    named = (each for each in codes if event.path == f".{each.name}")
    return {each for each in named if all(_may_be(kind, each, program) for kind in kinds)}


def _may_be(kind: Class | Library, code: Code, program: Program) -> bool:
    """Return whether what is declared to be of a class may be of the one that a function is a method of."""
    own = program.find_receiver_class(code)
    return own is not None and (kind in iter_ancestors(program, own) or PROTOCOL in iter_ancestors(program, kind))


PROTOCOL = Library("typing.Protocol")
"""What a class descends from that others need not to descend from."""


class _Relay:
    """The way of a failure through one run."""

    def __init__(self, trace: Trace, program: Program, *, answered: bool) -> None:
        self._trace, self._program, self._models = trace, program, program.models
        self._answered = answered
        self._gave: dict[Code, list[Value]] = {}
        """What functions gave where a clause in them took what a tool raised, or a variant for its failure."""

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
                ending = self._classify_ending(here, failing)
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
                elif self._is_of_no_tool(each, wanted) and self._is_success(here, each):
                    yield RunFinding("answers unknown", here, each.code.extract_text(each.given))
            elif isinstance(each, Raised):
                kinds = self._collect_raised_kinds(each, failing)
                yield from self._iter_leaving(here, kinds, is_entry) if kinds else ()
            elif isinstance(each, Stored) and _is_unflagged(each) and failing.has_failed(each.facts):
                yield RunFinding("succeeds in error", here)
            elif isinstance(each, Called) and "panics on failure" in collect_acts(each, self._models):
                if each.receiver is not None and failing.is_one(each.receiver.term):
                    yield RunFinding("panics", here)

    def _hands_on(self, event: Returned, failing: _FailureValues) -> bool:
        """Return whether a function gives a tool's outcome to its caller; what it gives for a failure is kept."""
        is_given = failing.is_made_of_outcome(event.value) or self._is_given_for_failure(event, failing)
        if is_given and (self._program.raises or failing.has_failed(event.facts) is not False):
            self._gave.setdefault(event.code, []).append(event.value)
        return is_given

    def _is_given_for_failure(self, event: Returned, failing: _FailureValues) -> bool:
        """Return whether what a function gives stands for a tool's failure, be it a variant that holds nothing of it."""
        if self._program.raises:
            return bool(failing.taken) and self._is_failing(event, failing)
        return bool(_collect_variants(event.value)) and failing.has_failed(event.facts) is True

    def iter_unknown_successes(self) -> Iterator[RunFinding]:
        """Yield the places where a call of a tool that does not exist is answered with a success."""
        for each in self._trace.events:
            if isinstance(each, Returned) and self._is_success(Occurrence(each), each):
                yield RunFinding("answers unknown", Occurrence(each), each.code.extract_text(each.given))

    def _is_success(self, here: Occurrence, event: Returned) -> bool:
        return self._classify_value_ending(here, event.value, event.facts, _FailureValues(), DEEPEST) == "success"

    # what is raised

    def _collect_failures(
        self, inner: Trace, calls: list[Event], codes: dict[Code, Kinds]
    ) -> tuple[_FailureValues, list[tuple[Event, Kinds]]]:
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
        return _FailureValues(sites, taken=frozenset(taken), told=told), left

    def _iter_told_of(self, call: Entered) -> Iterator[Facts]:
        """Yield facts about the parts of a call's result, for each value that its function returned because a tool
        failed.
        """
        result = call.trace.result
        if result is None:
            return
        whole = ("via", call.at, result.term)
        every = _collect_variants(result)
        for value in self._gave.get(call.trace.code, ()):
            kinds = _collect_variants(value)
            if kinds and kinds != every:
                yield {whole: KnownFact(kinds=kinds, others=every - kinds)}
        if not self._program.raises:
            return
        for value in self._gave.get(call.trace.code, ()):
            facts: dict[Term, KnownFact] = {}
            for key, each in (value.contents or {}).items():
                at: Term = ("field", whole, key[0]) if isinstance(key, tuple) else ("item", whole, constant(key).term)
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

    def _collect_raised_kinds(self, event: Raised, failing: _FailureValues) -> Kinds:
        """Return of which classes an exception is that is raised where a tool failed and leaves the function; none if none is."""
        if not failing.taken or not self._is_failing(event, failing):
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

    def _is_failing(self, event: Event, failing: _FailureValues) -> bool:
        """Return whether control comes to something only, or also, where a clause took what a tool raised."""
        failed = failing.has_failed(event.facts)
        return bool(self._is_failure_branch(event, failing) if failed is None else failed)

    def _is_failure_branch(self, event: Event, failing: _FailureValues) -> bool | None:
        """Return whether tests lead to something where a clause took what a tool raised, None if none tells."""
        told = [self._is_so(each, failing) for each in event.iter_outwards() if each.condition == "test"]
        return None if set(told) <= {None} else False not in told

    def _is_so(self, around: Context, failing: _FailureValues) -> bool | None:
        """Return whether a test ends as it has to where a clause took what a tool raised, None if that does not tell."""
        if around.value is None:
            return None
        test, holds = strip_negations(around.value, around.holds)
        known = {infer_truth(test, each) for each in failing.told}
        if known and None not in known:
            return holds in known
        if (failed := failing.tells_failure(test, holds)) is not None:
            return failed
        for part in (test, *test.operands):
            if isinstance(part.meaning, ConditionalValue) and part.meaning.test.term in failing.taken:
                truth = self._find_truth(substitute_term(test, part.term, part.meaning.then))
                return None if truth is None else truth is holds
        return None

    def _find_truth(self, test: Value) -> bool | None:
        """Return whether a test is certainly true or false, including a test of the class of an object created here;
        else None.
        """
        match test.meaning:
            case Relation("kind", left, Value() as right):
                made = [each.of for each in left.things if isinstance(each, Instance)]
                if left.certain and len(made) == 1 and isinstance(made[0], Class) and len(made) == len(left.things):
                    kinds = collect_kinds(right)
                    return (
                        None if not kinds else not frozenset(kinds).isdisjoint(iter_ancestors(self._program, made[0]))
                    )
        return infer_truth(test, {})

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

    def _classify_ending(self, here: Occurrence, failing: _FailureValues) -> Ending:
        """Return how a function ends with what it returns, if a tool failed."""
        event = here.event
        assert isinstance(event, Returned)
        failed = failing.has_failed(event.facts)
        if failed is None:
            failed = self._is_failure_branch(event, failing)
        if failed is False or (failed is None and not self._is_made(here, event.value, failing)):
            return ""
        for facts in failing.iter_suppositions(event.facts) if not failed else (event.facts,):
            ending = self._classify_value_ending(here, event.value, facts, failing, DEEPEST)
            if ending:
                return ending
        return ""

    def _is_made(self, here: Occurrence, value: Value, failing: _FailureValues) -> bool:
        """Return whether a value is made of a tool's outcome, or by a function of the project that is handed it."""
        handed = (
            each
            for call, _ in collect_entered_calls(self._trace, here, value)
            for each in _collect_given(call.event).values()
        )
        return failing.is_made_of_outcome(value) or any(map(failing.is_made_of_outcome, handed))

    def _classify_value_ending(
        self, here: Occurrence, value: Value, facts: Facts, failing: _FailureValues, deep: int
    ) -> Ending:
        if infer_failure(value, facts) is True:
            return "protocol"
        if not deep or is_error(value, self._models) or failing.is_one(value.term):
            return ""
        if isinstance(value.meaning, ConditionalValue):
            return self._get_for_choice(here, value.meaning, facts, failing, deep)
        calls = [each for each in collect_entered_calls(self._trace, here, value) if _may_give(each[1], value)]
        if calls:
            return self._get_for_calls(calls, value, facts, failing, deep)
        held = list((value.contents or {}).values()) or list(value.sources)
        if len(held) == 1 and self._answers(held[0]):
            return self._classify_value_ending(here, held[0], facts, failing, deep - 1)  # an envelope around it
        flags = [each for name, each in index_by_name(value).items() if name in FLAGS]
        held = [each for each in (value.contents or {}).values() if each.constants is None]
        if self._program.raises and any(failing.is_one(each.term) for each in held):
            return ""  # what a call gave is in an envelope as it came
        if any(infer_truth(each, facts) is not False for each in flags) or self._is_flagged_later(here, value):
            return ""
        return "success" if flags or self._answers(value) else ""

    def _answers(self, value: Value) -> bool:
        """Return whether a value is a result of the protocol, made by a library's function or written out."""
        if "answers" in self._models.get_maker_model(value).acts:
            return True
        content = index_by_name(value).get("content") if value.contents else None
        if content is not None and _is_filled_up(value):
            types = {each.type for each in self._models.iter_models_naming(frozenset({"answers"})) if each.type}
            return not types.isdisjoint(value.library_types)
        return content is not None and any("type" in index_by_name(each) for each in (content.contents or {}).values())

    def _get_for_choice(
        self, here: Occurrence, choice: ConditionalValue, facts: Facts, failing: _FailureValues, deep: int
    ) -> Ending:
        for side, holds in ((choice.then, True), (choice.otherwise, False)):
            state = State(facts=facts)
            if choice.test.meaning is None and not isinstance(
                side.meaning, ConditionalValue
            ):  # which way came here no test tells
                made = next((each for each in here.find_own_trace(self._trace).events if _makes(each, side)), None)
                failed = failing.has_failed(made.facts) if made is not None else True
                says_why = any(each.origin == "exception" for each in side.labels)
                if failed is False or (failed is None and not says_why):
                    continue
            failed = failing.tells_failure(choice.test, holds)
            if (
                refine(state, choice.test, holds)
                and failed is not False
                and failing.has_failed(state.facts) is not False
            ):
                ending = self._classify_value_ending(here, side, state.facts, failing, deep - 1)
                if ending:
                    return ending
        return ""

    def _get_for_calls(
        self, calls: list[tuple[Occurrence, Trace]], value: Value, facts: Facts, failing: _FailureValues, deep: int
    ) -> Ending:
        """Return how functions of the project end that are handed a tool's outcome, or why it failed."""
        flags = [each for name, each in index_by_name(value).items() if name in FLAGS]
        if any(infer_truth(each, facts) for each in flags):
            return ""
        for call, inner in calls:
            given = _collect_given(call.event)
            handed = _FailureValues(terms=frozenset(term for term, each in given.items() if failing.is_outcome(each)))
            told = {
                term: KnownFact(truth=truth)
                for term, each in given.items()
                if (truth := infer_truth(each, facts)) is not None
            }
            for each in inner.events:
                if isinstance(each, Returned) and handed.has_failed(each.facts) is not False:
                    ending = self._classify_value_ending(
                        Occurrence(each, call), each.value, {**told, **each.facts}, handed, deep - 1
                    )
                    if ending:
                        return ending
        return ""

    def _is_flagged_later(self, here: Occurrence, value: Value) -> bool:
        """Return whether a result is told to be an error, or may be, after it was made."""
        for each in here.find_own_trace(self._trace).events:
            if isinstance(each, Stored) and each.owner.term == value.term and _names_flag(each):
                return each.value.constant != (bool, False)
        return False


def _is_filled_up(value: Value) -> bool:
    """Return whether a struct that is written out takes its other fields from the default: `..Default::default()`."""
    rest = (value.contents or {}).get(ELEMENT)
    return rest is not None and any(
        isinstance(each.meaning, Made) and each.meaning.by == "std.default.Default.default" for each in rest.operands
    )


def _makes(event: Event, value: Value) -> bool:
    """Return whether a call gives a value: what was known there is known of the value."""
    return isinstance(event, Called) and event.result.term == value.term


def _collect_given(event: Event) -> Mapping[Term, Value]:
    """Return the arguments of a function that is run, by the terms that they have in it."""
    return event.given if isinstance(event, Entered) else {}


def _collect_variants(value: Value) -> frozenset[Class | Library]:
    """Return the variants of an enum of the project of which a value may be, or its classes: `Done`, `Failed`."""
    enums = frozenset(each for each in value.things if isinstance(each, Class) and each.variant)
    return enums | frozenset(value.classes)


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
