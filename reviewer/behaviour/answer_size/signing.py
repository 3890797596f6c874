"""Whether a guard signs what it answers: whether each object that it gives holds the request's id in `_meta`.

An answer holds it if it was made with it, or if it was written in whatever tests told. Those of the form of an answer do not
count: what is no object carries no `_meta`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from reviewer.behaviour.progress.written import find_entry
from reviewer.behaviour.results.answers import collect_entered_calls, index_by_name
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import DEEPEST, iter_parts
from reviewer.code import ir
from reviewer.code.acts import find_modelled_return
from reviewer.code.calls import RECURSION
from reviewer.code.events import Called, Context, Event, Occurrence, Returned, Stored, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import (
    ELEMENT,
    ClientArguments,
    ConditionalValue,
    Key,
    Library,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    strip_negations,
)
from reviewer.facts import Flag, Guard

META = "_meta"

FIELDS: tuple[Key, ...] = (META, (META,), ("meta",))
"""What it stands under in an object, and in one that is written out under other names than its fields have."""

IDENTITY = "request_id"
NAMES = (META, "meta", IDENTITY)

OBJECTS = frozenset({"dict", "Mapping", "MutableMapping", "Object", "is_object"})
"""What tests call an object that can hold `_meta`: the last names of types, and the method that asks for one."""


class TestOutcome(NamedTuple):
    """A test that led somewhere, and whether it holds there."""

    test: Value
    holds: bool


def with_signs(guards: tuple[Guard, ...], functions: EntryPoints) -> tuple[Guard, ...]:
    """Return guards with whether they leave answers unsigned, which is found out when it is asked for."""
    return tuple(replace(each, unsigned=Flag(partial(_leaves_unsigned, functions, each))) for each in guards)


def _leaves_unsigned(functions: EntryPoints, guard: Guard) -> bool:
    """Return whether a guard gives an answer without the id, and no function signs it where all calls come in."""
    trace, program = functions.trace(guard.span), functions.program
    if (
        trace is None
        or any(each.reason != RECURSION for each in trace.iter_omissions())
        or _Signing(trace, program).signs() is not False
    ):
        return False
    return not any(_Signing(each, program).signs() for each in functions.iter_traces())


class _Signing:
    """What one function does with `_meta` of what it gives."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._models = trace, program.models
        self._written: dict[Term, list[Occurrence]] = {}
        """Where something is written into objects under the names of `_meta` or the id, by the object."""
        for each in trace.iter_occurrences():
            owner = _find_written_object(each.event, self._models)
            if owner is not None:
                for term in _iter_objects(each, each.trace_source(owner)[1].term):
                    self._written.setdefault(term, []).append(each)

    def signs(self) -> bool | None:
        """Return whether all that the function gives is signed, None if that is not known."""
        ends = (each for each in self._trace.events if isinstance(each, Returned))
        found = [self._is_signed(Occurrence(each), each.value, ()) for each in ends]
        return _find_all(found) if found else None

    def _is_signed(
        self, here: Occurrence, value: Value, paths: tuple[TestOutcome, ...], deep: int = DEEPEST
    ) -> bool | None:
        if isinstance(here.event, Returned):
            paths += tuple(_iter_paths(here.event.iter_outwards()))
        here, value = here.trace_source(value)
        if (
            value.failure is not None
            or value.constants is not None
            or any(_is_of_other_form(each, self._models) for each in paths)
        ):
            return True
        if not deep:
            return None
        held = self._has_request_id(here, value, paths)
        return held if held is not False else self._is_made_signed(here, value, paths, deep - 1)

    def _is_made_signed(self, here: Occurrence, value: Value, paths: tuple[TestOutcome, ...], deep: int) -> bool | None:
        calls = collect_entered_calls(self._trace, here, value)
        if calls:
            ends = [
                (Occurrence(each, call), each.value)
                for call, trace in calls
                for each in trace.events
                if isinstance(each, Returned)
            ]
            return _find_all([self._is_signed(*each, paths, deep) for each in ends])
        match value.meaning:
            case ConditionalValue(test, then, otherwise):
                sides = ((then, True), (otherwise, False))
                return _find_all(
                    [self._is_signed(here, each, (*paths, TestOutcome(test, holds)), deep) for each, holds in sides]
                )
            case Made("joined", of):
                return _find_all([self._is_signed(here, each, paths, deep) for each in of])
            case Made(_, of):
                return any(self._has_request_id(at, each, paths) for one in of for at, each in iter_parts(here, one))
        spread = (value.contents or {}).get(ELEMENT)
        match spread.meaning if spread is not None else None:
            case Made("element", (whole,)):
                return self._is_signed(here, whole, paths, deep)  # all entries of another: `{**answer}`
        return False

    def _has_request_id(self, here: Occurrence, value: Value, paths: tuple[TestOutcome, ...]) -> bool | None:
        """Return whether an object holds the id in `_meta`, however control came here."""
        held = self._collect_entries(here, value)
        meta = next((held[name] for name in FIELDS if name in held), None)
        if meta is None or not self._is_sure(here, value, paths):
            return False
        written = find_entry(meta, IDENTITY)
        if written is not None:
            return not (isinstance(written, ir.Constant) and written.value is None)
        inner = index_by_name(meta)
        if IDENTITY in inner:
            return not _is_nothing(inner[IDENTITY]) and self._is_sure(here, meta, paths)
        return False if meta.constants is not None or _is_known(meta) else None

    def _collect_entries(self, here: Occurrence, value: Value) -> Mapping[Key, Value]:
        """Return the entries of an object; of a client's object, which may have any entry, only those written into it.

        Of one of several possible objects only the entries that all of them share are known, so the entries written
        into it are added.
        """
        is_sent = isinstance(value.contents, ClientArguments)
        held = {} if is_sent else value.contents or {}
        if not is_sent and not isinstance(value.meaning, ConditionalValue):
            return held
        written = dict(
            pair
            for each in self._written.get(here.trace_source(value)[1].term, ())
            for pair in _iter_entries_of(each.event, self._models)
        )
        return {**written, **held}

    def _is_sure(self, here: Occurrence, owner: Value, paths: tuple[TestOutcome, ...]) -> bool:
        """Return whether a key was written into an object on every path to here, or the object was created with it."""
        written = self._written.get(here.trace_source(owner)[1].term, [])
        needed = [list(_iter_extra_tests(each, paths, self._models)) for each in written]
        return not needed or any(all(_is_met(one, needed) for one in each) for each in needed)


def _iter_objects(written: Occurrence, term: Term) -> Iterator[Term]:
    """Yield an object that is written into, and what is of the form whose content it is: `if let Value::Object(map)`."""
    yield term
    match term:
        case ("field", whole, "0"):
            tests = (each.test.meaning for each in _iter_paths(written.iter_circumstances()) if each.holds)
            if any(
                isinstance(each, Relation) and each.operator == "kind" and each.left.term == whole for each in tests
            ):
                yield whole


def _iter_entries_of(event: Event, models: Models) -> Iterator[tuple[Key, Value]]:
    """Yield the keys and values that an event writes into an object."""
    match event:
        case Stored(key=Value() as key, value=value) if key.text:
            yield key.text, value
        case Called(arguments=(Value() as key, value)) if key.text and find_modelled_return(event, models) == "written":
            yield key.text, value


def _iter_extra_tests(written: Occurrence, paths: tuple[TestOutcome, ...], models: Models) -> Iterator[TestOutcome]:
    """Yield the tests that led where something is written, but for those that led further, and that ask for the form."""
    for each in _iter_paths(written.iter_circumstances()):
        is_known = any(each.test.term == path.test.term and each.holds is path.holds for path in paths)
        if not is_known and not _asks_form(each.test, models):
            yield each


def _is_met(path: TestOutcome, others: list[list[TestOutcome]]) -> bool:
    """Return whether it is written as well where a test comes out otherwise."""
    return any(path.test.term == each.test.term and path.holds is not each.holds for one in others for each in one)


def _iter_paths(contexts: Iterable[Context]) -> Iterator[TestOutcome]:
    for each in contexts:
        if each.condition == "test" and each.value is not None:
            yield TestOutcome(*strip_negations(each.value, each.holds))


def _find_written_object(event: Event, models: Models) -> Value | None:
    """Return the object into which an event writes under one of the names, None if it does not."""
    match event:
        case Stored(owner=owner, key=Value() as key) if key.text in NAMES:
            return owner
        case Called(receiver=Value() as owner, arguments=(first, *_)):
            returns = find_modelled_return(event, models)
            is_named = first.text in NAMES
            if (returns in ("written", "kept entry") and is_named) or (
                returns == "extended" and not index_by_name(first).keys().isdisjoint(NAMES)
            ):
                return owner
    return None


def _asks_form(test: Value, models: Models) -> bool:
    """Return whether a test asks of which form an answer is, or what it holds; and nothing of its size, or of a setting."""
    match test.meaning:
        case Negation(operand):
            return _asks_form(operand, models)
        case ConditionalValue(inner, then, otherwise):
            return all(each.constants is not None or _asks_form(each, models) for each in (inner, then, otherwise))
        case Relation(operator="present" | "succeeds" | "kind" | "in" | "is"):
            return True
        case Made(by, _):
            return models.get_model(by).returns == "kind"
    return test.meaning is None and not test.unknown


def _is_of_other_form(path: TestOutcome, models: Models) -> bool:
    """Return whether a test led here that tells that an answer is no object, or holds `_meta`."""
    test, holds = strip_negations(*path)
    if not _asks_form(test, models):
        return False
    match test.meaning:
        case Relation("present" | "succeeds", _):
            return not holds
        case Relation("kind", _, Value() as kind) | Made(_, (_, kind)):
            kinds = (each.path for each in kind.things if isinstance(each, Library))
            return not holds if any(each.rpartition(".")[2] in OBJECTS for each in kinds) else holds
        case Made(by, _):
            return not holds if by.rpartition(".")[2] in OBJECTS else holds
    return holds


def _is_known(value: Value) -> bool:
    """Return whether all that an object holds was seen: it is made here, of nothing else."""
    return bool(value.things) and ELEMENT not in (value.contents or {})


def _is_nothing(value: Value) -> bool:
    return value.constant is not None and value.constant[1] in (None, "")


def _find_all(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True
