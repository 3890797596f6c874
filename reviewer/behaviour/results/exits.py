"""How handlers give their results back: what leaves them, which functions it passes on its way out, and which results they build.

A handler is a function, or a branch of one. What a function gives back as it was handed it counts as given by that function.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from reviewer.behaviour.answer_size import shortenings
from reviewer.behaviour.failures.boundaries import is_cut
from reviewer.behaviour.results.answers import FLAGS, collect_entered_calls, index_by_name, is_error, unwrap_form
from reviewer.behaviour.values.decorators import iter_layers
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.calls import is_left_out
from reviewer.code.events import Constants, Entered, Occurrence, Returned, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Code, Site, Variable
from reviewer.code.state import Facts, State, infer_failure
from reviewer.code.values import (
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Relation,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import CallEntry, Dispatch, Guard, Handler, HandlerResult, Lazy, Server
from reviewer.source import Span, Text


def build_exit_finder(
    functions: EntryPoints, guards: Iterable[str] = ()
) -> Callable[[Handler, Dispatch | None], Iterator[HandlerResult]]:
    """Return a function that finds the exits of a handler that a dispatcher chooses, in its own function or one it calls.

    If no guard is passed up to the end of the dispatcher, the dispatcher's callers are searched as well.
    """
    runs, wanted = _Runs(functions), frozenset(guards)

    def iter_exits(handler: Handler, dispatcher: Dispatch | None = None) -> Iterator[HandlerResult]:
        trace = runs.trace_around(handler.span)
        is_apart = dispatcher is not None and not dispatcher.span.holds(handler.span)
        outer = [runs.find_passed_after(dispatcher)] if dispatcher is not None and is_apart else []
        outer += [_Exits(runs.start(each), runs).find_common_passed() for each in _iter_closures(handler, functions)]
        for each in _Exits(trace, runs).iter_results(handler) if trace is not None else ():
            through = each.through.union(*outer)
            if dispatcher is not None and wanted and wanted.isdisjoint(through):
                through |= wanted & runs.find_passed_around(dispatcher, str(handler.name))
            yield replace(each, through=through)

    return iter_exits


class _Runs:
    """What functions do."""

    def __init__(self, functions: EntryPoints) -> None:
        self.functions = functions
        self._find_passed: dict[Span, frozenset[str]] = {}
        self._around: dict[tuple[Span, str], frozenset[str]] = {}
        self._known: dict[Code, Trace | None] = {}

    def trace_around(self, span: Span) -> Trace | None:
        """Return the trace of the function around a place, with fewer nested calls if it is too large to follow to its
        end.
        """
        trace = self.functions.trace(span)
        if trace is not None and trace.code not in self._known:
            self._known[trace.code] = self.functions.trace_nearby(span) if is_cut(trace) else trace
        return self._known[trace.code] if trace is not None else None

    def find_passed(self, span: Span) -> frozenset[str]:
        """Return the functions that all passes which the function gives that a place lies in."""
        if span not in self._find_passed:
            self._find_passed[span] = frozenset()  # for whoever asks while it is looked for
            trace = self.trace_around(span)
            self._find_passed[span] = _Exits(trace, self).find_common_passed() if trace is not None else frozenset()
        return self._find_passed[span]

    def find_passed_after(self, dispatcher: Dispatch) -> frozenset[str]:
        """Return the functions that all passes which a dispatcher gives, without what only its handlers call."""
        trace, arms = (
            self.trace_around(dispatcher.span),
            {self.functions.find_code(each.span) for each in dispatcher.arms},
        )
        entered = [each.trace for each in trace.events if isinstance(each, Entered)] if trace is not None else []
        own = {code.name for each in entered if each.code not in arms for code in each.collect_codes()}
        return self.find_passed(dispatcher.span) & own

    def find_passed_around(self, dispatcher: Dispatch, name: str) -> frozenset[str]:
        """Return the functions that every result passes which leads to a dispatcher, whatever calls it.

        Results for another name than `name`, and those that do not come to the dispatcher, do not count.
        """
        key = (dispatcher.span, name)
        if key not in self._around:
            others = frozenset((str, str(each.name)) for each in dispatcher.arms if str(each.name) != name)
            self._around[key] = self._collect_passed_around(self.functions.find_code(dispatcher.span), others)
        return self._around[key]

    def _collect_passed_around(self, code: Code | None, others: Constants) -> frozenset[str]:
        ways: list[frozenset[str]] = []
        for each in self.functions.find_entry_points(code) if code is not None else ():
            calls = each.trace.iter_occurrences(lambda event, _: code in event.trace.collect_codes(), kinds=(Entered,))
            entered = [call for call in calls if isinstance(call.event, Entered) and call.event.trace.code is code]
            ways += [self._collect_passed_on_the_way(call, others) for call in entered] or [frozenset()]
        return _find_common(ways) or frozenset()

    def _collect_passed_on_the_way(self, call: Occurrence, others: Constants) -> frozenset[str]:
        """Return the functions that all passes which each function gives that leads to a call, for no name of `others`."""
        assert isinstance(call.event, Entered)
        around = {each.event.code for each in call.iter_outwards()}
        return frozenset[str]().union(
            *(self._collect_passed_behind(code, call.event.trace.code, others) for code in around)
        )

    def _collect_passed_behind(self, code: Code, inner: Code, others: Constants) -> frozenset[str]:
        """Return the functions that all passes which a function gives where it comes to another."""
        trace = self.trace_around(code.locate(code.at))
        if trace is None:
            return frozenset()
        calls = [each for each in trace.events if isinstance(each, Entered) and inner in each.trace.collect_codes()]

        def is_behind(end: Occurrence) -> bool:
            facts = end.event.facts
            if any(each.equal is not None and each.equal <= others for each in facts.values()):
                return False
            return not calls or any(not _are_opposed(facts, each.facts) for each in calls)

        return _Exits(trace, self).find_common_passed(is_behind)

    def start(self, code: Code, captured: Mapping[Variable, Value] | None = None) -> Trace:
        """Return the trace of a function that other code runs, with the values of the variables that it captures."""
        run = Interpreter(self.functions.program, summaries=self.functions.program.summaries)
        return run.start(code, {}, State(dict(captured or {})))


def with_exits(servers: tuple[Server, ...], functions: EntryPoints) -> tuple[Server, ...]:
    """Return servers with the ways out of the functions where their calls come in."""
    find = build_exit_finder(functions)

    def attach_exits(each: CallEntry) -> CallEntry:
        return replace(each, exits=Lazy(lambda: find(Handler(each.name, each.span), None)))

    return tuple(replace(each, entry=attach_exits(each.entry)) if each.entry is not None else each for each in servers)


class ExitReader(Protocol):
    """Says of a handler what leaves it; the dispatcher calls it if it is no part of that."""

    def __call__(self, handler: Handler, dispatcher: Dispatch | None = None) -> Handler:
        """Return the handler with what is known of it."""


def with_ways(functions: EntryPoints, guards: Sequence[Guard]) -> ExitReader:
    """Return a reader of the exits of handlers, and, if there are guards, of what it cuts from their answers."""
    names = [str(each.name) for each in guards]
    find, cut = build_exit_finder(functions, names), shortenings.build_shortening_finder(functions, guards)

    def attach_exits(handler: Handler, dispatcher: Dispatch | None = None) -> Handler:
        return replace(
            handler, exits=Lazy(lambda: find(handler, dispatcher)), cuts=Lazy(lambda: cut(handler)) if guards else ()
        )

    return attach_exits


def _iter_closures(handler: Handler, functions: EntryPoints) -> Iterator[Code]:
    """Yield the functions that decorators of the project lay around a handler."""
    for each in handler.wrappers:
        decorator = functions.find_code(each.definition) if each.definition is not None else None
        if decorator is not None:
            yield from iter_layers(decorator)


class _Exits:
    """What leaves one function, and the way it takes."""

    def __init__(self, trace: Trace, runs: _Runs) -> None:
        self._trace, self._runs = trace, runs
        self._models = runs.functions.program.models

    def find_common_passed(self, counts: Callable[[Occurrence], bool] = lambda _end: True) -> frozenset[str]:
        """Return the functions that all that leaves passes, where it is left at an end that counts."""
        ends = filter(counts, _iter_successful_exits(self._trace))
        return _find_common(self._find_passed(each, each.event.values[0]) for each in ends) or frozenset()

    def iter_results(self, handler: Handler) -> Iterator[HandlerResult]:
        """Yield the exits of a handler: those in its code, and those further on for what its code leads to."""
        ends = [each for each in _iter_successful_exits(self._trace) if _is_for(each, handler)]
        inside = [each for each in ends if handler.span.holds(each.event.text.span)]
        for here in inside or [each for each in ends if handler.span.line <= each.event.text.span.line]:
            awaited = here.event.values[0].awaits
            if isinstance(awaited, Function):
                yield from _Exits(self._runs.start(awaited.code, awaited.captured), self._runs).iter_results(handler)
                continue
            ways = list(self._iter_ways(here, here.event.values[0]))
            for value in ways:
                site = _find_site(value, here.event.code)
                is_its = site is not None and handler.span.holds(here.event.code.locate(site))
                if not (inside or len(ways) == 1 or is_its):
                    continue
                apart = list(self._iter_apart(here, value))
                yield from apart
                through = self._find_passed(here, value)
                if through is not None and not apart:
                    built = self._build(here, value)
                    written = built is not None and self._is_written(*self._collect_content(here, value)[:2])
                    yield HandlerResult(_get_text(here, site), through, self._is_unseen(here, value), built, written)

    def _iter_apart(
        self, here: Occurrence, value: Value, passed: frozenset[str] = frozenset(), deep: int = DEEPEST
    ) -> Iterator[HandlerResult]:
        """Yield the exits of each function that may return a value: functions of a table, or methods by receiver."""
        here, value = _collect_source(here, value)
        calls = collect_entered_calls(self._trace, here, value) if deep else []
        are_several = len({trace.code for _, trace in calls}) > 1
        for call, trace in calls:
            beyond = passed | {trace.code.name}
            for end in _iter_successful_exits(trace, call):
                for way in self._iter_ways(end, end.event.values[0]):
                    inner = list(self._iter_apart(end, way, beyond, deep - 1))
                    through = self._find_passed(end, way) if are_several and not inner else None
                    yield from inner
                    if through is not None:
                        yield HandlerResult(
                            _get_text(end, _find_site(way, end.event.code)), beyond | through, self._is_unseen(end, way)
                        )
        made = value.meaning if not calls and deep else None
        if isinstance(made, Made) and made.by != "joined":
            for each in made.of:
                yield from self._iter_apart(here, each, passed | {made.by.rpartition(".")[2]}, deep - 1)

    def _iter_ways(self, here: Occurrence, value: Value) -> Iterator[Value]:
        """Yield the values that one value may be."""
        match value.meaning:
            case _ if collect_entered_calls(self._trace, here, value) or is_error(value, self._models):
                yield value
            case ConditionalValue() as choice:
                for each in _iter_sides(choice):
                    yield from self._iter_ways(here, each)
            case Made("joined", of):
                for each in of:
                    yield from self._iter_ways(here, each)
            case _:
                yield value

    def _find_passed(self, here: Occurrence, value: Value, deep: int = DEEPEST) -> frozenset[str] | None:
        """Return the functions that a value certainly passes; None if it is a failure or the call that returned it was
        not followed.
        """
        here, value = _collect_source(here, value)
        if is_error(value, self._models) or is_left_out(value) or not deep:
            return None
        calls = collect_entered_calls(self._trace, here, value)
        if calls:
            return _find_common(self._find_given_by(call, trace, deep) for call, trace in calls)
        match value.meaning:
            case ConditionalValue() as choice:
                return _find_common(self._find_passed(here, each, deep - 1) for each in _iter_sides(choice))
            case Made("joined", of):
                return _find_common(self._find_passed(here, each, deep - 1) for each in of)
            case Made(by, of):
                of = (*of, *(value.contents or {}).values())
                named = {thing.code.name for each in of for thing in each.things if isinstance(thing, Function)}
                inner = (self._find_passed(here, each, deep - 1) or frozenset() for each in of)
                return frozenset({by.rpartition(".")[2], *named}).union(*inner, self._collect_by_methods(value))
        parts = [value for value in self._collect_parts(value) if value.constants is None]
        return _find_common(self._find_passed(here, each, deep - 1) for each in parts) if parts else frozenset()

    def _find_given_by(self, call: Occurrence, trace: Trace, deep: int) -> frozenset[str] | None:
        """Return a function, and those that all that it gives passes, None if that is not known."""
        inner = _find_common(
            self._find_passed(each, each.event.values[0], deep) for each in _iter_successful_exits(trace, call)
        )
        is_empty = not any(isinstance(each, Returned) for each in trace.events)  # what generates, or gives nothing
        return (
            frozenset(filter(None, (trace.code.name,))) | (inner or frozenset())
            if inner is not None or is_empty
            else None
        )

    def _collect_by_methods(self, value: Value) -> frozenset[str]:
        """Return the functions that every result passes of a method whose receiver's type is unknown: of all methods of
        its name.
        """
        match value.meaning:
            case Made(by, (owner, *_)) if by.startswith(".") and _is_own(owner):
                return frozenset[str]().union(*map(self._runs.find_passed, self._runs.functions.iter_methods(by[1:])))
        return frozenset()

    def _collect_parts(self, value: Value) -> tuple[Value, ...]:
        """Return the content that an answer only wraps: the elements of a list, the text of a block."""
        inner = unwrap_form(value, self._models)
        if inner is not None:
            return (inner,)
        is_list = all(isinstance(each, Instance) and each.of in SEQUENCES for each in value.things)
        return tuple((value.contents or {}).values()) if value.things and is_list else ()

    def _is_unseen(self, here: Occurrence, value: Value) -> bool:
        """Return whether a function that is not there is handed a value with something else: it may be a guard."""
        while True:
            here, value = _collect_source(here, value)
            match value.meaning:
                case Made(by, (_, _, *_)) if _is_call(value) and by[:1] != "." and self._models.find_model(by) is None:
                    return True
                case Made(_, (inner, *_)):
                    value = inner
                case _:
                    return False

    # results of the protocol

    def _build(self, here: Occurrence, value: Value) -> Text | None:
        """Return where a result of the protocol is built; where a text is only put into form, the call of what does so.

        What writes a value as a text and puts it into form is a wrapper, and builds nothing of its own.
        """
        here, value = _collect_source(here, value)
        if is_error(value, self._models):
            return None
        calls = collect_entered_calls(self._trace, here, value)
        if calls:
            ends = (each for call, trace in calls for each in _iter_successful_exits(trace, call))
            return next(filter(None, (self._build(each, each.event.values[0]) for each in ends)), None)
        site = _find_site(value, here.event.code)
        if not self._is_result(value) or site is None:
            return None
        said, _, is_wrapped = self._collect_content(here, value)
        return _place(here, site, said) if said.caller is here.caller or not is_wrapped else None

    def _is_result(self, value: Value) -> bool:
        """Return whether a value is a success result of the protocol, or the blocks of one."""
        if "answers" in self._models.get_maker_model(value).acts:
            return True
        held = index_by_name(value)
        blocks = held.get("content")
        if blocks is not None and RESULT.issuperset(held):
            return not FLAGS.isdisjoint(held) or _is_block((blocks.contents or {}).get(0))
        is_list = any(isinstance(each, Instance) and each.of in SEQUENCES for each in value.things)
        return bool(held) and is_list and all(_is_made("TextContent", each) for each in held.values())

    def _collect_content(self, here: Occurrence, value: Value) -> tuple[Occurrence, Value, bool]:
        """Return the content of a result, with the call whose function makes it, and whether it is serialised on the
        way.
        """
        is_text = False
        while True:
            here, value = _collect_source(here, value)
            inner = unwrap_form(value, self._models)
            match value.meaning:
                case Made(by, (first, *_)) if by == "text" or self._models.get_model(by).returns in (
                    "text",
                    "same text",
                ):
                    inner, is_text = inner if inner is not None else first, True
            if inner is None:
                return here, value, is_text
            value = inner

    def _is_written(self, here: Occurrence, value: Value) -> bool:
        """Return whether all that a result says is written in the code, and nothing of it was found out for the call."""
        is_shared = isinstance(value.term, tuple) and value.term[:1] in (("global",), ("library",))
        if value.constants is not None or (is_shared and not value.labels):
            return True
        if collect_entered_calls(self._trace, here, value) or not all(
            each.origin in OF_SERVERS for each in here.resolve_labels(value)
        ):
            return False
        of = (value.contents or {}).values() or (value.meaning.of if isinstance(value.meaning, Made) else ())
        return bool(of) and all(self._is_written(here, each) for each in of)


OF_SERVERS = frozenset({"environment", "time", "random", "identity"})
"""Where something comes from that says what a server is, and not what it was asked for: `env!("CARGO_PKG_VERSION")`."""

RESULT = FLAGS | {"content", "structuredContent", "structured_content", "_meta", "meta", "[]"}
"""The entries of a result of the protocol, and what stands for all of another one: `..Default::default()`."""

SEQUENCES = (Library("list"), Library("tuple"))


def _is_made(name: str, value: Value) -> bool:
    """Return whether a value is an object of a class of an SDK."""
    kinds = (each.of for each in value.things if isinstance(each, Instance))
    return any(isinstance(each, Library) and each.path.rpartition(".")[2] == name for each in kinds)


def _is_call(value: Value) -> bool:
    return get_term_head(find_original_term(value.term)) == "call"


def _is_own(owner: Value) -> bool:
    """Return whether a value is a field, or what a function is called on."""
    if isinstance(owner.meaning, Made):
        return owner.meaning.by.startswith(".")
    return get_term_head(owner.term) == "parameter"


def _is_block(value: Value | None) -> bool:
    return value is not None and index_by_name(value).keys() >= {"type", "text"}


def _place(here: Occurrence, site: Site, content: Occurrence) -> Text:
    """Return where a result is built, or where the function that has its content calls what builds it."""
    text = here.event.code.extract_text(site)
    while here is not content and here.caller is not None and here.caller is not content.caller:
        text, here = here.caller.event.text, here.caller
    return text


def _collect_source(here: Occurrence, value: Value) -> tuple[Occurrence, Value]:
    """Return a value as the outermost caller has it that hands it on as it is, up to a call that gave it back."""
    while value.giver is None and here.caller is not None and isinstance(here.caller.event, Entered):
        handed = here.caller.event.given.get(value.term)
        if handed is None:
            break
        here, value = here.caller, handed
    return here, value


def _find_site(value: Value, code: Code) -> Site | None:
    """Return the expression of a function that gives a value, None if another function does."""
    match value.giver, value.term:
        case (Site() as site, _) | (_, ("via", Site() as site, _)):
            return site
    match find_original_term(value.term):
        case ("call" | "new" | "awaits", of, Site() as site, *_) if of is code:
            return site
    return None


def _get_text(here: Occurrence, site: Site | None) -> Text:
    """Return the expression that gives a value if it is a part of what is returned, else what is returned."""
    assert isinstance(here.event, Returned)
    given = here.event.given
    is_part = site is not None and given.start <= site.start < site.end <= given.end
    return here.event.code.extract_text(site if site is not None and is_part else given)


def _iter_sides(choice: ConditionalValue) -> Iterator[Value]:
    """Yield the possible values of a conditional value, except the failure that a test finds: `value.map(..)`."""
    test, holds = strip_negations(choice.test)
    for side, is_then in ((choice.then, True), (choice.otherwise, False)):
        match test.meaning:
            case Relation("succeeds" | "present", left) if is_then is not holds and left.term == side.term:
                continue
        yield side


def _iter_successful_exits(trace: Trace, call: Occurrence | None = None) -> Iterator[Occurrence]:
    """Yield where a function is left with a value that is no failure."""
    for each in trace.events:
        if isinstance(each, Returned) and infer_failure(each.value, each.facts) is not True:
            yield Occurrence(each, call)


def _is_for(here: Occurrence, handler: Handler) -> bool:
    """Return whether tests did not tell that the name was another one than a handler has."""
    name = (str, str(handler.name))
    return not any(name in each.unequal for each in here.event.facts.values())


def _are_opposed(facts: Facts, others: Facts) -> bool:
    """Return whether no call has both facts: what happens by the one does not happen by the other."""
    return any(term in others and fact.opposes(others[term]) for term, fact in facts.items())


def _find_common(ways: "Iterable[frozenset[str] | None]") -> frozenset[str] | None:
    """Return the functions that all successful paths pass; None if no path is successful."""
    found = [each for each in ways if each is not None]
    return found[0].intersection(*found[1:]) if found else None
