"""Which tools' answers are looked at where all calls come in, and made errors if they tell of a failure.

A text such as `Error: ..` or an object with `"status": "error"` is then no success to the client, though its tool answers it as
one. Whether the entry recognizes just this text is not asked: that it may is enough for nobody to know.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reviewer.behaviour.failures.boundaries import ANY
from reviewer.behaviour.failures.called_tools import collect_runs, collect_tools
from reviewer.behaviour.results.answers import FLAGS, collect_entered_calls, index_by_name, is_error
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.events import Called, Caught, Entered, Event, Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_kinds, is_caught
from reviewer.code.program import Program
from reviewer.code.values import ABSENT, Class, ConditionalValue, Made, Relation, Value, strip_negations
from reviewer.facts import CallEntry, Flag, Handler, Lazy, Server
from reviewer.source import Span

HandlerSpans = frozenset[Span]
"""What answers some tools, by where it stands."""


def with_rechecks(servers: tuple[Server, ...], functions: EntryPoints) -> tuple[Server, ...]:
    """Return servers with what is known of each handler: whether the entry may make an error of what it answers."""
    return tuple(_with_known(each, each.entry, functions) if each.entry is not None else each for each in servers)


def _with_known(server: Server, entry: CallEntry, functions: EntryPoints) -> Server:
    found = Lazy(lambda: (frozenset(_iter_rechecked_spans(server, entry, functions)),))  # one set for all tools

    def attach_rechecks(handler: Handler | None) -> Handler | None:
        return replace(handler, rechecked=Flag(lambda: handler.span in found[0])) if handler is not None else None

    tools = tuple(
        replace(each, handler=attach_rechecks(each.handler), branch=attach_rechecks(each.branch))
        for each in server.tools
    )
    return replace(server, tools=tools)


def _iter_rechecked_spans(server: Server, entry: CallEntry, functions: EntryPoints) -> Iterator[Span]:
    """Yield the functions of the tools whose answers the entry point checks."""
    own, again = functions.find_code(entry.span), functions.rerun(entry.span)
    if own is None or again is None or entry.generated:
        return
    handlers = {each.code.span: functions.find_code(each.code.span) for each in server.tools if each.code is not None}
    branches = frozenset(span for span, code in handlers.items() if code is own and span != entry.span)
    tools = collect_tools(server, entry, functions)
    codes: dict[Code, HandlerSpans] = {each: frozenset(handlers) for each in tools}  # a type's method may answer any
    for code in set(handlers.values()) - {None, own}:
        assert code is not None
        codes[code] = frozenset(span for span, each in handlers.items() if each is code)
    if not codes and not branches:
        return
    trace = again(Interpreter(functions.program, supposed=frozenset(tools)), {})
    yield from _Rechecks(trace, functions.program, branches).find(codes)


class _Rechecks:
    """The way of tools' answers through one run of an entry."""

    def __init__(self, trace: Trace, program: Program, branches: HandlerSpans) -> None:
        self._trace, self._program, self._branches = trace, program, branches

    def find(self, codes: dict[Code, HandlerSpans]) -> HandlerSpans:
        """Return the handlers of which answers are looked at; `codes` are functions, with those whose answer each may give."""
        found: HandlerSpans = frozenset()
        seen: dict[Code, dict[Site, HandlerSpans]] = {}
        calls = [each for each in self._trace.iter_occurrences(kinds=(Entered, Called)) if each.event.code not in codes]
        while True:  # a function that hands answers on is one more that others have them of
            gone: dict[Code, dict[Site, HandlerSpans]] = {}
            callers: dict[Code, Occurrence] = {}
            for each in calls:
                handlers = self._find_handlers(each.event, codes)
                if handlers:
                    sites = gone.setdefault(each.event.code, {})
                    sites[each.event.at] = sites.get(each.event.at, frozenset()) | handlers
                    callers.setdefault(each.event.code, each)
            fresh: dict[Code, HandlerSpans] = {}
            for code, sites in gone.items():
                if seen.get(code) == sites:
                    continue
                seen[code] = sites
                function = _AnswerHolder(self._trace, self._program, callers[code], sites, self._branches)
                found |= function.collect_rechecked_handlers()
                given = function.collect_given() | codes.get(code, frozenset())
                if code is not self._trace.code and given != codes.get(code, frozenset()):
                    fresh[code] = given
            if not fresh:
                return found
            codes = {**codes, **fresh}

    def _find_handlers(self, event: Event, codes: Mapping[Code, HandlerSpans]) -> HandlerSpans:
        """Return of which handlers a call may give the answer: those that it runs, and the one in whose branch it stands."""
        handlers = [codes[each] for each in collect_runs(event, codes, self._program)]
        place = event.text.span
        return frozenset[Span]().union(*handlers, {each for each in self._branches if each.holds(place)})


class _AnswerHolder:
    """A function that has the answers of tools: what calls at some places give, with whose answers these are."""

    def __init__(
        self,
        trace: Trace,
        program: Program,
        call: Occurrence,
        sites: Mapping[Site, HandlerSpans],
        branches: HandlerSpans,
    ) -> None:
        self._trace, self._program, self._branches = trace, program, branches
        self._caller, self._inner = call.caller, call.find_own_trace(trace)
        self._sites, self._derived = sites, dict[Site, HandlerSpans]()
        # in the order in which they happen: what is made of an answer is known after it
        for each in self._inner.events:
            if isinstance(each, Entered | Called) and each.at not in sites:
                taken = each.given.values() if isinstance(each, Entered) else each.values
                handlers = frozenset[Span]().union(*map(self.collect_handlers, taken))
                if handlers:
                    self._derived[each.at] = self._derived.get(each.at, frozenset()) | handlers

    def collect_given(self) -> HandlerSpans:
        """Return whose answers it gives, or what is made of them."""
        return frozenset[Span]().union(
            *(self.collect_handlers(each.value) for each in self._inner.events if isinstance(each, Returned))
        )

    def collect_rechecked_handlers(self) -> HandlerSpans:
        """Return whose answers decide whether it fails, or answers with an error."""
        found: HandlerSpans = frozenset()
        for event in self._inner.events:
            here = Occurrence(event, self._caller)
            asked = frozenset[Span]().union(*self._iter_asked_handlers(event))
            match event:
                case Raised() if asked and self._is_leaving(here):
                    found |= asked
                case Returned(value=value):
                    found |= self._collect_for_error(here, value, asked)
                case Stored(key=Value(text=name), value=value) if name in FLAGS and value.constant != (bool, False):
                    found |= asked if value.constant is not None else asked | self._collect_for_test(value)
        return found

    def _iter_asked_handlers(self, event: Event) -> Iterator[HandlerSpans]:
        """Yield whose answers the tests around an event ask; a test in the branch of a tool is what answers it."""
        for each in event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                place = event.code.extract_text(each.at).span
                handlers = self._collect_for_test(each.value, each.holds)
                yield frozenset(span for span in handlers if not span.holds(place))

    def _collect_for_error(
        self, here: Occurrence, value: Value, asked: HandlerSpans, deep: int = DEEPEST
    ) -> HandlerSpans:
        """Return whose answers decide whether what is given is an error; `asked` are those that led to it."""
        if is_error(value, self._program.models):
            return asked
        if not deep:
            return frozenset()
        if isinstance(value.meaning, ConditionalValue):
            test, then, otherwise = value.meaning[:3]
            sides = (
                (then, asked | self._collect_for_test(test)),
                (otherwise, asked | self._collect_for_test(test, False)),
            )
            return frozenset[Span]().union(*(self._collect_for_error(here, each, own, deep - 1) for each, own in sides))
        found = frozenset[Span]().union(
            *(
                self._collect_for_test(each)
                for name, each in index_by_name(value).items()
                if name in FLAGS and each.constant is None
            )
        )
        if asked:
            for call, trace in collect_entered_calls(self._trace, here, value):
                results = [each for each in trace.events if isinstance(each, Returned)]
                if any(
                    self._collect_for_error(Occurrence(each, call), each.value, asked, deep - 1) for each in results
                ):
                    return asked
        held = list((value.contents or {}).values()) or list(value.sources)
        for each in (
            held if len(held) == 1 or (isinstance(value.meaning, Made) and value.meaning.by == "joined") else ()
        ):
            found |= self._collect_for_error(here, each, asked, deep - 1)
        return found

    def _collect_for_test(self, test: Value, holds: bool = True) -> HandlerSpans:
        """Return whose answers a test asks about what they say, and not just whether there is one or whether the tool failed."""
        test, holds = strip_negations(test, holds)
        match test.meaning:
            case ConditionalValue(choosing, then, otherwise) if not self._is_answer(test):
                parts = (
                    self._collect_for_test(choosing),
                    self._collect_for_test(then, holds),
                    self._collect_for_test(otherwise, holds),
                )
                return frozenset[Span]().union(*parts)
            case Relation("present" | "succeeds", left) if self._is_answer(left):
                return frozenset()
            case Relation("is" | "==", left, Value() as right) if right.constants == ABSENT and self._is_answer(left):
                return frozenset()
            case Relation("kind", left, Value() as right) if self._is_answer(left):
                own = any(isinstance(each, Class) for each in collect_kinds(right))
                return self.collect_handlers(left) if own and (holds or not self._program.raises) else frozenset()
        if self._is_answer(test) or self._is_flag(test):
            return frozenset()
        return self.collect_handlers(test)

    def _is_flag(self, test: Value) -> bool:
        """Return whether a test reads what an answer says by the flag of the protocol: then a failure without it is none here."""
        match test.term:
            case ("field" | "item", _, name):
                return name in FLAGS
        match test.meaning:
            case Made(by, (_,)) if by.removeprefix(".") in FLAGS:
                return True
            case Relation("is" | "==", left, Value() as right) if right.constants is not None:
                return self._is_flag(left)
        return False

    def _is_answer(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value is an unchanged answer, or a default for a missing one."""
        if self._find_handlers_by_call(value, self._sites):
            return True
        match value.meaning:
            case ConditionalValue(_, then, otherwise) | Made("joined", (then, otherwise)) if deep:
                own = [each for each in (then, otherwise) if self._is_answer(each, deep - 1)]
                return bool(own) and all(each in own or not self.collect_handlers(each) for each in (then, otherwise))
            case Made(".0" | "awaited", (inner,)) if deep:
                return self._is_answer(inner, deep - 1)
        return False

    def collect_handlers(self, value: Value) -> HandlerSpans:
        """Return whose answers a value is, or is made of."""
        found: HandlerSpans = frozenset()
        seen: set[int] = set()
        pending = [value]
        while pending:
            each = pending.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            own = self._find_handlers_by_call(each, self._sites) | self._find_handlers_by_call(each, self._derived)
            found |= own
            if not own:
                pending += [*each.operands, *(each.contents or {}).values(), *([each.failure] if each.failure else [])]
        return found

    def _find_handlers_by_call(self, value: Value, sites: Mapping[Site, HandlerSpans]) -> HandlerSpans:
        """Return whose answers a value is by the call that gave it."""
        match value.term:
            case ("via", Site() as site, *_) | ("call", _, Site() as site, *_) | ("awaits", _, Site() as site):
                return sites.get(site, frozenset())
        return frozenset()

    def _is_leaving(self, here: Occurrence) -> bool:
        """Return whether what is raised may reach the client as an error: clauses that take it raise again or answer with one."""
        event = here.event
        assert isinstance(event, Raised)
        kinds = collect_kinds(event.value) if event.value is not None else ()
        for each in here.iter_outwards():
            inner = each.find_own_trace(self._trace)
            for around in each.event.iter_outwards():
                if around.condition not in ("catches", "manager"):
                    continue
                if not any(is_caught(self._program, around, kind) for kind in kinds or (ANY,)):
                    continue
                clauses = {one.at for one in inner.events if isinstance(one, Caught) and one.tried == around.at}
                if not any(self._is_failing_in(one, each, clauses) for one in inner.events):
                    return False
        return True

    def _is_failing_in(self, event: Event, here: Occurrence, clauses: set[Site]) -> bool:
        """Return whether something raises in some clauses, or answers with an error."""
        if not any(each.condition == "handles" and each.at in clauses for each in event.iter_outwards()):
            return False
        if isinstance(event, Returned):
            everyone = frozenset({event.text.span})
            return bool(self._collect_for_error(Occurrence(event, here.caller), event.value, everyone))
        return isinstance(event, Raised)
