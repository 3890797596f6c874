"""Which object's keys and entries a value is one of, and how a test of a key comes out for `_meta`."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from reviewer.behaviour.answer_size.answer_objects import SIGNED
from reviewer.behaviour.answer_size.signing import META
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Looped, Occurrence
from reviewer.code.ir import Site
from reviewer.code.models import Models
from reviewer.code.state import KnownFact, infer_truth
from reviewer.code.values import Made, Term, Value

VIEWS = frozenset({"entries", "keys", "elements", "collected", "sorted", "turned", "filtered", "flattened"})
"""What models call functions that give the keys of an object, or pairs of them, where they are given these or the object."""

SAYING: dict[str, Callable[[str, str], bool]] = {
    "startswith": str.startswith,
    "starts_with": str.startswith,
    "endswith": str.endswith,
    "ends_with": str.endswith,
    "eq": str.__eq__,
    "ne": str.__ne__,
}
"""Methods that say something of a text and another, by which keys are told apart: all of both languages that need no pattern."""


class EntryKeys:
    """The keys of objects that one run goes through."""

    def __init__(self, occurrences: Sequence[Occurrence], models: Models) -> None:
        self._occurrences, self._models = occurrences, models

    def find_owner(self, key: Value, looped: Looped | None) -> Value | None:
        """Return the object of which a value is one of the keys that are gone through, None if it is none."""
        match key.meaning:
            case Made("item", (pair, place)) if place.constant == (int, 0):
                inner = self._find_gone_through(pair, looped, is_pair=True)
            case Made(".0", (pair,)):
                inner = self._find_gone_through(pair, looped, is_pair=True)
            case _:
                inner = self._find_gone_through(key, looped, is_pair=False)
        return self.find_viewed(inner) if inner is not None else None

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

    def find_viewed(self, value: Value) -> Value:
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


def excludes_metadata(fact: KnownFact) -> bool:
    """Return whether tests told that a key is not `_meta`."""
    return fact.unequal >= SIGNED or (fact.equal is not None and not fact.equal >= SIGNED)


def iter_operands(test: Value, deep: int = DEEPEST) -> Iterator[Value]:
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
            yield from iter_operands(each, deep - 1)


def evaluate_for_metadata(test: Value, keys: frozenset[Term]) -> bool | None:
    """Return whether a test is true where the key that it asks of is `_meta`, None if that is not known."""
    facts: dict[Term, KnownFact] = {term: KnownFact(truth=True, present=True, equal=SIGNED) for term in keys}
    for each in (test, *iter_operands(test)):
        match each.meaning:
            case Made(by, (key, other)) if (
                by.rpartition(".")[2] in SAYING and other.text is not None and key.term in keys
            ):
                facts[each.term] = KnownFact(truth=SAYING[by.rpartition(".")[2]](META, other.text))
    return infer_truth(test, facts)
