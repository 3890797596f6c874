"""Which keys a guard leaves in answers that are too large.

What a test, a loop or an operation on sets says of a key is a set of keys: some names, or all but some. An object that the guard
makes has the keys under which it writes into it; one that it was handed loses those that it takes out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.results.projections import SELECTING
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Event, Looped, Occurrence, Returned, Stored, Tested
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.state import infer_constants
from reviewer.code.values import (
    ELEMENT,
    NONE,
    ConditionalValue,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import Keeping
from reviewer.source import Text

DEEPEST = 12
"""Operations on sets of keys, and tests, that lie in one another. A chain of comparisons has as many as it names keys."""

PUTTING = frozenset({"written", "appended", "extended"})
"""What models call functions that write an entry."""

SAME = frozenset({"copied", "cloned", "elements", "collected", "sorted", "turned", "keys", "new", "receiver"})
"""What models call functions that give the keys of what they are given."""


HANDED = frozenset({"parameter", "argument"})
"""Terms of what a guard is handed, such as the answer: it may have other keys than those that are seen."""


SEQUENCES = frozenset({"list", "tuple", "set"})
"""Types of lists of names that are written out."""


class Keys(NamedTuple):
    """Some names, or all keys but these if it is `inverted`."""

    names: tuple[str, ...]
    inverted: bool = False

    def reverse(self) -> "Keys":
        """Return the other keys."""
        return Keys(self.names, not self.inverted)

    def intersect(self, other: "Keys") -> "Keys":
        """Return the keys that both have."""
        if self.inverted and other.inverted:
            return Keys(tuple(dict.fromkeys((*self.names, *other.names))), inverted=True)
        one, two = (other, self) if self.inverted else (self, other)
        return Keys(tuple(each for each in one.names if (each in two.names) is not two.inverted))

    def join(self, other: "Keys") -> "Keys":
        """Return the keys that one of them has."""
        return self.reverse().intersect(other.reverse()).reverse()


ALL = Keys((), inverted=True)


class _KeyWrite(NamedTuple):
    """Something that is written into an object, or taken out: under which keys, and what says so."""

    here: Occurrence
    owner: Term
    keys: Keys
    text: Text


class KeptKeys:
    """A search for the keys that one guard leaves."""

    def __init__(self, occurrences: Iterable[Occurrence], models: Models) -> None:
        self._all, self._models = list(occurrences), models
        self._tested: dict[tuple[Code, Site], tuple[Occurrence, Value, Text]] = {}
        self._contents: dict[Term, Value] = {}
        self._lists: dict[Term, Keys] = {}
        self._elements: dict[tuple[Code, Site], Term] = {}
        self._results: dict[tuple[Code, Site], list[Occurrence]] = {}
        for here in self._all:
            self._record(here)

    def _record(self, here: Occurrence) -> None:
        """Take down what the guard tests, and what the lists hold that its events are about."""
        event = here.event
        if isinstance(event, Tested):
            self._tested[event.code, event.at] = here, event.value, event.text
        elif isinstance(event, Looped):
            self._elements[event.code, event.at] = find_original_term(event.element.term)
        elif isinstance(event, Returned) and here.caller is not None:
            self._results.setdefault((here.caller.event.code, here.caller.event.at), []).append(here)
        for each in event.values:
            if each.contents and not isinstance(event, Tested):
                self._contents.setdefault(find_original_term(each.term), each)

    def iter_keepings(self, is_large: Callable[[Occurrence], bool]) -> Iterator[tuple[Keeping, bool]]:
        """Yield by what names entries stay or go, with whether the answer is certainly too large there."""
        put, taken = list(self._iter_written()), list(self._iter_taken())
        moved = {each.keys for each in put}
        taken = [each for each in taken if each.keys not in moved]
        gone = [_KeyWrite(each.here, each.owner, each.keys.reverse(), each.text) for each in taken]
        for found, unite in ((put, Keys.join), (gone, Keys.intersect)):
            for group in _group(found):
                keys = group[0].keys
                for each in group[1:]:
                    keys = unite(keys, each.keys)
                if keys != ALL:
                    yield _keep(group[0].text, keys), any(is_large(each.here) for each in group)
        for here in self._all:
            event = here.event
            if isinstance(event, Called) and self._selects(event) and not self._has_keys(event):
                there, test, text = self._tested[event.code, event.at]
                chosen = self._find_where(there, test)
                results = self._results.get((event.code, event.at), [])
                if chosen is None and len(results) == 1:  # what the function gives is seen deeper there
                    chosen = self._find_where(results[0], results[0].event.values[0])
                if chosen is not None and chosen != ALL:
                    yield _keep(text, chosen), is_large(here)

    # what is written, and what is taken out

    def _iter_written(self) -> Iterator[_KeyWrite]:
        """Yield the entries written into objects that the guard makes: one that it was handed has the others as well."""
        for here in self._all:
            event = here.event
            match event:
                case Stored(key=Value() as key, value=value) if value is not NONE:
                    yield from self._write(here, event.owner, key, value)
                case Stored(key=None, value=value):
                    self._record_element(here, event)
                case Called(receiver=Value() as owner, arguments=(key, *_)):
                    if find_modelled_return(event, self._models) in PUTTING and len(event.arguments) > 1:
                        yield from self._write(here, owner, key, event.arguments[1])
                case Returned(value=value):
                    yield from self._iter_written_out(here, value)

    def _write(self, here: Occurrence, owner: Value, key: Value, value: Value) -> Iterator[_KeyWrite]:
        _, made = here.trace_source(owner)
        term = find_original_term(made.term)
        is_new = get_term_head(term) == "new" or self._models.get_maker_model(made).returns == "new"
        if not is_new or (get_term_head(key.term) == "constant" and not _is_entry_of_handed(here, key.constant, value)):
            return
        keys, text = self._find_chosen(here, key)
        yield _KeyWrite(here, term, keys, text)

    def _iter_written_out(self, here: Occurrence, made: Value) -> Iterator[_KeyWrite]:
        """Yield the entries of what was handed with which an object is made, each under its own key."""
        if get_term_head(find_original_term(made.term)) == "new":
            for key, each in (made.contents or {}).items():
                if isinstance(key, str) and _is_entry_of_handed(here, (str, key), each):
                    yield _KeyWrite(here, find_original_term(made.term), Keys((key,)), here.event.text)

    def _record_element(self, here: Occurrence, event: Stored) -> None:
        """Take down which keys a list has that a key is added to."""
        term = find_original_term(event.owner.term)
        keys, _ = self._find_chosen(here, event.value)
        self._lists[term] = self._lists[term].join(keys) if term in self._lists else keys

    def _iter_taken(self) -> Iterator[_KeyWrite]:
        """Yield the keys taken out of objects by names."""
        for here in self._all:
            match here.event:
                case Stored(owner=owner, key=Value() as key, value=value) if value is NONE:
                    pass
                case Called(receiver=Value() as owner, arguments=(key, *_)) if self._takes(here.event):
                    pass
                case _:
                    continue
            keys, text = self._find_chosen(here, key)
            if keys != ALL and (keys.names or keys.inverted):
                yield _KeyWrite(here, find_original_term(here.trace_source(owner)[1].term), keys, text)

    def _takes(self, event: Event) -> bool:
        return isinstance(event, Called) and find_modelled_return(event, self._models) == "removed"

    def _find_chosen(self, here: Occurrence, key: Value) -> tuple[Keys, Text]:
        """Return which keys one may be where it is used, by what it is of and by the tests around, and what says so."""
        event, keys = here.event, self._find_keys(here, key)
        text, about = event.text, find_original_term(here.trace_source(key)[1].term)
        for context in event.iter_outwards():
            if context.condition == "loop" and context.value is not None:
                if self._elements.get((event.code, context.at)) == find_original_term(key.term):
                    keys = keys.intersect(self._find_elements(here, context.value))
            elif context.condition == "test" and context.value is not None:
                where = self._find_where(here, context.value, about)
                if where is not None:
                    keys = keys.intersect(where if context.holds else where.reverse())
                    text = event.code.extract_text(context.at) if text is event.text else text
        return keys, text

    # which keys a value may be

    def _find_keys(self, here: Occurrence, key: Value, deep: int = DEEPEST) -> Keys:
        """Return which keys a value may be: all of which nothing says otherwise."""
        known = _collect_texts(here, key)
        if known is not None:
            return Keys(known)
        there, key = here.trace_source(key)
        made = key.meaning
        if not deep or not isinstance(made, Made) or not made.of:
            return ALL
        model = self._models.find_model(made.by)
        if made.by == "element":
            return self._find_elements(there, made.of[0], deep - 1)
        if made.by == "text" and len(made.of) == 1:
            return self._find_keys(there, made.of[0], deep - 1)
        if model is not None and model.returns in SAME | {"text", "same text"}:
            return self._find_keys(there, made.of[0], deep - 1)
        return ALL

    def _find_elements(self, here: Occurrence, of: Value, deep: int = DEEPEST) -> Keys:
        """Return which keys a sequence or a set may have."""
        here, of = here.trace_source(of)
        names = self._read_names(here, of)
        if names is not None:
            return Keys(names)
        term = find_original_term(of.term)
        if term in self._lists:
            return self._lists[term]
        made = of.meaning
        if not deep or not isinstance(made, Made) or not made.of:
            return ALL
        parts = [self._find_elements(here, each, deep - 1) for each in made.of[:2]]
        model = self._models.find_model(made.by)
        traits = model.traits if model is not None else frozenset()
        if len(parts) > 1:
            if made.by == "-" or "not in argument" in traits:
                return parts[0].intersect(parts[1].reverse())
            if made.by == "&" or "in both" in traits:
                return parts[0].intersect(parts[1])
            if made.by == "|":
                return parts[0].join(parts[1])
        if model is None:
            return ALL
        if "keyed by argument" in traits:
            return parts[0]
        if model.returns in ("filtered", "retained") and isinstance(term, tuple) and term[:1] == ("call",):
            found = self._tested.get((term[1], term[2]))
            where = self._find_where(found[0], found[1]) if found is not None else None
            return parts[0].intersect(where) if where is not None else parts[0]
        return parts[0] if model.returns in SAME else ALL

    def _read_names(self, here: Occurrence, value: Value) -> tuple[str, ...] | None:
        """Return the texts of a list that is written out, None if it may hold others: one that is empty keeps nothing."""
        _, found = here.trace_source(value)
        held = found.contents
        if held is None:
            noted = self._contents.get(find_original_term(found.term))
            held = noted.contents if noted is not None else None
        if held is None or ELEMENT in held or get_term_head(find_original_term(found.term)) in HANDED:
            return None
        if not held and SEQUENCES.isdisjoint(found.library_types):
            return None  # an object of which nothing is known
        texts = [each.text if isinstance(key, int) else key for key, each in held.items()]
        return tuple(str(each) for each in texts) if all(isinstance(each, str) for each in texts) else None

    # for which keys a test holds

    def _find_where(self, here: Occurrence, test: Value, about: Term = None, deep: int = DEEPEST) -> Keys | None:
        """Return the keys for which a test holds, None if it is about something else than the key with a term."""
        test, holds = strip_negations(test)
        found = self._find_bare(here, test, about, deep)
        return found.reverse() if found is not None and not holds else found

    def _find_bare(self, here: Occurrence, test: Value, about: Term, deep: int) -> Keys | None:
        if test.constant is not None and test.constant[0] is bool:
            return ALL if test.constant[1] else ALL.reverse()
        if not deep:
            return None
        match test.meaning:
            case Relation("in", left, Value() as right) if _is_any(here, left, about):
                names = self._read_names(here, right)
                return Keys(names) if names is not None else None
            case Relation("==", left, Value() as right):
                for key, other in ((left, right), (right, left)):
                    names = _collect_texts(here, other)
                    if names is not None and _is_any(here, key, about):
                        return Keys(names)
                return None
            case ConditionalValue(inner, then, otherwise):
                return self._choose(
                    *(self._find_where(here, each, about, deep - 1) for each in (inner, then, otherwise))
                )
        return self._find_of_some(here, test, about, deep)

    def _choose(self, inner: Keys | None, then: Keys | None, otherwise: Keys | None) -> Keys | None:
        if inner is None or then is None or otherwise is None:
            return None
        return inner.intersect(then).join(inner.reverse().intersect(otherwise))

    def _find_of_some(self, here: Occurrence, test: Value, about: Term, deep: int) -> Keys | None:
        """Return the keys for which a test holds that asks for one of some names, or for none: `any(key == each for …)`."""
        made = test.meaning
        if not isinstance(made, Made):
            return None
        asks = made.by.rpartition(".")[2]
        if asks not in ("any", "all"):
            return None
        match find_original_term(test.term):
            case ("call", Code() as code, Site() as at) if (code, at) in self._tested:
                there, inner, _ = self._tested[code, at]
                found = self._find_where(there, inner, about, deep - 1) if inner.term != test.term else None
            case _:
                found = None
        if found is None and made.of:
            element = (made.of[0].contents or {}).get(ELEMENT)
            found = self._find_where(here, element, about, deep - 1) if element is not None else None
        return found if found is not None and found.inverted is (asks == "all") else None

    # what selects entries

    def _selects(self, event: Called) -> bool:
        is_modelled = find_modelled_return(event, self._models) in SELECTING
        return is_modelled and (event.code, event.at) in self._tested

    def _has_keys(self, event: Called) -> bool:
        """Return whether a call selects among keys alone: what is done with those says what stays."""
        operand = event.values[0] if event.values else None
        return operand is not None and self._models.get_maker_model(operand).returns == "keys"


def _is_entry_of_handed(here: Occurrence, key: tuple[type, object] | None, value: Value) -> bool:
    """Return whether a value is the entry under the same key of what a guard was handed: `{"id": value["id"]}`."""
    _, value = here.trace_source(value)
    match value.meaning:
        case Made(of=(owner, asked, *_)) if key is not None and asked.constant == key:
            return get_term_head(find_original_term(owner.term)) in HANDED
    return False


def _keep(text: Text, keys: Keys) -> Keeping:
    return Keeping(text, keys.names, not keys.inverted)


def _group(found: Iterable[_KeyWrite]) -> Iterator[list[_KeyWrite]]:
    """Yield the changes of the same object: entries written or taken out."""
    groups: dict[Term, list[_KeyWrite]] = {}
    for each in found:
        groups.setdefault(each.owner, []).append(each)
    yield from groups.values()


def _collect_texts(here: Occurrence, value: Value) -> tuple[str, ...] | None:
    """Return the texts that a value can only be, None if it may be others."""
    known = infer_constants(value, here.event.facts)
    if known is None:
        known = here.trace_source(value)[1].constants
    if not known or not all(isinstance(each, str) for _, each in known):
        return None
    names = sorted(str(each) for _, each in known if not str(each).startswith("_"))
    return tuple(names) or None  # the marks of a guard are no keys of what it was handed


def _is_any(here: Occurrence, key: Value, about: Term) -> bool:
    """Return whether a value may be any key: a run knows none that it can only be, and it is no argument, as the action is.

    It has the term that a test is to be about, if one is given, or is a text of what has it.
    """
    there, known = here.trace_source(key)
    term = find_original_term(known.term)
    if known.constants is not None or get_term_head(term) in HANDED:
        return False
    if about is None or term == about:
        return True
    return isinstance(known.meaning, Made) and any(
        find_original_term(there.trace_source(each)[1].term) == about for each in known.meaning.of
    )
