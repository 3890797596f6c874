"""Where `_meta` that a guard puts into an answer is taken out again before the answer reaches the client.

It is taken out of an object, or left out of one that is made of another's entries. That is a fault if the guard signed the object
that had it, if what is left is answered, and if what was taken is not answered beside it or put back.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewer.behaviour.answer_size.answer_objects import (
    SIGNED,
    AnswerObjects,
    MetadataObjects,
    TracedObject,
    is_nothing,
)
from reviewer.behaviour.answer_size.entry_keys import EntryKeys, evaluate_for_metadata, excludes_metadata, iter_operands
from reviewer.behaviour.answer_size.signing import META
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Event, Indexed, Looped, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Made, Value, get_term_head
from reviewer.facts import Guard
from reviewer.source import Text

KEEPERS = frozenset({"filtered", "retained"})
"""What models call functions that keep the elements for which a function is true."""


def iter_lost_metadata(functions: EntryPoints, guards: Sequence[Guard]) -> Iterator[Text]:
    """Yield where `_meta` of a guard is taken out of what is answered, each place once."""
    if not guards or not functions.mentions(META):
        return
    seen = set()
    signing = frozenset(code for each in guards if (code := functions.find_code(each.span)) is not None)
    for trace in functions.iter_traces():
        if trace.leads_to(_may_lose, functions.program):
            for each in _Losses(trace, functions.program, signing).iter_losses():
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


class _Loss(NamedTuple):
    """An object that lacks `_meta` from a place on. `taken` is what was taken out, if that is held anywhere."""

    number: int
    occurrence: Occurrence
    lacking: TracedObject
    text: Text
    taken: Value | None = None
    is_new: bool = False
    """Whether the object was created without `_meta`."""


class _Losses:
    """Where one handler takes `_meta` out of the objects that it answers."""

    def __init__(self, trace: Trace, program: Program, guards: frozenset[Code]) -> None:
        self._models = program.models
        self._occurrences = list(trace.iter_occurrences(lambda event, _: event.trace.leads_to(_may_lose, program)))
        self._objects = MetadataObjects(trace, self._occurrences, self._models, guards)
        self._keys = EntryKeys(self._occurrences, self._models)

    def iter_losses(self) -> Iterator[Text]:
        """Yield where `_meta` is taken out of what is answered."""
        for loss in (*self._iter_taken(), *self._iter_left_out(), *self._iter_filter_losses(), *self._iter_rebuilt()):
            if any(self._is_lost(loss, each) for each in self._objects.answers) and not self._is_put_back(loss):
                yield loss.text

    def _is_lost(self, loss: _Loss, answer: AnswerObjects) -> bool:
        if loss.lacking not in answer.around or loss.lacking in answer.within or answer.number < loss.number:
            return False
        if loss.is_new and loss.lacking in answer.holding:
            return False
        if _exclude(loss.occurrence.event, answer.occurrence.event):
            return False
        taken = self._objects.get_object(loss.occurrence, loss.taken) if loss.taken is not None else None
        return taken is None or all(loss.lacking in each for each in answer.around.get(taken, ()))

    def _is_put_back(self, loss: _Loss) -> bool:
        return any(loss.is_new or number > loss.number for number in self._objects.signed.get(loss.lacking, ()))

    def _is_meta(self, occurrence: Occurrence, key: Value | None) -> bool:
        return key is not None and self._objects.find_constants(occurrence, key) == SIGNED

    def _takes_meta(self, occurrence: Occurrence, key: Value) -> bool:
        """Return whether an entry that is taken out is `_meta`, or each of some by their names, of which that is one."""
        if self._is_meta(occurrence, key):
            return True
        is_each = get_term_head(key.term) == "element"
        fact = occurrence.event.facts.get(key.term)
        return (
            is_each
            and self._objects.may_be_meta(occurrence, key)
            and not (fact is not None and excludes_metadata(fact))
        )

    def _iter_taken(self) -> Iterator[_Loss]:
        """Yield where the entry is removed from an object, or replaced by nothing."""
        for number, each in enumerate(self._occurrences):
            owner, taken = self._collect_owner(number, each)
            here, owner = self._present(each, owner) if owner is not None else (each, None)
            if owner is not None and self._objects.may_hold(here, owner):
                yield _Loss(number, each, self._objects.get_object(here, owner), each.event.text, taken)

    def _present(self, occurrence: Occurrence, owner: Value) -> tuple[Occurrence, Value]:
        """Return an object itself where it is the element of one that may be absent: `value.as_object_mut().into_iter()`.

        What an object gives that is gone through are keys or pairs, out of which nothing is taken by a name.
        """
        here, value = occurrence.trace_source(owner)
        match value.term:
            case ("element", inner, Site() as at):
                called = (
                    each.event
                    for each in self._objects.iter_in_call(here)
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
                is_nothing(value) and key is not None and self._takes_meta(occurrence, key)
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
                    return self._find_metadata_owner(number, occurrence), event.result
        return None, None

    def _find_metadata_owner(self, number: int, occurrence: Occurrence) -> Value | None:
        """Return the object whose entry `_meta` is read within an expression."""
        for each in reversed(list(self._objects.iter_before(occurrence, number))):
            owner, key = self._collect_entry(each.event) if occurrence.event.at.holds(each.event.at) else (None, None)
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
                    yield _Loss(number, each, self._objects.get_object(each, owner), text, is_new=True)

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
            return self._keys.find_owner(key, loop) is not None
        meaning = loop.value.meaning
        is_pair = isinstance(meaning, Made) and self._models.get_model(meaning.by).returns == "entries"
        return is_pair and value is not None and value.term == loop.element.term

    def _iter_loops(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        """Yield the loops around an event in its own function."""
        sites = [each.at for each in occurrence.event.iter_outwards() if each.condition == "loop"]
        for each in self._objects.iter_in_call(occurrence) if sites else ():
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
                return looped.text if self._objects.may_hold(loop, self._keys.find_viewed(keys)) else None
        fact = event.facts.get(key.term) if key is not None else None
        for test in self._iter_tests(occurrence, looped):
            if (
                self._find_filtered_object(loop, test, looped, is_other=fact is not None and excludes_metadata(fact))
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
            for each in iter_operands(test.value)
            if (source := self._keys.find_owner(each, looped)) is not None
        }
        kept = evaluate_for_metadata(test.value, frozenset(keys)) if keys else None
        if is_other or (kept is not None and kept is not test.holds):
            return next((each for each in keys.values() if self._objects.may_hold(occurrence, each)), None)
        return None

    def _find_listing_loop(self, occurrence: Occurrence, key: Value | None, looped: Looped) -> Text | None:
        """Return a loop over just some names under which an object's entries are read, `_meta` not among them."""
        known = self._objects.find_constants(occurrence, key) if key is not None else None
        if key is None or known is None or known >= SIGNED or not all(kind is str for kind, _ in known):
            return None
        for each in self._objects.iter_in_call(occurrence):
            owner, read = self._collect_entry(each.event)
            if owner is not None and read is not None and read.term == key.term and each.event.is_in_loop(looped.at):
                if self._objects.may_hold(each, owner):
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
        for one in self._objects.iter_in_call(occurrence):
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
            for test in self._objects.iter_before(each, number):
                if isinstance(test.event, Tested) and test.event.at == event.at:
                    source = self._find_filtered_object(test, _TestOutcome(event.at, test.event.value, True), None)
                    if source is not None:
                        left = source if returns == "retained" else event.result
                        yield _Loss(number, each, self._objects.get_object(each, left), event.text)

    def _iter_rebuilt(self) -> Iterator[_Loss]:
        """Yield where an object is written out with some entries of another, `_meta` not among them."""
        for number, each in enumerate(self._occurrences):
            if isinstance(each.event, Returned):
                for one in self._objects.iter_contents(each, each.event.value):
                    here, value = one.occurrence.trace_source(one.value)
                    site = _record(here, value) if one.is_open else None
                    found = self._find_signed_source(here, site, number) if site is not None else None
                    if found is not None and site is not None:
                        text = here.event.code.extract_text(site)
                        yield _Loss(
                            number, found[0], self._objects.get_object(here, value), text, found[1], is_new=True
                        )

    def _find_signed_source(self, here: Occurrence, site: Site, number: int) -> tuple[Occurrence, Value] | None:
        """Return the object of the guard whose entries are read within an expression, None if `_meta` is one of them."""
        found: tuple[Occurrence, Value] | None = None
        for each in self._objects.iter_before(here, number):
            if each.event.code is here.event.code and site.holds(each.event.at):
                owner, key = self._collect_entry(each.event)
                known = self._objects.find_constants(each, key) if key is not None else None
                if owner is not None and (known is None or known >= SIGNED) and self._objects.may_hold(each, owner):
                    return None
                if owner is not None and known is not None and found is None and self._objects.may_hold(each, owner):
                    found = each, owner
        return found


class _TestOutcome(NamedTuple):
    """A test, and whether it comes out true."""

    at: Site
    value: Value
    holds: bool


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
        case ("new", code, Site() as site) if code is event.code and site.holds(event.at):
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
