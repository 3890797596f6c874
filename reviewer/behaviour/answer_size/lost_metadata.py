"""Where `_meta` that a guard puts into an answer is taken out again before the answer reaches the client.

It is taken out of an object, or left out of one that is made of another's entries. That is a fault if the guard signed the object
that had it, if what is left is answered, and if what was taken is not answered beside it or put back. Objects are told apart by
the function that made or received them, their term there, and which copies of it they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.answer_size.signing import META
from reviewer.behaviour.results.answers import collect_entered_calls, index_by_name
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import (
    Called,
    Entered,
    Event,
    Indexed,
    Looped,
    Occurrence,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import KnownFact, infer_constants, infer_truth
from reviewer.code.values import ELEMENT, NONE, ConditionalValue, Key, Made, Term, Value, get_term_head
from reviewer.facts import Guard
from reviewer.source import Text

SIGNED = frozenset(((str, META),))

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

VIEWS = frozenset({"entries", "keys", "elements", "collected", "sorted", "turned", "filtered", "flattened"})
"""What models call functions that give the keys of an object, or pairs of them, where they are given these or the object."""

KEEPERS = frozenset({"filtered", "retained"})
"""What models call functions that keep the elements for which a function is true."""

SAYING: dict[str, Callable[[str, str], bool]] = {
    "startswith": str.startswith,
    "starts_with": str.startswith,
    "endswith": str.endswith,
    "ends_with": str.endswith,
    "eq": str.__eq__,
    "ne": str.__ne__,
}
"""Methods that say something of a text and another, by which keys are told apart: all of both languages that need no pattern."""

FIELDS = (META, "meta")
"""What `_meta` of a result is called where that is an object of an SDK: in Rust, and in Python where it has no alias."""

MOST = 200
"""Values that an answer is looked through for. One that the code builds has ten or twenty; more is data."""


def iter_lost_metadata(functions: EntryPoints, guards: Sequence[Guard]) -> Iterator[Text]:
    """Yield where `_meta` of a guard is taken out of what is answered, each place once."""
    if not guards or not functions.mentions(META):
        return
    seen = set()
    signing = frozenset(code for each in guards if (code := functions.find_code(each.span)) is not None)
    for trace in functions.iter_traces():
        if trace.leads_to(_may_lose, functions.program):
            for each in _MetadataTrace(trace, functions.program, signing).iter_losses():
                if each.span not in seen:
                    seen.add(each.span)
                    yield each


def _may_lose(event: Event, program: Program) -> bool:
    """Return whether entries are taken out of an object, or one is made of entries."""
    return _takes(event, program.models) or isinstance(event, Stored | Indexed)


TAKING = KEEPERS | {"removed", "written", "appended", "taken", "cut", "entry"}
"""What models call functions by which entries are taken out of objects, put into them, or read."""


def _takes(event: Event, models: Models) -> bool:
    return isinstance(event, Called) and find_modelled_return(event, models) in TAKING


class _Object(NamedTuple):
    """An object: the call of the function that made or received it, its term there, and which copies of that it is."""

    call: int
    term: Term
    copies: tuple[Term, ...]


class _Loss(NamedTuple):
    """An object that lacks `_meta` from a place on. `taken` is what was taken out, if that is held anywhere."""

    number: int
    occurrence: Occurrence
    lacking: _Object
    text: Text
    taken: Value | None = None
    is_new: bool = False
    """Whether the object was created without `_meta`."""


class _Content(NamedTuple):
    """A part of an answer. `is_within` tells that what it stands in holds `_meta`, `holds` that it does itself.

    What it holds is told only if it `is_open`.
    """

    occurrence: Occurrence
    value: Value
    around: tuple[_Object, ...] = ()
    is_within: bool = False
    holds: bool = False
    is_open: bool = True


class _AnswerObjects(NamedTuple):
    """What is answered: the objects in it, those of them that stand in something that holds `_meta`, and those that hold it."""

    number: int
    occurrence: Occurrence
    around: Mapping[_Object, list[tuple[_Object, ...]]]
    """The objects in it, each with those that it stands in, wherever it stands."""
    within: frozenset[_Object]
    holding: frozenset[_Object]


class _MetadataTrace:
    """What one handler does with the objects that it answers."""

    def __init__(self, trace: Trace, program: Program, guards: frozenset[Code]) -> None:
        self._trace, self._program, self._models, self._guards = trace, program, program.models, guards
        self._occurrences = list(trace.iter_occurrences(lambda event, _: event.trace.leads_to(_may_lose, program)))
        self._beside: dict[int, list[tuple[int, Occurrence]]] = {}
        """What happens in one call of a function, with when, by the call."""
        for number, each in enumerate(self._occurrences):
            self._beside.setdefault(id(each.caller), []).append((number, each))

    def _iter_before(self, occurrence: Occurrence, number: int) -> Iterator[Occurrence]:
        """Yield the earlier events of the same call of a function."""
        for when, each in self._beside.get(id(occurrence.caller), ()):
            if when >= number:
                return
            yield each

    def _iter_in_call(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        """Yield the events of the same call of a function."""
        return (each for _, each in self._beside.get(id(occurrence.caller), ()))

    def iter_losses(self) -> Iterator[Text]:
        """Yield where `_meta` is taken out of what is answered."""
        for loss in (*self._iter_taken(), *self._iter_left_out(), *self._iter_filter_losses(), *self._iter_rebuilt()):
            if any(self._is_lost(loss, each) for each in self._answers) and not self._is_put_back(loss):
                yield loss.text

    def _is_lost(self, loss: _Loss, answer: _AnswerObjects) -> bool:
        if loss.lacking not in answer.around or loss.lacking in answer.within or answer.number < loss.number:
            return False
        if loss.is_new and loss.lacking in answer.holding:
            return False
        if _exclude(loss.occurrence.event, answer.occurrence.event):
            return False
        taken = self._get_object(loss.occurrence, loss.taken) if loss.taken is not None else None
        return taken is None or all(loss.lacking in each for each in answer.around.get(taken, ()))

    def _is_put_back(self, loss: _Loss) -> bool:
        return any(loss.is_new or number > loss.number for number in self._signed.get(loss.lacking, ()))

    # objects

    def _get_object(self, occurrence: Occurrence, value: Value) -> _Object:
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
        return _Object(id(here.caller.event) if here.caller is not None else 0, value.term, tuple(copies))

    @cached_property
    def _signed(self) -> dict[_Object, list[int]]:
        """The objects into which `_meta` is written, each with when."""
        found: dict[_Object, list[int]] = {}
        for number, each in enumerate(self._occurrences):
            owner = self._find_signed_object(each)
            if owner is not None:
                found.setdefault(self._get_object(each, owner), []).append(number)
        return found

    def _find_signed_object(self, occurrence: Occurrence) -> Value | None:
        """Return the object into which an event writes `_meta`, None if it does not."""
        match occurrence.event:
            case Stored(owner=owner, key=Value() as key, value=value) if self._may_be_meta(occurrence, key):
                return owner if not _is_nothing(value) else None
            case Called(receiver=Value() as owner, arguments=(first, *others)) as event:
                returns = find_modelled_return(event, self._models)
                if returns == "written" and others and self._may_be_meta(occurrence, first):
                    return owner if not _is_nothing(others[0]) else None
                if returns == "extended" and META in index_by_name(first):
                    return owner
        return None

    def _may_be_meta(self, occurrence: Occurrence, key: Value) -> bool:
        known = self._find_constants(occurrence, key)
        return known is not None and known >= SIGNED

    def _is_meta(self, occurrence: Occurrence, key: Value | None) -> bool:
        return key is not None and self._find_constants(occurrence, key) == SIGNED

    def _takes_meta(self, occurrence: Occurrence, key: Value) -> bool:
        """Return whether an entry that is taken out is `_meta`, or each of some by their names, of which that is one."""
        if self._is_meta(occurrence, key):
            return True
        is_each = get_term_head(key.term) == "element"
        fact = occurrence.event.facts.get(key.term)
        return is_each and self._may_be_meta(occurrence, key) and not (fact is not None and _is_other(fact))

    def _find_constants(self, occurrence: Occurrence, value: Value) -> "frozenset[tuple[type, object]] | None":
        known = infer_constants(value, occurrence.event.facts) or occurrence.constants.get(value.term)
        return known if known is not None else occurrence.trace_source(value)[1].constants

    def _may_hold(self, occurrence: Occurrence, value: Value) -> bool:
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
        return (held is not None and not _is_nothing(held)) or self._get_object(here, value) in self._signed

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
    def _answers(self) -> list[_AnswerObjects]:
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
            contents = [(self._get_object(one.occurrence, one.value), one) for one in self._iter_contents(each, value)]
            given = (one.occurrence.trace_source(one.value) for _, one in contents if not one.is_within)
            answering.update(
                id(call.event) for here, each in given for call, _ in collect_entered_calls(self._trace, here, each)
            )
            around: dict[_Object, list[tuple[_Object, ...]]] = {}
            for one, content in contents:
                around.setdefault(one, []).append(content.around)
            within = frozenset(one for one, content in contents if content.is_within)
            holding = frozenset(one for one, content in contents if content.holds)
            found.append(_AnswerObjects(number, each, around, within, holding))
        return found

    def _iter_contents(self, occurrence: Occurrence, value: Value) -> Iterator[_Content]:
        """Yield an answer and what it consists of."""
        waiting = [_Content(occurrence, value)]
        for number in range(MOST):
            if number >= len(waiting):
                return
            one = waiting[number]
            here, found = one.occurrence.trace_source(one.value)
            own = found.contents or {} if one.is_open else {}
            held = index_by_name(found) if one.is_open else {}
            is_signed = any(not _is_nothing(held[name]) for name in FIELDS if name in held)
            one = one._replace(holds=is_signed or self._spreads(here, own))
            yield one
            within = one._replace(occurrence=here, is_within=one.is_within or one.holds, holds=False)
            inner = within._replace(around=(*one.around, self._get_object(here, found))) if own else within
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
                return self._may_hold(here, Value(term))
        return False

    # what takes it out

    def _iter_taken(self) -> Iterator[_Loss]:
        """Yield where the entry is removed from an object, or replaced by nothing."""
        for number, each in enumerate(self._occurrences):
            owner, taken = self._collect_owner(number, each)
            here, owner = self._present(each, owner) if owner is not None else (each, None)
            if owner is not None and self._may_hold(here, owner):
                yield _Loss(number, each, self._get_object(here, owner), each.event.text, taken)

    def _present(self, occurrence: Occurrence, owner: Value) -> tuple[Occurrence, Value]:
        """Return an object itself where it is the element of one that may be absent: `value.as_object_mut().into_iter()`.

        What an object gives that is gone through are keys or pairs, out of which nothing is taken by a name.
        """
        here, value = occurrence.trace_source(owner)
        match value.term:
            case ("element", inner, Site() as at):
                called = (
                    each.event
                    for each in self._iter_in_call(here)
                    if isinstance(each.event, Called) and each.event.at == at
                )
                for event in called:
                    if event.receiver is not None and event.receiver.term == inner:
                        is_entry = find_modelled_return(event, self._models) == "values"
                        return (occurrence, owner) if is_entry else (here, event.receiver)
        return occurrence, owner

    def _collect_owner(self, number: int, occurrence: Occurrence) -> tuple[Value | None, Value | None]:
        """Return the object that an event takes `_meta` out of, and what that gives; None if it takes it out of none."""
        match occurrence.event:
            case Stored(owner=owner, key=key, value=value) if (
                _is_nothing(value) and key is not None and self._takes_meta(occurrence, key)
            ):
                return owner, None
            case Called() as event:
                returns = find_modelled_return(event, self._models)
                if returns == "removed" and event.receiver is not None and event.arguments:
                    return (
                        (event.receiver, event.result)
                        if self._takes_meta(occurrence, event.arguments[0])
                        else (None, None)
                    )
                # that of an iterator says how many; without a number it is that of a value that leaves nothing behind
                if returns == "taken" or (returns == "cut" and not event.arguments):
                    return self._read(number, occurrence), event.result
        return None, None

    def _read(self, number: int, occurrence: Occurrence) -> Value | None:
        """Return the object whose entry `_meta` is read within an expression."""
        for each in reversed(list(self._iter_before(occurrence, number))):
            owner, key = (
                self._collect_entry(each.event) if _is_within(each.event.at, occurrence.event.at) else (None, None)
            )
            if owner is not None and self._is_meta(each, key):
                return owner
        return None

    def _collect_entry(self, event: Event) -> tuple[Value | None, Value | None]:
        """Return the object that an event reads an entry of, and the key."""
        match event:
            case Indexed(owner=owner, key=key):
                return owner, key
            case Called(receiver=Value() as owner, arguments=(key, *_)) if (
                find_modelled_return(event, self._models) == "entry"
            ):
                return owner, key
        return None, None

    def _iter_left_out(self) -> Iterator[_Loss]:
        """Yield where the entries of an object are put into another one by one, all but `_meta`."""
        for number, each in enumerate(self._occurrences):
            owner, key, value = self._read_store(each.event)
            for loop in self._iter_loops(each) if owner is not None else ():
                found = self._find_excluding_test(each, key, loop) if self._is_entry(key, value, loop.event) else None
                if owner is not None and found is not None:
                    text = _get_whole(each.event, owner, found)
                    yield _Loss(number, each, self._get_object(each, owner), text, is_new=True)

    def _read_store(self, event: Event) -> tuple[Value | None, Value | None, Value | None]:
        """Return the object that an event puts an entry or an element into, the key, and the entry or element."""
        match event:
            case Stored(owner=owner, key=key, value=value):
                return owner, key, value
            case Called(receiver=Value() as owner, arguments=(key, value)) if (
                find_modelled_return(event, self._models) == "written"
            ):
                return owner, key, value
            case Called(receiver=Value() as owner, arguments=(value,)) if (
                find_modelled_return(event, self._models) == "appended"
            ):
                return owner, None, value
        return None, None, None

    def _is_entry(self, key: Value | None, value: Value | None, loop: Event) -> bool:
        """Return whether what is put into an object is an entry that is gone through, under its key or as a pair with it."""
        assert isinstance(loop, Looped)
        if key is not None:
            return self._find_key_owner(key, loop) is not None
        meaning = loop.value.meaning
        is_pair = isinstance(meaning, Made) and self._models.get_model(meaning.by).returns == "entries"
        return is_pair and value is not None and value.term == loop.element.term

    def _iter_loops(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        """Yield the loops around an event in its own function."""
        sites = [each.at for each in occurrence.event.iter_outwards() if each.condition == "loop"]
        for each in self._iter_in_call(occurrence) if sites else ():
            if isinstance(each.event, Looped) and each.event.at in sites:
                yield each

    def _find_excluding_test(self, occurrence: Occurrence, key: Value | None, loop: Occurrence) -> Text | None:
        """Return the test by which a loop skips `_meta` when it stores an entry; None if it does not always skip it."""
        looped, event = loop.event, occurrence.event
        assert isinstance(looped, Looped)
        match looped.value.meaning:
            case Made("-", (keys, others)) if any(
                each.constants == SIGNED for each in (others.contents or {}).values()
            ):
                return looped.text if self._may_hold(loop, self._view(keys)) else None
        fact = event.facts.get(key.term) if key is not None else None
        for test in self._iter_tests(occurrence, looped):
            if (
                self._find_filtered_object(loop, test, looped, is_other=fact is not None and _is_other(fact))
                is not None
            ):
                return event.code.extract_text(test.at)
        return self._find_listing_loop(occurrence, key, looped)

    def _find_filtered_object(
        self, occurrence: Occurrence, test: "_TestOutcome", looped: Looped | None, *, is_other: bool = False
    ) -> Value | None:
        """Return the object whose keys a test is asked of that does not come out as it does here for `_meta`.

        `is_other` tells that it was seen to exclude `_meta`.
        """
        keys = {
            each.term: source
            for each in _iter_operands(test.value)
            if (source := self._find_key_owner(each, looped)) is not None
        }
        kept = _evaluate_for_metadata(test.value, frozenset(keys)) if keys else None
        if is_other or (kept is not None and kept is not test.holds):
            return next((each for each in keys.values() if self._may_hold(occurrence, each)), None)
        return None

    def _find_listing_loop(self, occurrence: Occurrence, key: Value | None, looped: Looped) -> Text | None:
        """Return a loop over just some names under which an object's entries are read, `_meta` not among them."""
        known = self._find_constants(occurrence, key) if key is not None else None
        if key is None or known is None or known >= SIGNED or not all(kind is str for kind, _ in known):
            return None
        for each in self._iter_in_call(occurrence):
            owner, read = self._collect_entry(each.event)
            if owner is not None and read is not None and read.term == key.term and each.event.is_in_loop(looped.at):
                if self._may_hold(each, owner):
                    return looped.text
        return None

    def _iter_tests(self, occurrence: Occurrence, looped: Looped) -> Iterator["_TestOutcome"]:
        """Yield the tests in a round of a loop that came out some way where an event happens."""
        event = occurrence.event
        for each in event.iter_outwards():
            if each.condition == "loop" and each.at == looped.at:
                break
            if each.condition == "test" and each.value is not None:
                yield _TestOutcome(each.at, each.value, each.holds)
        for one in self._iter_in_call(occurrence):
            if isinstance(one.event, Tested) and one.event.is_in_loop(looped.at):
                fact = event.facts.get(one.event.value.term)
                if fact is not None and fact.truth is not None:
                    yield _TestOutcome(one.event.at, one.event.value, fact.truth)

    def _iter_filter_losses(self) -> Iterator[_Loss]:
        """Yield where the entries of an object are kept for which a function is true, which it is not for `_meta`."""
        for number, each in enumerate(self._occurrences):
            event = each.event
            returns = find_modelled_return(event, self._models) if isinstance(event, Called) else ""
            if not isinstance(event, Called) or returns not in KEEPERS:
                continue
            for test in self._iter_before(each, number):
                if isinstance(test.event, Tested) and test.event.at == event.at:
                    source = self._find_filtered_object(test, _TestOutcome(event.at, test.event.value, True), None)
                    if source is not None:
                        left = source if returns == "retained" else event.result
                        yield _Loss(number, each, self._get_object(each, left), event.text)

    def _iter_rebuilt(self) -> Iterator[_Loss]:
        """Yield where an object is written out with some entries of another, `_meta` not among them."""
        for number, each in enumerate(self._occurrences):
            if isinstance(each.event, Returned):
                for one in self._iter_contents(each, each.event.value):
                    here, value = one.occurrence.trace_source(one.value)
                    site = _record(here, value) if one.is_open else None
                    found = self._find_signed_source(here, site, number) if site is not None else None
                    if found is not None and site is not None:
                        text = here.event.code.extract_text(site)
                        yield _Loss(number, found[0], self._get_object(here, value), text, found[1], is_new=True)

    def _find_signed_source(self, here: Occurrence, site: Site, number: int) -> tuple[Occurrence, Value] | None:
        """Return the object of the guard whose entries are read within an expression, None if `_meta` is one of them."""
        found: tuple[Occurrence, Value] | None = None
        for each in self._iter_before(here, number):
            if each.event.code is here.event.code and _is_within(each.event.at, site):
                owner, key = self._collect_entry(each.event)
                known = self._find_constants(each, key) if key is not None else None
                if owner is not None and (known is None or known >= SIGNED) and self._may_hold(each, owner):
                    return None
                if owner is not None and known is not None and found is None and self._may_hold(each, owner):
                    found = each, owner
        return found

    # the keys of objects

    def _find_key_owner(self, key: Value, looped: Looped | None) -> Value | None:
        """Return the object of which a value is one of the keys that are gone through, None if it is none."""
        match key.meaning:
            case Made("item", (pair, place)) if place.constant == (int, 0):
                inner = self._find_gone_through(pair, looped, is_pair=True)
            case Made(".0", (pair,)):
                inner = self._find_gone_through(pair, looped, is_pair=True)
            case _:
                inner = self._find_gone_through(key, looped, is_pair=False)
        return self._view(inner) if inner is not None else None

    def _find_gone_through(self, element: Value, looped: Looped | None, *, is_pair: bool) -> Value | None:
        """Return the value of which another is an element; None if it is no element."""
        if looped is not None and element.term == looped.element.term:
            return looped.value
        match element.meaning:
            case Made("element", (inner,)):
                return inner
        match element.term:
            case ("element", owner, Site()):
                return self._receivers.get(owner)
            case (view, "key"):
                return self._views.get(view)
            case (view, *_) if is_pair:
                return self._views.get(view)
        return None

    def _view(self, value: Value) -> Value:
        """Return the object whose keys, or pairs of keys and entries, a value gives in whatever way."""
        for _ in range(DEEPEST):
            match value.meaning:
                case Made("element", (inner,)):
                    value = inner
                case Made(by, (inner, *_)) if self._models.get_model(by).returns in VIEWS:
                    value = inner
                case _:
                    break
        return value

    @cached_property
    def _receivers(self) -> dict[Term, Value]:
        """What methods are called of, by its term."""
        called = (each.event.receiver for each in self._occurrences if isinstance(each.event, Called))
        return {each.term: each for each in called if each is not None}

    @cached_property
    def _views(self) -> dict[Term, Value]:
        """The objects whose keys, or pairs of keys and entries, a call gives or hands on, by the term of what it gives."""
        found: dict[Term, Value] = {}
        for each in self._occurrences:
            event = each.event
            returns = find_modelled_return(event, self._models) if isinstance(event, Called) else ""
            if isinstance(event, Called) and event.receiver is not None and returns in ("entries", "keys", "retained"):
                found["call", event.code, event.at] = event.receiver
        return found


class _TestOutcome(NamedTuple):
    """A test, and whether it comes out true."""

    at: Site
    value: Value
    holds: bool


def _is_nothing(value: Value) -> bool:
    return value.constant == NONE.constant


def _iter_parts_of(value: Value) -> Iterator[Value]:
    """Yield the values that a function returns, with the parts of a tuple or a result."""
    yield value
    yield from (part for key, part in (value.contents or {}).items() if not isinstance(key, str))


def _is_within(inner: Site, outer: Site) -> bool:
    return outer.holds(inner)


def _exclude(one: Event, other: Event) -> bool:
    """Return whether two events of a function stand in different branches of one test."""
    if one.code is not other.code:
        return False
    ways = {each.at: each.holds for each in one.iter_outwards() if each.condition == "test"}
    return any(
        each.condition == "test" and ways.get(each.at, each.holds) is not each.holds for each in other.iter_outwards()
    )


def _get_whole(event: Event, made: Value, test: Text) -> Text:
    """Return the expression that makes an object, if its entries are put in there, else the test that leaves one out."""
    match made.term:
        case ("new", code, Site() as site) if code is event.code and _is_within(event.at, site):
            return event.code.extract_text(site)
    return test


def _record(here: Occurrence, value: Value) -> Site | None:
    """Return where an object is written out by its keys."""
    match value.term:
        case ("new", code, Site() as site) if code is here.event.code and any(
            isinstance(each, str) for each in value.contents or ()
        ):
            return site
    return None


def _is_other(fact: KnownFact) -> bool:
    """Return whether tests told that a key is not `_meta`."""
    return fact.unequal >= SIGNED or (fact.equal is not None and not fact.equal >= SIGNED)


def _iter_operands(test: Value, deep: int = DEEPEST) -> Iterator[Value]:
    """Yield the operands of a test."""
    if not deep:
        return
    made = test.meaning
    if made is None or (isinstance(made, Made) and made.by.rpartition(".")[2] not in SAYING):
        yield test
        return
    for each in test.operands:
        if each.constants is None:
            yield each
            yield from _iter_operands(each, deep - 1)


def _evaluate_for_metadata(test: Value, keys: frozenset[Term]) -> bool | None:
    """Return whether a test is true where the key that it asks of is `_meta`, None if that is not known."""
    facts: dict[Term, KnownFact] = {term: KnownFact(truth=True, present=True, equal=SIGNED) for term in keys}
    for each in (test, *_iter_operands(test)):
        match each.meaning:
            case Made(by, (key, other)) if (
                by.rpartition(".")[2] in SAYING and other.text is not None and key.term in keys
            ):
                facts[each.term] = KnownFact(truth=SAYING[by.rpartition(".")[2]](META, other.text))
    return infer_truth(test, facts)
