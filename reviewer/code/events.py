"""What an abstract run reports: what is done, with what values, where, and in what circumstances.

A function that is given the same values is run once, whoever calls it, so its events know nothing of its callers.
`Trace.occurrences` goes through them in the order in which they may happen, and says by which calls each is reached.

Nothing changes an event once it is made. They are not declared frozen, since that makes them four times as slow to make, and a
review of a large server makes millions of occurrences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, NamedTuple, TypeVar, cast

from reviewer.code.ir import Code, Site, Statement, collect_names
from reviewer.code.state import Facts, KnownFact, infer_constants
from reviewer.code.values import Label, Plain, Term, Value
from reviewer.records import dataclass
from reviewer.source import Text

Asked = TypeVar("Asked")
Happening = TypeVar("Happening", bound="Event")

Constants = frozenset[tuple[type, Plain]]
"""What a value can only be."""


class CodePlace(NamedTuple):
    """A node of a code."""

    code: Code
    at: Site

    @property
    def text(self) -> Text:
        """Its source."""
        return self.code.extract_text(self.at)


ContextKind = Literal[
    "test", "catches", "handles", "ensures", "always", "manager", "thread", "task", "signal", "timed", "loop"
]
"""What surrounds an event, from the outside inwards.

- `test`: a branch that runs where `value` is true, or false; `catches`: the body of a `Try`; `handles`: one of its catches;
  `ensures`: the body and the catches of a `Try` that does something at last; `always`: what it does then, and what a
  manager does at its end.
- `manager`: the body of a `With`, whose manager is `value`; `loop`: the body of a loop over `value`.
- `thread`: what runs in a thread; `task`: what is begun and not waited for here; `timed`: what is ended after a
  time; `signal`: what runs when the process is told something or ends.
"""


@dataclass(slots=True, eq=False)
class Context:
    """The circumstances of an event: one, and those around it in the same function."""

    condition: ContextKind
    at: Site
    value: Value | None = None
    holds: bool = True
    """Whether the test is true there."""
    types: tuple[Value, ...] = ()
    """What is caught; all if empty. Of a manager, and of what ensures that something is done at last, what that surely
    takes; nothing if empty."""
    whole: Site | None = None
    """Of a test, the expression that it belongs to with all branches, if it is one."""
    around: "Context | None" = None

    def iter_outwards(self) -> Iterator["Context"]:
        """Yield the circumstances from the innermost outwards."""
        current: Context | None = self
        while current is not None:
            yield current
            current = current.around


@dataclass(slots=True, eq=False)
class Event:
    """Something that a code does. `facts` is what tests told before."""

    at: Site
    code: Code
    context: Context | None
    facts: Facts

    @property
    def text(self) -> Text:
        """The expression or statement, with its place."""
        return self.code.extract_text(self.at)

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return ()

    def iter_outwards(self) -> Iterator[Context]:
        """Return the contexts around it in its own function, innermost first."""
        return self.context.iter_outwards() if self.context is not None else iter(())

    def is_in_loop(self, at: Site) -> bool:
        """Return whether it happens in the rounds of a loop of its function."""
        return any(each.condition == "loop" and each.at == at for each in self.iter_outwards())

    def is_in_clause(self, at: Site) -> bool:
        """Return whether it happens in a clause of its function that takes exceptions."""
        return any(each.condition == "handles" and each.at == at for each in self.iter_outwards())


@dataclass(slots=True, eq=False)
class OfValue(Event):
    """Something that is done with one value."""

    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return (self.value,)


@dataclass(slots=True, eq=False)
class Called(Event):
    """A call. `path` is what is called, if it is not of the project: `requests.get`; `.name` for a method of something unknown.

    `followed` tells that the called code is the project's: it is entered here, or where its result is waited for.
    """

    callee: Value
    path: str
    receiver: Value | None
    arguments: tuple[Value, ...]
    named: dict[str, Value]
    result: Value
    followed: bool = False
    is_open: bool = False
    """Whether there are further arguments whose names or number are unknown: the last argument represents each of them.
    """
    written: bool = False
    """Whether the code says just this call: a library calls what it is handed, an operator a method, and no code says so."""
    acts: "frozenset[str] | None" = field(default=None, init=False, repr=False)
    """What the call does by the tables of models, once that was asked."""

    def find_argument(self, position: int, *names: str) -> Value | None:
        """Return an argument by its name or its position, -1 for the last; None if it is not given."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.arguments[position] if -len(self.arguments) <= position < len(self.arguments) else None

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return (*((self.receiver,) if self.receiver is not None else ()), *self.arguments, *self.named.values())


@dataclass(slots=True, eq=False)
class Returned(OfValue):
    """A value is returned from the function that runs. `given` is the expression that gives it."""

    given: Site


@dataclass(slots=True, eq=False)
class Raised(Event):
    """An exception is raised by a statement. `value` is None where the one that is handled is raised again."""

    value: Value | None

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return (self.value,) if self.value is not None else ()


@dataclass(slots=True, eq=False)
class Indexed(Event):
    """An element is taken; `is_known` tells that just this one was seen to be put there."""

    owner: Value
    key: Value
    is_known: bool = False

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return (self.owner, self.key)


@dataclass(slots=True, eq=False)
class Divided(Event):
    """A number is divided by another that is no constant, where dividing by zero ends in a panic.

    It is about no value, since what comes of the division is seen.
    """

    divisor: Value


@dataclass(slots=True, eq=False)
class Sliced(Event):
    """A part is taken, from `low` to before `high`; None is the beginning, or the end."""

    owner: Value
    low: Value | None
    high: Value | None

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return tuple(each for each in (self.owner, self.low, self.high) if each is not None)


@dataclass(slots=True, eq=False)
class Cut(Event):
    """Only the beginning of a sequence or a text is kept: at most `size` elements. What is left has the label."""

    owner: Value
    size: Value
    label: Label
    is_stop: bool = False
    """Whether a loop stops filling the owner there, so that nothing more was found."""
    ranks: bool = False
    """Whether they are the first in an order that the cut itself makes, as the five largest are."""
    is_in_place: bool = False
    """Whether the owner itself has no more elements from now on."""


@dataclass(slots=True, eq=False)
class Stored(Event):
    """A value is written into an object, under a key, or as one more element if there is none."""

    owner: Value
    key: Value | None
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return (self.value,)


@dataclass(slots=True, eq=False)
class Awaited(OfValue):
    """A value is waited for."""


@dataclass(slots=True, eq=False)
class Caught(Event):
    """A clause takes what was raised in the body of the `Try` at `tried`: of some types, or all if there are none.

    `head` is where it names the types, or the clause if it names none.
    """

    tried: Site
    head: Site
    value: Value
    types: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Tested(OfValue):
    """A value decides what is done next, perhaps as one of the branches of `whole`."""

    whole: Site | None = None


@dataclass(slots=True, eq=False)
class Looped(OfValue):
    """The elements of a value are gone through; `element` is one of them, with what it holds."""

    element: Value


@dataclass(slots=True, eq=False)
class Carried(Event):
    """A loop has a value in each round that the one before left: of a variable, or of an entry of an object.

    `value` is what it is in any round, `first` what it is in the first one, and `after` what a round leaves for the next.
    """

    value: Value
    first: Value
    after: Value


@dataclass(slots=True, eq=False)
class Assigned(OfValue):
    """A variable is given a value in a branch or a loop."""


@dataclass(slots=True, eq=False)
class Decoded(Event):
    """What a client sends is read as an object of a type: by `entries` its fields take what is given under some names.

    Of several names of one field any may be given. Each has the place where the type says it.
    """

    entries: tuple[tuple[str, tuple[Text, ...]], ...]


@dataclass(slots=True, eq=False)
class Obscured(Event):
    """Some values are taken by an expression that is not lowered."""

    taken: tuple[Value, ...]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return self.taken


@dataclass(slots=True, eq=False)
class Captured(Event):
    """A function is made, `inner`, that reads some values of the variables around it."""

    inner: Code
    read: tuple[Value, ...]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that it is about."""
        return self.read


@dataclass(slots=True, eq=False)
class Entered(Event):
    """A function of the project is run: `trace` is what it does, `labels` where what it is handed comes from.

    `given` are the values that it is handed, by the terms that it has for them.
    """

    trace: "Trace"
    labels: Mapping[Label, frozenset[Label]]
    given: Mapping[Term, Value]


@dataclass(frozen=True, slots=True)
class NotFollowed:
    """Something that was not followed, and why: completes "it was not followed: …"."""

    place: CodePlace
    reason: str


@dataclass(slots=True, eq=False)
class Occurrence:
    """An event, and the call that leads to it: one of an `Entered`, None where the run began."""

    event: Event
    caller: "Occurrence | None" = None
    origins: "Mapping[Label, frozenset[Label]] | None" = None
    """Where what the function was handed comes from, None where the run began."""
    constants: "Mapping[Term, Constants]" = field(default_factory=dict)
    """The constants that the function was handed, by the terms that it has for them."""

    def resolve_labels(self, value: Value) -> frozenset[Label]:
        """Return where a value of the event comes from, over all calls."""
        return value.labels if self.origins is None else translate_labels(value.labels, self.origins)

    def trace_source(self, value: Value) -> "tuple[Occurrence, Value]":
        """Return a value of the event as the outermost caller has it that hands it on as it is, and the call there."""
        here = self
        while here.caller is not None and isinstance(here.caller.event, Entered):
            handed = _as_given(value.term, here.caller.event.given)
            if handed is None:
                break
            here, value = here.caller, handed
        return here, value

    def build_call_path(self) -> tuple[CodePlace, ...]:
        """Return the calls that lead here, the outermost first."""
        if self.caller is None:
            return ()
        return (*self.caller.build_call_path(), CodePlace(self.caller.event.code, self.caller.event.at))

    def is_possible(self) -> bool:
        """Return whether no constant that was handed over keeps control from coming here."""
        facts = self.event.facts
        if any(term in facts and not _admits(facts[term], each) for term, each in self.constants.items()):
            return False
        return self.caller is None or self.caller.is_possible()

    def iter_outwards(self) -> "Iterator[Occurrence]":
        """Yield it and the calls that lead to it, from the innermost outwards."""
        current: Occurrence | None = self
        while current is not None:
            yield current
            current = current.caller

    def place_inside(self, event: Event) -> "Occurrence":
        """Return an event of the function that this call enters."""
        handed = _collect_handed_constants(self.event, self.constants) if isinstance(self.event, Entered) else {}
        return Occurrence(event, self, self.origins, handed)

    def find_own_trace(self, whole: "Trace") -> "Trace":
        """Return the trace of the function in which it happens, in the same call; `whole` is the trace of the run."""
        call = self.caller.event if self.caller is not None else None
        return call.trace if isinstance(call, Entered) else whole

    def iter_circumstances(self) -> Iterator[Context]:
        """Yield the contexts around it over all calls, innermost first."""
        for each in self.iter_outwards():
            yield from each.event.iter_outwards()

    def is_under(self, condition: ContextKind) -> bool:
        """Return whether something of a kind surrounds it."""
        return any(each.condition == condition for each in self.iter_circumstances())


def _as_given(term: Term, given: Mapping[Term, Value]) -> Value | None:
    """Return the argument that has a term in a function: a value, or an entry of an argument; else None."""
    found = given.get(term)
    if found is None and isinstance(term, tuple) and len(term) == 3 and term[0] == "entry":
        owner = _as_given(term[1], given)
        found = (owner.contents or {}).get(term[2]) if owner is not None else None
    return found


Origins = Mapping[Label, frozenset[Label]]
"""Where what a function is handed comes from, by the labels that it has for that."""


@dataclass(slots=True, eq=False)
class _Level:
    """A function that is run: what it does, the call that led there, what it was handed, and what is around it.

    The calls that it makes are made once, for all who go through them. `key` is equal for levels whose events say the same.
    """

    trace: "Trace"
    caller: Occurrence | None = None
    origins: Origins | None = None
    constants: "Mapping[Term, Constants]" = field(default_factory=dict)
    around: frozenset[ContextKind] = frozenset()
    key: int = 0
    _calls: "dict[Event, _CallFrame] | None" = None

    def build_occurrence(self, event: Event) -> Occurrence:
        """Return an event as it happens here; of a call it is always the same."""
        if isinstance(event, Entered):
            return self.call(event).occurrence
        return Occurrence(event, self.caller, self.origins, self.constants)

    def call(self, event: "Entered") -> "_CallFrame":
        """Return a call as it happens here."""
        if self._calls is None:
            self._calls = {}
        found = self._calls.get(event)
        if found is None:
            origins = event.labels
            if self.origins is not None:
                origins = {label: translate_labels(each, self.origins) for label, each in origins.items()}
            here = Occurrence(event, self.caller, self.origins, self.constants)
            found = self._calls[event] = _CallFrame(here, origins)
        return found

    def enter(self, event: "Entered", tells: bool, keys: "dict[object, _Level]") -> "_Level":
        """Return the level of a call; `tells` whether it is told what constants are handed over, `keys` has one of each key."""
        call = self.call(event)
        found = call.telling if tells else call.silent
        if found is None:
            handed = _collect_handed_constants(event, self.constants) if tells else {}
            around = self.around | _collect_circumstances(event)
            key = (id(event.trace), around, frozenset(call.origins.items()), frozenset(handed.items()))
            like = keys.get(key)
            if like is None:
                found = keys[key] = _Level(event.trace, call.occurrence, call.origins, handed, around, len(keys) + 1)
            else:  # what is equal is held once
                found = _Level(event.trace, call.occurrence, like.origins, like.constants, like.around, like.key)
                call.origins = found.origins or {}
            if tells:
                call.telling = found
            else:
                call.silent = found
        return found


@dataclass(slots=True, eq=False)
class _CallFrame:
    """A call as it happens in a level: where what it hands over comes from, and the levels that it leads to."""

    occurrence: Occurrence
    origins: Origins
    telling: _Level | None = None
    silent: _Level | None = None


ELSEWHERE = frozenset[ContextKind]({"thread", "task", "signal"})
"""Circumstances in which what is done is done elsewhere than where the call stands."""


def _collect_circumstances(event: Event) -> frozenset[ContextKind]:
    outwards = event.iter_outwards()
    return frozenset(each.condition for each in outwards) & ELSEWHERE


def _admits(fact: KnownFact, constants: "Constants") -> bool:
    """Return whether a value that can only be some constants may be as a fact says."""
    return any(
        (fact.equal is None or each in fact.equal)
        and each not in fact.unequal
        and fact.truth in (None, bool(each[1]))
        and fact.present in (None, each[1] is not None)
        for each in constants
    )


def translate_labels(labels: frozenset[Label], origins: Mapping[Label, frozenset[Label]]) -> frozenset[Label]:
    """Return labels with those of a parameter replaced by where that comes from."""
    for each in labels:
        if each.origin == "parameter":
            break
    else:
        return labels
    if len(labels) == 1:
        return origins.get(each, labels)
    return frozenset([origin for each in labels for origin in origins.get(each, (each,))])


VISITS = 24
"""With how many different constants a function's events are gone through. A helper that runs `git` is told as many commands."""
ENTRIES = 8
"""Elements of a sequence whose constants tell two calls apart. A command has about as many words before its operands."""


def _collect_handed_constants(event: Entered, constants: "Mapping[Term, Constants]") -> "dict[Term, Constants]":
    """Return the constants that a call hands over, also those that were handed to the caller, and those in its sequences."""
    found: dict[Term, Constants] = {}
    for term, value in event.given.items():
        known = constants.get(value.term) or infer_constants(value, event.facts)
        if known is not None:
            found[term] = known
        elif value.contents is not None and len(value.contents) <= ENTRIES:
            for key, each in value.contents.items():
                inner = constants.get(each.term) or infer_constants(each, event.facts)
                if inner is not None:
                    found["entry", term, key] = inner
    return found


class EventFilter(NamedTuple):
    """A filter for events: by kind, by function and by a predicate."""

    kinds: "tuple[type[Event], ...]" = (Event,)
    code: Code | None = None
    test: "Callable[[Event, Any], bool] | None" = None


Enters = Callable[[Entered, Origins], bool]
"""Decides whether the function that a call runs is to be searched, from the call and the origins of its arguments."""


def exclude(one: Event, other: Event) -> bool:
    """Return whether two events of a function exclude each other: the branches they are in need opposite test results."""
    for term, fact in one.facts.items():
        known = other.facts.get(term)
        if known is not None and fact.truth is not None and known.truth is (not fact.truth):
            return True
    return False


def enters_everywhere(_event: Entered, _origins: Origins) -> bool:
    """Return True: the function of every call is searched."""
    return True


@dataclass(slots=True, eq=False)
class Trace:
    """What one run of a function does with its arguments. `result` is the value it returns, None if it never returns one."""

    code: Code
    events: tuple[Event, ...]
    result: Value | None
    omissions: tuple[NotFollowed, ...] = ()
    acts: frozenset[str] = frozenset()
    """What the libraries' functions do that it calls, and those that it enters call."""
    unreached: tuple[Statement, ...] = ()
    """What no way through it led to, as far as could be told."""
    _told: "dict[Callable[[Trace, Any], bool], bool]" = field(default_factory=dict, repr=False)
    _leads: "dict[Callable[[Event, Any], bool], bool]" = field(default_factory=dict, repr=False)
    _traces: "tuple[Trace, ...] | None" = field(default=None, repr=False)
    _leading: "dict[EventFilter, tuple[tuple[Event, bool], ...]]" = field(default_factory=dict, repr=False)
    _begun: "tuple[_Level, dict[object, _Level]] | None" = field(default=None, repr=False)
    _happening: "dict[tuple[Enters, tuple[type[Event], ...], Code | None], tuple[Occurrence, ...]]" = field(
        default_factory=dict, repr=False
    )
    _by_code: "dict[Enters, dict[Code, list[Occurrence]]]" = field(default_factory=dict, repr=False)
    _by_kind: "dict[type[Event], tuple[Event, ...]]" = field(default_factory=dict, repr=False)
    _by_call: "dict[Site, list[Entered]] | None" = field(default=None, repr=False)
    _unreached_names: "frozenset[str] | None" = field(default=None, repr=False)

    @property
    def unreached_names(self) -> frozenset[str]:
        """The names of what is read, or handed over, in what no way through it led to."""
        if self._unreached_names is None:
            self._unreached_names = collect_names(self.unreached)
        return self._unreached_names

    def list_events(self, kind: type[Happening]) -> tuple[Happening, ...]:
        """Return the events of a kind in the function itself, collected once: many places ask for the same."""
        known = self._by_kind.get(kind)
        if known is None:
            known = self._by_kind[kind] = tuple(each for each in self.events if isinstance(each, kind))
        return cast("tuple[Happening, ...]", known)

    def list_entered(self, at: Site) -> "Sequence[Entered]":
        """Return the functions that a call in the function itself runs; the calls are found once."""
        if self._by_call is None:
            self._by_call = {}
            for each in self.list_events(Entered):
                self._by_call.setdefault(each.at, []).append(each)
        return self._by_call.get(at, ())

    def iter_occurrences(
        self,
        enters: "Enters" = enters_everywhere,
        *,
        kinds: "tuple[type[Event], ...]" = (Event,),
        code: Code | None = None,
    ) -> Iterator[Occurrence]:
        """Yield the events of some kinds, by default of all, and those of what is called, in order; of one `code` if it is given.

        A function's stand once for all calls that hand it the same constants, and what comes from the same, in a thread, in a
        task or in neither. `enters` tells of a call, and of where what it hands over comes from, whether what it runs is of
        interest.
        """
        if enters is enters_everywhere:
            yield from self.list_occurrences(kinds=kinds, code=code)
        else:
            yield from self._walk(enters, EventFilter(kinds, code))

    def list_occurrences(
        self,
        enters: "Enters" = enters_everywhere,
        *,
        kinds: "tuple[type[Event], ...]" = (Event,),
        code: Code | None = None,
    ) -> "tuple[Occurrence, ...]":
        """Return the occurrences, collected once for all analyses that give the same function: some twenty go through all.

        `enters` has to be a function that lasts, such as one of a module.
        """
        asked = (enters, kinds, code)
        known = self._happening.get(asked)
        if known is None:
            whole = (enters, (Event,), None)
            if asked == whole or whole not in self._happening:
                found = self._walk(enters, EventFilter(kinds, code))
            elif code is not None:
                found = (each for each in self._find_in_code(enters, code) if isinstance(each.event, kinds))
            else:
                found = (each for each in self._happening[whole] if isinstance(each.event, kinds))
            known = self._happening[asked] = tuple(found)
        return known

    def iter_matching(
        self,
        test: "Callable[[Event, Asked], bool]",
        program: Asked,
        *,
        kinds: "tuple[type[Event], ...]" = (Event,),
    ) -> Iterator[Occurrence]:
        """Yield the events for which a test holds, as `occurrences` does: each event is asked once for all calls that lead there.

        `test` has to be a function that lasts, such as one of a module.
        """
        yield from self._walk(enters_everywhere, EventFilter(kinds, test=test), program)

    def _find_in_code(self, enters: "Enters", code: Code) -> "Iterable[Occurrence]":
        """Return the occurrences in a function, from an index that is made once of all occurrences."""
        known = self._by_code.get(enters)
        if known is None:
            known = self._by_code[enters] = {}
            for each in self.list_occurrences(enters):
                known.setdefault(each.event.code, []).append(each)
        return known.get(code, ())

    def _walk(self, enters: "Enters", chosen: "EventFilter", program: Any = None) -> Iterator[Occurrence]:
        seen: set[int] = set()
        visits: Counter[Trace] = Counter()
        level, keys = self._root
        pending = [(level, iter(self._collect_leading_events(chosen, program)))]
        while pending:
            level, events = pending[-1]
            for event, is_chosen in events:
                if is_chosen:
                    yield level.build_occurrence(event)
                if isinstance(event, Entered) and (
                    enters is enters_everywhere or enters(event, level.call(event).origins)
                ):
                    entered = level.enter(event, visits[event.trace] < VISITS, keys)
                    if entered.key not in seen:
                        seen.add(entered.key)
                        visits[event.trace] += 1
                        pending.append((entered, iter(event.trace._collect_leading_events(chosen, program))))
                        break
            else:
                pending.pop()

    @property
    def _root(self) -> "tuple[_Level, dict[object, _Level]]":
        """Return the level where it begins, and one of the levels that are made from there for each key."""
        if self._begun is None:
            self._begun = _Level(self), {}
        return self._begun

    def _collect_leading_events(self, chosen: "EventFilter", program: Any) -> "tuple[tuple[Event, bool], ...]":
        """Return the events that are chosen, and the calls that lead to more, each with whether it is chosen; found once."""
        known = self._leading.get(chosen)
        if known is None:
            kinds, code, test = chosen
            found: list[tuple[Event, bool]] = []
            for each in self.events:
                is_chosen = (
                    isinstance(each, kinds)
                    and (code is None or each.code is code)
                    and (test is None or test(each, program))
                )
                if is_chosen or (isinstance(each, Entered) and each.trace._collect_leading_events(chosen, program)):
                    found.append((each, is_chosen))
            known = self._leading[chosen] = tuple(found)
        return known

    def reaches(self, test: "Callable[[Trace, Asked], bool]", program: Asked) -> bool:
        """Return whether a test holds for it, or for what a function does that it enters; asked once for each of them."""
        known = self._told.get(test)
        if known is None:
            entered = (each.trace for each in self.events if isinstance(each, Entered))
            known = self._told[test] = test(self, program) or any(each.reaches(test, program) for each in entered)
        return known

    def leads_to(self, test: "Callable[[Event, Asked], bool]", program: Asked) -> bool:
        """Return whether a test holds for an event of it, or of what a function does that it enters; asked once for each."""
        known = self._leads.get(test)
        if known is None:
            entered = (each.trace for each in self.events if isinstance(each, Entered))
            known = any(test(each, program) for each in self.events)
            known = self._leads[test] = known or any(each.leads_to(test, program) for each in entered)
        return known

    def list_traces(self) -> "tuple[Trace, ...]":
        """Return it and what the functions do that it comes to by calls, each once, in the order in which it comes to them."""
        if self._traces is None:
            found: dict[int, Trace] = {}
            pending = [self]
            while pending:
                current = pending.pop()
                if id(current) not in found:
                    found[id(current)] = current
                    pending += [each.trace for each in reversed(current.events) if isinstance(each, Entered)]
            self._traces = tuple(found.values())
        return self._traces

    def collect_codes(self) -> frozenset[Code]:
        """Return the function that it is of, and those that it comes to by calls."""
        return frozenset(each.code for each in self.list_traces())

    def iter_omissions(self) -> Iterator[NotFollowed]:
        """Yield the calls that were not followed, here and in called functions."""
        for each in self.list_traces():
            yield from each.omissions
