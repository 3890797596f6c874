"""Responses of other hosts whose body is used without a check of the HTTP status, and outputs of commands likewise."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from http import HTTPStatus
from typing import NamedTuple

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.reachable import collect_inner, iter_reachable
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Assigned,
    Called,
    Captured,
    Entered,
    Event,
    Indexed,
    Obscured,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Site
from reviewer.code.models import ActName, Models
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    get_term_head,
    strip_negations,
)
from reviewer.facts import UncheckedAnswer
from reviewer.records import dataclass
from reviewer.source import Text
from reviewer.text.patterns import pattern

EXIT: ActName = "any exit"

ANY = frozenset[ActName]({"any status", EXIT})
"""Acts in the models that give an answer whatever its status is, of a server or of a command."""

READING: ActName = "reads body"
TELLING: ActName = "tells status"

MOST = 48
"""How many values are looked at that one may be, or is read from, the nearest first."""

MOST_PARTS = 400
"""How many values are looked at for the status of an answer that they hold: an answer to a client may have as many fields."""

FAILURE = pattern(
    r"(?!.*\s)(?:.*(?:error|_err|(?<!de)fault|exception|success|fail|problem)|/?err"
    r"|/?(?:ok|status|code|cod|message|msg|details?|reason|ret(?:code)?)$)",
    re.IGNORECASE,
)
"""Under what a body says that the request failed: who asks for that looks at it instead of at the status."""


class _MemberUse(NamedTuple):
    """A member of a value that is used: its name, where, and the value that it gives.

    `settled` are the values that are known there to be one of some constants.
    """

    name: str
    text: Text
    gives: Term
    settled: frozenset[Term] = frozenset()


@dataclass(slots=True)
class _ValueUses:
    """What a function and what it calls do with values, by the terms that the function has for them."""

    requests: dict[Term, Called] = field(default_factory=dict)
    members: dict[Term, set[_MemberUse]] = field(default_factory=dict)
    away: set[Term] = field(default_factory=set)
    """What is handed to where it is not seen, or is asked for its truth."""
    asked: set[Term] = field(default_factory=set)
    """What is asked whether it tells of a failure."""
    given: set[Term] = field(default_factory=set)
    """What it is left with, but for what is known to have failed there: `?` gives that back as the reason."""
    calls: dict[Site, set[Term]] = field(default_factory=dict)
    """The same values for each call in it, by the place of the call."""
    statuses: dict[Term, Term] = field(default_factory=dict)
    """What members give, and what their methods make of that, by the term; each with the term of the former."""
    compared: dict[Term, Text] = field(default_factory=dict)
    """What is compared with single statuses of failure, and where."""
    told: set[Term] = field(default_factory=set)
    """What anything else is done with."""

    def collect_terms(self, values: Iterable[Value]) -> set[Term]:
        """Return the terms of what some values may be."""
        kept = (each for each in values if not self._is_left_out(each.term))
        return {each.term for each in iter_reachable(kept, self._collect_ways, MOST)}

    def _collect_ways(self, value: Value) -> tuple[Value, ...]:
        return tuple(each for each in value.ways if not self._is_left_out(each.term))

    def _is_left_out(self, term: Term) -> bool:
        """Return whether a call gives a value back only where that failed."""
        match term:
            case ("via", Site() as at, given) if at in self.calls:
                return given not in self.calls[at]
        return False


def iter_unchecked_statuses(entry_points: EntryPoints) -> Iterator[UncheckedAnswer]:
    """Yield where the body of an answer is read on a way on which nothing looks at its status."""
    models = entry_points.program.models
    reading, telling = (_collect_names(models, act) for act in (READING, TELLING))
    refusing: frozenset[str] | None = None
    finder = _Finder(models, reading, telling)
    for tool, trace in entry_points.iter_calls():
        if ANY.isdisjoint(trace.acts):
            continue
        for request, use, compared in finder.iter_unchecked(trace):
            if refusing is None:
                refusing = frozenset(_iter_refusing_libraries(entry_points))
            library = request.path.split(".")[0]
            if library not in refusing:
                of_command = EXIT in collect_acts(request, models)
                yield UncheckedAnswer(use.text, request.text, tool, library, of_command, compared)


def _collect_names(models: Models, act: ActName) -> frozenset[str]:
    return frozenset(each.rpartition(".")[2] for each in models.find_paths_acting(frozenset({act})))


class _Finder:
    """What is done with the answers of requests; tools that call one function share what is known of it."""

    def __init__(self, models: Models, reading: frozenset[str], telling: frozenset[str]) -> None:
        self._models, self._names, self._telling = models, reading | telling, telling
        self._known: dict[int, tuple[Trace, _ValueUses]] = {}
        """By the identity of the trace, which is held so that no other gets it."""

    def iter_unchecked(self, trace: Trace) -> Iterator[tuple[Called, _MemberUse, Text | None]]:
        """Yield the requests whose answers are read and not looked at, each with the place that reads them.

        If the status is only compared with single ones of failure, that is told as well: any other still goes unseen.
        """
        found = self._get_uses(trace)
        looked = set(found.away)
        compared = dict[Term, list[_MemberUse]]()
        for term, uses in found.members.items():
            telling = [each for each in uses if TELLING in self._collect_acts(term, each, found)]
            if any(each.gives in found.told or each.gives not in found.compared for each in telling):
                looked.add(term)
            elif telling:
                compared[term] = telling
        for term, uses in found.members.items():
            request = _request(term, found)
            if request is None or _is_related(term, looked):
                continue
            read = [each for each in uses if READING in self._collect_acts(term, each, found)]
            if any(_is_related(each.gives, found.asked) for each in read):
                continue
            tests = [each for other, telling in compared.items() if _is_related(other, {term}) for each in telling]
            read = [each for each in read if each.settled.isdisjoint(one.gives for one in tests)]
            if read:
                place = min((found.compared[each.gives] for each in tests), key=lambda each: each.span, default=None)
                yield request, min(read, key=lambda each: each.text.span), place

    def _collect_acts(self, term: Term, use: _MemberUse, found: _ValueUses) -> frozenset[ActName]:
        """Return the acts of a member of an answer, by the type that the request returns."""
        request = _request(term, found)
        row = self._models.find_model(request.path) if request is not None else None
        member = self._models.find_model(f"{row.type}.{use.name}") if row is not None else None
        return frozenset(member.acts) if member is not None else frozenset()

    def _get_uses(self, trace: Trace) -> _ValueUses:
        if id(trace) not in self._known:
            uses = _ValueUses()  # what calls itself does nothing else with what it is handed
            self._known[id(trace)] = (trace, uses)
            entered = {each.at for each in trace.events if isinstance(each, Entered)}
            for event in trace.events:
                self._take(event, uses, entered)
        return self._known[id(trace)][1]

    def _take(self, event: Event, uses: _ValueUses, entered: set[Site]) -> None:
        if isinstance(event, Entered):
            self._enter(event, uses)
            return
        single = _find_compared(event.value) if isinstance(event, Tested) else None
        for each in iter_nested_values(event.values):
            self._note_value(each, event, uses)
        if uses.statuses and not isinstance(event, Assigned):  # a name for it is no use of it
            for each in _iter_statuses(event.values, uses.statuses):
                self._note_status(each.term, single, event, uses)
        match event:
            case Called():
                self._call(event, uses, entered)
            case Stored() | Obscured() | Captured():
                uses.away.update(uses.collect_terms(_iter_held(event.values)))
            case Returned(value=value):
                uses.away.update(uses.collect_terms(each for each in _iter_held((value,)) if each is not value))
                found = uses.collect_terms([value])
                if not any(_has_failed(each, event) for each in found):
                    uses.given |= found
            case Tested(value=value):
                self._test(value, uses)
            case Indexed(owner=owner, key=key) if key.text is not None and FAILURE.match(key.text):
                uses.asked.update(_collect_bodies(owner))

    def _note_status(self, term: Term, single: Term, event: Event, uses: _ValueUses) -> None:
        """Take down what is done with a status: it is compared with one of failure, or anything else."""
        status = uses.statuses[term]
        if single is not None and single == term:
            uses.compared.setdefault(status, event.text)
        elif isinstance(event, Called) and not event.followed and not event.arguments and event.receiver is not None:
            uses.statuses.setdefault(event.result.term, status)  # `status().as_u16()`
        else:
            uses.told.add(status)

    def _test(self, value: Value, uses: _ValueUses) -> None:
        """Take down what is asked: whether an answer is true, as one of a good status is, what its headers and its body are."""
        test, _ = strip_negations(value)
        uses.away.update(uses.collect_terms([test]))
        for each in iter_nested_values([test]):
            if isinstance(each.meaning, Made) and each.meaning.by.rpartition(".")[2] == "headers":
                uses.away.update(uses.collect_terms(each.meaning.of[:1]))
        match test.meaning:
            case Relation("in", _, Value() as body) | Relation("kind", body):
                uses.asked.update(_collect_bodies(body))

    def _call(self, event: Called, uses: _ValueUses, entered: set[Site]) -> None:
        if not event.followed and self._is_request(event) and _is_plain(event):
            uses.requests[event.result.term] = event
        if event.receiver is not None:
            name = event.path.rpartition(".")[2]
            if name in self._names:
                use = _MemberUse(name, event.text, event.result.term, _collect_settled(event))
                if name in self._telling:
                    uses.statuses.setdefault(use.gives, use.gives)
                for term in uses.collect_terms([event.receiver]):
                    uses.members.setdefault(term, set()).add(use)
            if any(each.text is not None and FAILURE.match(each.text) for each in event.arguments):
                uses.asked.update(_collect_bodies(event.receiver))
        if not event.followed or event.at not in entered:
            uses.away.update(uses.collect_terms(_iter_held((*event.arguments, *event.named.values()))))

    def _is_request(self, event: Called) -> bool:
        """Return whether a call gives something whatever its status is; a command that is always the same only probes."""
        acts = collect_acts(event, self._models)
        return not ANY.isdisjoint(acts) and (
            EXIT not in acts or any(each.labels for each in iter_nested_values(event.values))
        )

    def _note_value(self, value: Value, event: Event, uses: _ValueUses) -> None:
        """Take down what a value tells that an event is about: a field of an answer, a part of its body."""
        match value.meaning, value.term:
            case Made(of=(owner, *_)), ("field", _, str() as name):
                if name in self._names:
                    use = _MemberUse(name, event.text, value.term, _collect_settled(event))
                    if name in self._telling:
                        uses.statuses.setdefault(use.gives, use.gives)
                    for term in uses.collect_terms([owner]):
                        uses.members.setdefault(term, set()).add(use)
                if FAILURE.match(name):
                    uses.asked.update(_collect_bodies(owner))
            case Made(of=(owner, key, *_)), _ if key.text is not None and FAILURE.match(key.text):
                uses.asked.update(_collect_bodies(owner))
            case Relation("in", left, right), _ if right is not None and left.text and FAILURE.match(left.text):
                uses.asked.update(_collect_bodies(right))

    def _enter(self, event: Entered, uses: _ValueUses) -> None:
        """Take over what an entered function does, by the terms of its caller."""
        inner = self._get_uses(event.trace)
        given = event.given
        uses.calls.setdefault(event.at, set()).update(inner.given)

        def translate_outward(term: Term) -> Iterable[Term]:
            return uses.collect_terms([given[term]]) if term in given else (term,)

        uses.requests.update(inner.requests)
        settled = _collect_settled(event) if inner.members else frozenset()
        for term, found in inner.members.items():
            given_uses = {each._replace(settled=each.settled | settled) for each in found} if settled else found
            for each in translate_outward(term):
                uses.members.setdefault(each, set()).update(given_uses)
        uses.statuses.update(inner.statuses)
        for status, text in inner.compared.items():
            uses.compared.setdefault(status, text)
        uses.told |= inner.told
        uses.away.update(each for term in inner.away for each in translate_outward(term))
        for term in inner.asked:
            uses.asked.update(_collect_bodies(given[term]) if term in given else (term,))


def _iter_statuses(values: Iterable[Value], statuses: Mapping[Term, Term]) -> Iterator[Value]:
    """Yield those of some values, and of what they hold or are made of, that are statuses; not the tests that chose a value."""

    def follow(value: Value) -> tuple[Value, ...]:
        if value.term in statuses:
            return ()
        made_of = value.ways if isinstance(value.meaning, ConditionalValue) else value.operands
        return (*(value.contents or {}).values(), *made_of)

    return (each for each in iter_reachable(values, follow, MOST_PARTS) if each.term in statuses)


def _find_compared(value: Value) -> Term:
    """Return the value that a test compares with one status of failure, or several; None if it asks something else."""
    test, _ = strip_negations(value)
    match test.meaning:
        case Relation("==", left, Value() as right):
            for one, other in ((left, right), (right, left)):
                if _is_failing_status(other):
                    return one.term
        case Relation("in", left, Value(contents=dict() as held)) if held and all(
            map(_is_failing_status, held.values())
        ):
            return left.term
    return None


def _is_failing_status(value: Value) -> bool:
    """Return whether a value is one status of failure: a number, or a constant of an enumeration that has its name."""
    if value.constant is not None:
        return isinstance(value.constant[1], int) and LOWEST <= value.constant[1] < ENDLESS
    paths = [each.path.split(".") for each in value.things if isinstance(each, Library)]
    return any(
        ENUMERATIONS.intersection(path) and HTTPStatus.__members__.get(path[-1], HTTPStatus.OK) >= LOWEST
        for path in paths
    )


def _collect_settled(event: Event) -> frozenset[Term]:
    """Return the terms of what is known, where something happens, to be one of some constants."""
    found = set[Term]()
    for each in event.iter_outwards():
        if each.condition == "test" and each.value is not None:
            test, holds = strip_negations(each.value, each.holds)
            if holds and isinstance(test.meaning, Relation) and test.meaning.operator in ("==", "in"):
                found.add(test.meaning.left.term)
                found |= {test.meaning.right.term} if test.meaning.right is not None else set()
    for term, fact in event.facts.items():
        if fact.equal is not None:
            found.add(term)
        elif fact.truth and isinstance(term, tuple) and term[:1] in (("==",), ("in",)):
            found.update(term[1:])
    return frozenset(found)


LOWEST, ENDLESS = HTTPStatus.BAD_REQUEST, 600
"""Between which numbers the statuses lie that tell of a failure."""

ENUMERATIONS = frozenset({"StatusCode", "HTTPStatus"})
"""How the types are called, of Rust and of Python, whose constants have the names of the standard."""


def _is_plain(event: Called) -> bool:
    """Return whether a request is one of a library's own client, which is told nothing that could look at its answers."""
    things = event.receiver.things if event.receiver is not None else ()
    check = event.named.get("check")  # `subprocess.run(.., check=True)` fails by itself
    is_told = check is not None and check.constant not in ((bool, False), (type(None), None))
    return (
        not event.is_open
        and not is_told
        and not any(isinstance(each, Instance) and isinstance(each.of, Class) for each in things)
    )


def _has_failed(term: Term, event: Event) -> bool:
    fact = event.facts.get(term)
    return fact is not None and fact.failed is True


def _request(term: Term, found: _ValueUses) -> Called | None:
    return next((found.requests[each] for each in _iter_within(term) if each in found.requests), None)


def _is_related(term: Term, others: set[Term]) -> bool:
    """Return whether a value is one of some, before or after functions of the project gave it back."""
    return any(each in others for each in _iter_within(term)) or any(term in _iter_within(each) for each in others)


def _iter_within(term: Term) -> Iterator[Term]:
    """Yield a term, and those that the value had before functions of the project gave it back."""
    yield term
    while isinstance(term, tuple) and term[:1] == ("via",):
        term = term[2]
        yield term


def _iter_held(values: Iterable[Value]) -> Iterator[Value]:
    """Yield some values and what they hold."""
    for each in values:
        yield each
        yield from list((each.contents or {}).values())[:MOST]


def _collect_bodies(value: Value) -> set[Term]:
    """Return the terms of a value, and of what it was read from: no element, no entry and no field of anything else."""

    def follow(value: Value) -> tuple[Value, ...]:
        is_part = get_term_head(value.term) in ("item", "element")
        return () if is_part and isinstance(value.meaning, Made) else value.sources

    return {each.term for each in iter_reachable((value,), follow, MOST)}


def iter_nested_values(values: Iterable[Value]) -> Iterator[Value]:
    """Yield some values with what they hold and what they are made of."""
    return iter_reachable(values, collect_inner, MOST_PARTS)


HOOKS = frozenset({"event_hooks", "hooks"})
"""Fields of clients, and arguments that make them, under which they hold what looks at each answer."""

TOLD = HOOKS | {"raise_for_status", "transport"}
"""Arguments by which a client, or a request, is told to look at the status, or what stands between it and the hosts."""

MIDDLEWARE = "reqwest_middleware"


def _iter_refusing_libraries(entry_points: EntryPoints) -> Iterator[str]:
    """Yield the libraries whose clients are told somewhere what may look at the status of each answer."""
    for trace in entry_points.iter_traces_around(*TOLD, MIDDLEWARE, "ClientWithMiddleware"):
        for each in trace.events:
            if isinstance(each, Called) and not each.followed and not TOLD.isdisjoint(each.named):
                yield each.path.split(".")[0]
            if isinstance(each, Called) and each.path.startswith(MIDDLEWARE):
                yield "reqwest"
            if isinstance(each, Stored) and each.key is not None and each.key.text in HOOKS:
                yield from _iter_libraries(each.owner)
            held = (each.owner,) if isinstance(each, Stored) else each.values if isinstance(each, Called) else ()
            for value in iter_nested_values(held):
                match value.meaning:
                    case Made(by, (owner, *_)) if by.rpartition(".")[2] in HOOKS:
                        yield from _iter_libraries(owner)


def _iter_libraries(value: Value) -> Iterator[str]:
    kinds = (each.of for each in value.things if isinstance(each, Instance))
    yield from (each.path.split(".")[0] for each in kinds if isinstance(each, Library))
