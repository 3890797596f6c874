"""Which objects a function answers, and which of them hold `_meta` of a guard.

Objects are told apart by the function that made or received them, their term there, and which copies of it they are: an object
that is passed to another function is the same one there, and a copy of it is another.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.answer_size.signing import META
from reviewer.behaviour.results.answers import collect_entered_calls, index_by_name
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Entered, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import ELEMENT, NONE, ConditionalValue, Key, Made, Term, Value

SIGNED = frozenset(((str, META),))
"""The key `_meta`, as the constants of a value have it."""

KEEPING = frozenset(
    {
        "text",
        "same text",
        "copied",
        "elements",
        "collected",
        "entries",
        "keys",
        "sorted",
        "turned",
        "filtered",
        "flattened",
        "new",
    }
)
"""What models call functions whose result has in it what they are given: as a text, a copy, a block of an answer, in part."""

FIELDS = (META, "meta")
"""What `_meta` of a result is called where that is an object of an SDK: in Rust, and in Python where it has no alias."""

MOST = 200
"""Values that an answer is looked through for. One that the code builds has ten or twenty; more is data."""


class TracedObject(NamedTuple):
    """An object: the call of the function that made or received it, its term there, and which copies of that it is."""

    call: int
    term: Term
    copies: tuple[Term, ...]


class AnswerPart(NamedTuple):
    """A part of an answer. `is_within` tells that what it stands in holds `_meta`, `holds` that it does itself.

    What it holds is told only if it `is_open`.
    """

    occurrence: Occurrence
    value: Value
    around: tuple[TracedObject, ...] = ()
    is_within: bool = False
    holds: bool = False
    is_open: bool = True


class AnswerObjects(NamedTuple):
    """What is answered: the objects in it, those of them that stand in something that holds `_meta`, and those that hold it."""

    number: int
    occurrence: Occurrence
    around: Mapping[TracedObject, list[tuple[TracedObject, ...]]]
    """The objects in it, each with those that it stands in, wherever it stands."""
    within: frozenset[TracedObject]
    holding: frozenset[TracedObject]


class MetadataObjects:
    """The objects of one run: which they are, which hold `_meta`, and which are answered."""

    def __init__(
        self, trace: Trace, occurrences: Sequence[Occurrence], models: Models, guards: frozenset[Code]
    ) -> None:
        self._trace, self._models, self._guards = trace, models, guards
        self._occurrences = occurrences
        self._beside: dict[int, list[tuple[int, Occurrence]]] = {}
        """What happens in one call of a function, with when, by the call."""
        for number, each in enumerate(self._occurrences):
            self._beside.setdefault(id(each.caller), []).append((number, each))

    def iter_before(self, occurrence: Occurrence, number: int) -> Iterator[Occurrence]:
        """Yield the earlier events of the same call of a function."""
        for when, each in self._beside.get(id(occurrence.caller), ()):
            if when >= number:
                return
            yield each

    def iter_in_call(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        """Yield the events of the same call of a function."""
        return (each for _, each in self._beside.get(id(occurrence.caller), ()))

    def get_object(self, occurrence: Occurrence, value: Value) -> TracedObject:
        """Return which object a value is, as the outermost function has it that hands it on."""
        copies: list[Term] = []
        here = occurrence
        for _ in range(MOST):
            if value.duplicate is not None:
                copies.append(value.duplicate)
            if isinstance(value.meaning, Made) and value.meaning.by == ".0" and here.trace_source(value)[1] is value:
                value = value.meaning.of[0]  # a variant stands for its only part: `Value::Object(map)`
                continue
            caller = here.caller
            handed = (
                caller.event.given.get(value.term) if caller is not None and isinstance(caller.event, Entered) else None
            )
            if caller is None or handed is None:
                break
            here, value = caller, handed
        return TracedObject(id(here.caller.event) if here.caller is not None else 0, value.term, tuple(copies))

    @cached_property
    def signed(self) -> dict[TracedObject, list[int]]:
        """The objects into which `_meta` is written, each with when."""
        found: dict[TracedObject, list[int]] = {}
        for number, each in enumerate(self._occurrences):
            owner = self._find_signed_object(each)
            if owner is not None:
                found.setdefault(self.get_object(each, owner), []).append(number)
        return found

    def _find_signed_object(self, occurrence: Occurrence) -> Value | None:
        """Return the object into which an event writes `_meta`, None if it does not."""
        match occurrence.event:
            case Stored(owner=owner, key=Value() as key, value=value) if self.may_be_meta(occurrence, key):
                return owner if not is_nothing(value) else None
            case Called(receiver=Value() as owner, arguments=(first, *others)) as event:
                returns = find_modelled_return(event, self._models)
                if returns == "written" and others and self.may_be_meta(occurrence, first):
                    return owner if not is_nothing(others[0]) else None
                if returns == "extended" and META in index_by_name(first):
                    return owner
        return None

    def may_be_meta(self, occurrence: Occurrence, key: Value) -> bool:
        """Return whether `_meta` is among the constants that a key may be."""
        known = self.find_constants(occurrence, key)
        return known is not None and known >= SIGNED

    def find_constants(self, occurrence: Occurrence, value: Value) -> frozenset[tuple[type, object]] | None:
        """Return the constants that a value may be, each with its type; None if it may be anything."""
        known = infer_constants(value, occurrence.event.facts) or occurrence.constants.get(value.term)
        return known if known is not None else occurrence.trace_source(value)[1].constants

    def may_hold(self, occurrence: Occurrence, value: Value) -> bool:
        """Return whether an object may have `_meta` of the guard: where it was made it was put in, or the guard gave it."""
        waiting = [(occurrence, value)]
        seen: set[tuple[int, Term]] = set()
        for number in range(MOST):
            if number >= len(waiting):
                break
            here, found = waiting[number]
            here, found = here.trace_source(found)
            if self._has_metadata(here, found):
                return True
            key = (id(here.caller.event) if here.caller is not None else 0, found.term)
            if key in seen or found.constants is not None:
                continue
            seen.add(key)
            waiting += ((here, each) for each in self._collect_entry_sources(found))
            for call, trace in collect_entered_calls(self._trace, here, found):
                if trace.code in self._guards:
                    return True
                waiting += (
                    (Occurrence(each, call), part)
                    for each in trace.events
                    if isinstance(each, Returned)
                    for part in _iter_parts_of(each.value)
                )
        return False

    def _has_metadata(self, here: Occurrence, value: Value) -> bool:
        held = index_by_name(value).get(META)
        return (held is not None and not is_nothing(held)) or self.get_object(here, value) in self.signed

    def _collect_entry_sources(self, value: Value) -> tuple[Value, ...]:
        """Return the values that an object is, or has the entries of."""
        if value.ways:
            return value.ways
        match value.meaning:
            case Made(by, of) if by in ("element", ".0") or self._models.get_model(by).returns in KEEPING:
                return of[:1]
        spread = (value.contents or {}).get(ELEMENT)
        match spread.term if spread is not None else None:
            case ("element", term):
                return (Value(term),)  # an object with all entries of another: `{**answer}`
        return ()

    # answers

    @cached_property
    def answers(self) -> list[AnswerObjects]:
        """What the handler is left with, and what the functions are left with whose result it answers."""
        found = []
        answering: set[int] = set()
        ends = [
            (number, each, each.event.value)
            for number, each in enumerate(self._occurrences)
            if isinstance(each.event, Returned)
        ]
        for number, each, value in sorted(ends, key=lambda end: len(end[1].build_call_path())):
            if each.caller is not None and id(each.caller.event) not in answering:
                continue
            contents = [(self.get_object(one.occurrence, one.value), one) for one in self.iter_contents(each, value)]
            given = (one.occurrence.trace_source(one.value) for _, one in contents if not one.is_within)
            answering.update(
                id(call.event) for here, each in given for call, _ in collect_entered_calls(self._trace, here, each)
            )
            around: dict[TracedObject, list[tuple[TracedObject, ...]]] = {}
            for one, content in contents:
                around.setdefault(one, []).append(content.around)
            within = frozenset(one for one, content in contents if content.is_within)
            holding = frozenset(one for one, content in contents if content.holds)
            found.append(AnswerObjects(number, each, around, within, holding))
        return found

    def iter_contents(self, occurrence: Occurrence, value: Value) -> Iterator[AnswerPart]:
        """Yield an answer and what it consists of."""
        waiting = [AnswerPart(occurrence, value)]
        for number in range(MOST):
            if number >= len(waiting):
                return
            one = waiting[number]
            here, found = one.occurrence.trace_source(one.value)
            own = found.contents or {} if one.is_open else {}
            held = index_by_name(found) if one.is_open else {}
            is_signed = any(not is_nothing(held[name]) for name in FIELDS if name in held)
            one = one._replace(holds=is_signed or self._spreads(here, own))
            yield one
            within = one._replace(occurrence=here, is_within=one.is_within or one.holds, holds=False)
            inner = within._replace(around=(*one.around, self.get_object(here, found))) if own else within
            waiting += (inner._replace(value=each, is_open=True) for each in own.values() if each.constants is None)
            match found.meaning:
                case ConditionalValue(then=then, otherwise=otherwise):
                    waiting += (within._replace(value=each) for each in (then, otherwise))
                case Made(by, of) if by in ("joined", "text", ".0") or self._models.get_model(by).returns in KEEPING:
                    # what was copied may hold other things than the copy does by now
                    waiting += (within._replace(value=each, is_open=one.is_open and not own) for each in of)

    def _spreads(self, here: Occurrence, held: Mapping[Key, Value]) -> bool:
        """Return whether an object takes over all entries of one that may contain `_meta`, without naming them:
        `{**answer}`.
        """
        spread = held.get(ELEMENT)
        match spread.term if spread is not None else None:
            case ("element", term):
                return self.may_hold(here, Value(term))
        return False


def is_nothing(value: Value) -> bool:
    """Return whether a value is the null of its language."""
    return value.constant == NONE.constant


def _iter_parts_of(value: Value) -> Iterator[Value]:
    """Yield the values that a function returns, with the parts of a tuple or a result."""
    yield value
    yield from (part for key, part in (value.contents or {}).items() if not isinstance(key, str))
