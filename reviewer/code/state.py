"""What holds at one point of an abstract run: the variables, the contents of objects, and what tests have told.

What tests tell is kept by the term of the value, and terms never change, so it holds until the branch ends where it was told.
"""

from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

from reviewer.code.heap import Heap, is_seen_made
from reviewer.code.ir import Variable
from reviewer.code.layers import Layered, extend_mapping, join_mappings
from reviewer.code.values import (
    ABSENT,
    ANY,
    CELL,
    ELEMENT,
    NO_NUMBER,
    UNREADABLE,
    Class,
    ClientArguments,
    ConditionalValue,
    Function,
    Instance,
    Interval,
    Key,
    Library,
    Made,
    Module,
    Negation,
    Plain,
    Relation,
    Term,
    Thing,
    Value,
    build_choice,
    build_joined,
    convert_to_float,
    share_labels,
)

NUMBERS = frozenset({Library("builtins.int"), Library("int")})
"""The types of whole numbers that a test asks for: what is of another has no place in a sequence, and is no length."""


def _is_another_variant(one: "Class | Library", other: "Class | Library") -> bool:
    if not isinstance(one, Class) or not isinstance(other, Class) or one.handle != other.handle:
        return False
    return one.variant != other.variant and bool(one.variant and other.variant)


class KnownFact(NamedTuple):
    """What tests told of one value."""

    interval: Interval = ANY
    truth: bool | None = None
    present: bool | None = None
    failed: bool | None = None
    """Whether it is a failure. A value that is none may still be absent."""
    equal: frozenset[tuple[type, Plain]] | None = None
    unequal: frozenset[tuple[type, Plain]] = frozenset()
    kinds: frozenset["Class | Library"] = frozenset()
    others: frozenset["Class | Library"] = frozenset()
    """The kinds that it is not of."""
    within: frozenset[Term] = frozenset()
    """What it was found in."""

    def join(self, other: "KnownFact") -> "KnownFact":
        """Return the facts that hold on both ways."""
        return KnownFact(
            self.counted.join(other.counted),
            self.truth if self.truth == other.truth else None,
            self.present if self.present == other.present else None,
            self.failed if self.failed == other.failed else None,
            self.equal | other.equal if self.equal is not None and other.equal is not None else None,
            self.unequal & other.unequal  # what both exclude by the same way is not asked for one by one
            | {each for each in self.unequal ^ other.unequal if self.excludes(each) and other.excludes(each)},
            self.kinds & other.kinds,
            self.others & other.others,
            self.within & other.within,
        )

    @property
    def counted(self) -> Interval:
        """Between which numbers the value lies where it is one: none if it is not there, or of another type."""
        is_none = self.present is False or self.equal == ABSENT or not NUMBERS.isdisjoint(self.others)
        return NO_NUMBER if is_none else self.interval

    def excludes(self, constant: tuple[type, Plain]) -> bool:
        """Return whether the value certainly is not a constant: it is another, has another truth, or is absent."""
        return (
            constant in self.unequal
            or (self.equal is not None and constant not in self.equal)
            or (self.truth is not None and self.truth is not bool(constant[1]))
            or (self.present is False and constant[1] is not None)
        )

    def opposes(self, other: "KnownFact") -> bool:
        """Return whether no value is as both facts say."""
        told = ((self.truth, other.truth), (self.present, other.present), (self.failed, other.failed))
        if any(None not in each and each[0] is not each[1] for each in told):
            return True
        if self.kinds & other.others or self.others & other.kinds:
            return True
        if any(_is_another_variant(each, kind) for each in self.kinds for kind in other.kinds):
            return True
        return any(
            mine.equal is not None and (mine.equal <= theirs.unequal or not mine.equal & (theirs.equal or mine.equal))
            for mine, theirs in ((self, other), (other, self))
        )


MOST_CONSTANTS = 1_000
"""Constants that a value is known to be one of, or none of. Ten thousand branches may add one each, and each keeps a set."""

NOTHING = KnownFact()
Facts = Mapping[Term, KnownFact]


class State:
    """The variables and objects at one point, and what is known there. `facts` is never changed, but replaced."""

    __slots__ = ("facts", "heap", "variables")

    def __init__(
        self,
        variables: "dict[Variable, Value] | None" = None,
        heap: Heap | None = None,
        facts: Facts | None = None,
    ) -> None:
        self.variables = variables if variables is not None else {}
        self.heap = heap if heap is not None else Heap()
        self.facts = facts if facts is not None else {}

    def copy(self) -> "State":
        """Return a state that changes by itself."""
        return State(self.variables.copy(), self.heap.copy(), self.facts)

    def read(self, owner: Value, key: Key) -> Value | None:
        """Return the entry of an object under a key; None if none is known to be written there."""
        found = self.heap.get(owner.term)
        if found is not None and (key in found or not isinstance(owner.contents, ClientArguments)):
            return found.get(key)
        return owner.contents.get(key) if owner.contents is not None else None

    def write(self, owner: Value, key: Key, value: Value) -> None:
        """Let an object hold a value under a key; one that is an entry itself is there from now on."""
        if owner.term not in self.heap:
            if owner.contents and not isinstance(owner.contents, ClientArguments):
                self.heap.before[owner.term] = owner.contents
            self._keep(owner)
        self.heap[owner.term] = {**self.read_contents(owner), key: value}
        match owner.meaning:
            case Made(".0", (variant,)) if any(
                isinstance(each, Library) for each in self.read_fact(variant.term).kinds
            ):
                self.write(variant, key, value)  # it stands for its only part: `Value::Object(map)`

    def replace(self, seen: Value, value: Value) -> None:
        """Let what holds a value hold another from now on: the variables and the fields that were lent."""
        self.variables |= {each: value for each, held in self.variables.items() if held is seen}
        for owner, held in self.heap.items():
            if any(each is seen for each in held.values()):
                self.heap[owner] = {key: value if each is seen else each for key, each in held.items()}

    def write_through(self, seen: Value, value: Value) -> None:
        """Let what a lock or a cell guards, of which a value was seen, be another from now on."""
        for owner, held in self.heap.items():
            if held.get(CELL) is seen:
                self.heap[owner] = {**held, CELL: value}
                return
        if seen.constants is None:
            self.write(seen, CELL, value)

    def _keep(self, entry: Value) -> None:
        """Let an object hold an entry that was read of it, or what stands in its stead if there is none."""
        read = entry
        while isinstance(read.meaning, ConditionalValue) and isinstance(read.meaning.test.meaning, Relation):
            if read.meaning.test.meaning.operator != "present":
                return
            read = read.meaning.then
        match read.meaning:
            case Made("item", (owner, key)) if key.text is not None and self.read(owner, key.text) is None:
                self.write(owner, key.text, entry)

    def forget(self, owner: Value, key: Key) -> None:
        """Let an object hold nothing under a key; an element of a sequence is not told from the others that move up."""
        held = self.read_contents(owner)
        if key in held and not any(isinstance(each, int) for each in held):
            self.heap[owner.term] = {each: value for each, value in held.items() if each != key}

    def share_contents(self, term: Term, value: Value) -> None:
        """Let what is known under a term hold what a value holds that it stands for."""
        held = self.heap.get(value.term)
        if held is not None and term not in self.heap:
            self.heap[term] = held

    def read_contents(self, owner: Value) -> "Mapping[Key, Value]":
        """Return all that an object holds, by key, as far as it was seen."""
        found = self.heap.get(owner.term)
        if found is not None:
            return found
        return owner.contents if owner.contents is not None else {}

    def read_fields(self, owner: Value) -> "Mapping[Key, Value]":
        """Return the fields of a project object whose creation was seen; empty for anything else."""
        is_made = owner.certain and any(
            isinstance(each, Instance) and isinstance(each.of, Class) for each in owner.things
        )
        return self.read_contents(owner) if is_made else {}

    def read_fact(self, term: Term) -> KnownFact:
        """Return the conditions that tests established about a term."""
        return self.facts.get(term, NOTHING)

    def learn(
        self,
        term: Term,
        *,
        interval: Interval | None = None,
        truth: bool | None = None,
        present: bool | None = None,
        failed: bool | None = None,
        equal: "frozenset[tuple[type, Plain]] | None" = None,
        unequal: "frozenset[tuple[type, Plain]] | None" = None,
        kinds: "frozenset[Class | Library] | None" = None,
        others: "frozenset[Class | Library] | None" = None,
        within: frozenset[Term] | None = None,
    ) -> None:
        """Take down what a test told of a term, beside what is known; None tells nothing."""
        found = self.facts.get(term)
        known = NOTHING if found is None else found
        fact = KnownFact(
            known.interval if interval is None else interval,
            known.truth if truth is None else truth,
            known.present if present is None else present,
            known.failed if failed is None else failed,
            known.equal if equal is None else equal,
            known.unequal if unequal is None else unequal,
            known.kinds if kinds is None else kinds,
            known.others if others is None else others,
            known.within if within is None else within,
        )
        if fact != found:
            self.facts = extend_mapping(self.facts, {term: fact})


def build_namespace(path: str) -> Value:
    """Return the namespace of a module, whose names functions assign."""
    return Value(("globals", path))


def infer_interval(value: Value, facts: Facts) -> Interval:
    """Return between which numbers a value lies at a point."""
    fact = facts.get(value.term)
    if fact is None:
        return value.interval
    if fact.equal == ABSENT:
        return NO_NUMBER
    return value.interval if fact.interval == ANY else fact.interval.meet(value.interval)


def infer_truth(value: Value, facts: Facts) -> bool | None:
    """Return whether a value certainly is true or false at a point; None if it may be either."""
    fact = facts.get(value.term)
    if fact is not None:
        if fact.truth is not None:
            return fact.truth
        if fact.present is False:
            return False
        if fact.equal is not None:
            return _unify_truths(bool(each) for _, each in fact.equal)
    known = _unify_truths(bool(each) for _, each in value.constants) if value.constants else None
    if known is not None or value.failure is not None:
        return known
    meaning = value.meaning
    if isinstance(meaning, Negation):
        inner = infer_truth(meaning.operand, facts)
        return None if inner is None else not inner
    if isinstance(meaning, Relation):
        return _decides_relation(meaning, facts)
    if isinstance(meaning, ConditionalValue):
        return _infer_chosen_truth(meaning, facts)
    if value.certain and value.things and all(isinstance(each, Function | Class | Module) for each in value.things):
        return True  # an object may be empty, or say itself that it is false
    if value.certain and isinstance(value.contents, ClientArguments):
        return True
    return None


def substitute_term(test: Value, term: Term, value: Value) -> Value:
    """Return a test as it is where a term stands for a value."""
    if test.term == term:
        return value
    match test.meaning:
        case Negation(operand):
            return Value(test.term, meaning=Negation(substitute_term(operand, term, value)))
        case Relation(operator, left, right):
            right = substitute_term(right, term, value) if right is not None else None
            return Value(test.term, meaning=Relation(operator, substitute_term(left, term, value), right))
    return test


def settle_value(value: Value, facts: Facts) -> Value:
    """Return the value that another is, where the tests are decided that choose it."""
    while isinstance(value.meaning, ConditionalValue):
        truth = infer_truth(value.meaning.test, facts)
        if truth is None:
            break
        value = value.meaning.then if truth else value.meaning.otherwise
    return value


def is_settled(test: Value, facts: Facts) -> bool:
    """Return whether constants alone decide a test: the name of a tool, a flag that a caller says."""
    match test.meaning:
        case Negation(operand):
            return is_settled(operand, facts)
        case Relation(_, left, right):
            return all(each is None or infer_constants(each, facts) is not None for each in (left, right))
        case ConditionalValue(choosing, then, otherwise):
            return all(is_settled(each, facts) for each in (choosing, then, otherwise))
    return infer_constants(test, facts) is not None


def _unify_truths(truths: Iterable[bool]) -> bool | None:
    found = set(truths)
    return found.pop() if len(found) == 1 else None


def _infer_chosen_truth(choice: ConditionalValue, facts: Facts) -> bool | None:
    test = infer_truth(choice.test, facts)
    if test is False:
        return _infer_side_truth(choice.otherwise, choice.otherwise_truth, facts)
    then = _infer_side_truth(choice.then, choice.then_truth, facts)
    if test or then is None:  # of a dispatcher's arms each is the other side of those before: it is left at the first
        return then
    return then if then == _infer_side_truth(choice.otherwise, choice.otherwise_truth, facts) else None


def _decides_relation(relation: Relation, facts: Facts) -> bool | None:
    """Return whether a relation certainly holds or does not; None if it may."""
    left, right = relation.left, relation.right
    match relation.operator:
        case "present":
            return infer_presence(left, facts)
        case "succeeds":
            failed = infer_failure(left, facts)
            return None if failed is None else not failed
        case "kind" if right is not None:
            told = _tells_kind(facts.get(left.term), right)
            return told if told is not None else _is_variant(left, right)
        case "<" | "<=" if right is not None:
            return _compare_intervals(relation.operator, infer_interval(left, facts), infer_interval(right, facts))
        case "==" | "is" if right is not None:
            return _are_equal(left, right, facts)
        case "in" if right is not None:
            if UNREADABLE in left.labels:
                return False
            return _is_listed(infer_constants(left, facts), _find_listed_constants(right.contents or {}, facts))
    return None


def _find_listed_constants(held: "Mapping[Key, Value]", facts: Facts) -> frozenset[tuple[type, Plain]] | None:
    """Return the constants that a sequence consists of, None if it may hold something else."""
    found: set[tuple[type, Plain]] = set()
    for key, each in held.items():
        constants = infer_constants(each, facts) if isinstance(key, int) else None
        if constants is None or len(constants) > 1:
            return None
        found |= constants
    return frozenset(found) if held else None


def _is_listed(
    constants: frozenset[tuple[type, Plain]] | None, listed: frozenset[tuple[type, Plain]] | None
) -> bool | None:
    if constants is None or listed is None:
        return None
    return True if constants <= listed else None if constants & listed else False


def _tells_kind(fact: KnownFact | None, kind: Value) -> bool | None:
    """Return whether tests told that a value is of a kind, or of none of those that are asked."""
    asked = frozenset(each for each in kind.things if isinstance(each, Class | Library))
    if fact is None or not asked:
        return None
    return True if asked & fact.kinds else False if asked <= fact.others else None


def _is_variant(value: Value, kind: Value) -> bool | None:
    """Return whether a value is of a variant, where it is known which variants of one type it may be."""
    made = [each.of if isinstance(each, Instance) else each for each in value.things]
    known = [each for each in made if isinstance(each, Class) and each.variant]
    (asked,) = kind.things if len(kind.things) == 1 else (None,)
    if not value.certain or not known or len(known) < len(made) or not isinstance(asked, Class) or not asked.variant:
        return None
    return _unify_truths(each == asked for each in known)


def _compare_intervals(operator: str, left: Interval, right: Interval) -> bool | None:
    if operator == "<":
        return True if left.high < right.low else False if left.low >= right.high else None
    return True if left.high <= right.low else False if left.low > right.high else None


def _are_equal(left: Value, right: Value, facts: Facts) -> bool | None:
    if left.term == right.term:
        return None if _is_length(left) else True
    for value, kind in ((left, right), (right, left)):
        told = _tells_kind(facts.get(value.term), kind) if _is_unit(kind) else None
        if told is not None:
            return told
    one, other = infer_constants(left, facts), infer_constants(right, facts)
    if (UNREADABLE in left.labels) is not (UNREADABLE in right.labels) and ABSENT not in (one, other):
        return False
    if one is None or other is None:
        return _equals_constants(left, other, facts) if other is not None else None
    if len(one) == 1 and one == other:
        return True
    return False if not {each for _, each in one} & {each for _, each in other} else None


def _is_unit(value: Value) -> bool:
    """Return whether a value is a variant that holds nothing, so that what is of it is that value: `mode == Mode::Quiet`."""
    (thing,) = value.things if len(value.things) == 1 and value.certain else (None,)
    return isinstance(thing, Class) and bool(thing.variant)


def _is_length(value: Value) -> bool:
    """Return whether a value is how many elements something has, which may have others by now: `list.len() == before`."""
    return isinstance(value.term, tuple) and value.term[:1] == ("length",)


def _equals_constants(value: Value, others: frozenset[tuple[type, Plain]], facts: Facts) -> bool | None:
    fact = facts.get(value.term)
    if fact is not None and others <= fact.unequal:
        return False
    if others == ABSENT and (value.failure is not None or infer_presence(value, facts) is True):
        return False
    return None


def infer_constants(value: Value, facts: Facts) -> frozenset[tuple[type, Plain]] | None:
    """Return the constants that a value can only be at a point, None if it may be anything."""
    fact = facts.get(value.term)
    if fact is not None and fact.equal is not None:
        return fact.equal
    return value.constants


def infer_presence(value: Value, facts: Facts) -> bool | None:
    """Return whether a value certainly is present, or certainly absent or failed; None if it may be either."""
    fact = facts.get(value.term)
    if fact is not None and fact.present is not None:
        return fact.present
    if value.failure is not None:
        return False
    if value.constants is not None:
        return _unify_truths(each is not None for _, each in value.constants)
    return True if value.certain and (value.things or isinstance(value.contents, ClientArguments)) else None


def infer_failure(value: Value, facts: Facts) -> bool | None:
    """Return whether a value certainly is a failure or none. An absent one may be a failure: `?` returns it as well."""
    fact = facts.get(value.term)
    if fact is not None and fact.failed is not None:
        return fact.failed
    if value.failure is not None:
        return True
    return False if infer_presence(value, facts) else None


def refine(state: State, value: Value, truth: bool) -> bool:
    """Take down that a value is true, or false; return whether it can be at all."""
    if infer_truth(value, state.facts) is (not truth):
        return False
    meaning = value.meaning
    if meaning is None or isinstance(meaning, Made):
        state.learn(value.term, truth=truth, present=True if truth else None)
        return True
    state.learn(value.term, truth=truth)
    if isinstance(meaning, Negation):
        return refine(state, meaning.operand, not truth)
    return _relate(state, meaning, truth) if isinstance(meaning, Relation) else _choose(state, meaning, truth)


def _choose(state: State, choice: ConditionalValue, truth: bool) -> bool:
    """Refine by which of two values it must be to be so."""
    if _infer_side_truth(choice.then, choice.then_truth, state.facts) is (not truth):
        return refine(state, choice.test, False) and refine(state, choice.otherwise, truth)
    if _infer_side_truth(choice.otherwise, choice.otherwise_truth, state.facts) is (not truth):
        return refine(state, choice.test, True) and refine(state, choice.then, truth)
    return True


def _infer_side_truth(side: Value, truth: bool | None, facts: Facts) -> bool | None:
    return truth if truth is not None else infer_truth(side, facts)


def _relate(state: State, relation: Relation, truth: bool) -> bool:
    left, right = relation.left, relation.right
    possible = True
    match relation.operator:
        case "present":
            state.learn(left.term, present=truth)
        case "succeeds":
            state.learn(left.term, failed=not truth, present=None if truth else False)
        case "kind":
            possible = _refine_kind(state, left, right, truth)
        case "<" | "<=" if right is not None:
            possible = _order(state, relation.operator, left, right, truth)
        case "==" | "is" if right is not None:
            possible = _equate(state, left, right, truth)
        case "in" if right is not None:
            _learn_found_in(state, left, right, truth)
    return possible and _refine_sides(state, relation, truth)


def _refine_sides(state: State, relation: Relation, truth: bool) -> bool:
    """Refine by which of two values it must be of which a relation holds, or does not."""
    choice = relation.left.meaning
    if not isinstance(choice, ConditionalValue):
        return True
    for side, other, holds in ((choice.then, choice.otherwise, False), (choice.otherwise, choice.then, True)):
        if _decides_relation(Relation(relation.operator, side, relation.right), state.facts) is (not truth):
            rest = Relation(relation.operator, other, relation.right)
            return refine(state, choice.test, holds) and _relate(state, rest, truth)
    return True


def _refine_kind(state: State, value: Value, kind: Value | None, truth: bool) -> bool:
    kinds = (
        frozenset(each for each in kind.things if isinstance(each, Class | Library))
        if kind is not None
        else frozenset()
    )
    fact = state.read_fact(value.term)
    if truth:  # of which of several it is is not known
        state.learn(value.term, kinds=fact.kinds | kinds if len(kinds) == 1 else None, present=True)
    else:
        state.learn(value.term, others=fact.others | kinds)
    return True


def _order(state: State, operator: str, left: Value, right: Value, truth: bool) -> bool:
    """Refine both sides of `left < right`, or of its negation `right <= left`."""
    if not truth:
        left, right, operator = right, left, "<=" if operator == "<" else "<"
    one, other = infer_interval(left, state.facts), infer_interval(right, state.facts)
    step = 1 if operator == "<" and _is_whole(one) and _is_whole(other) else 0
    if one.low > other.high or (operator == "<" and one.low >= other.high):
        return False
    _narrow(state, left, Interval(-inf, other.high - step, other.unsure and other.high == inf))
    _narrow(state, right, Interval(one.low + step, inf, one.unsure and one.low == -inf))
    return True


def _is_whole(interval: Interval) -> bool:
    return all(each in (inf, -inf) or each == int(each) for each in interval[:2])


def _narrow(state: State, value: Value, interval: Interval) -> None:
    """Take down a bound. One by something that could not be seen makes the value's own bounds unsure, and no closer."""
    before = state.read_fact(value.term).interval
    met = before._replace(unsure=True) if interval.unsure else before.meet(interval)
    if met != before:
        state.learn(value.term, interval=met)


def _equate(state: State, left: Value, right: Value, truth: bool) -> bool:
    for one, other in ((left, right), (right, left)):
        if _is_unit(other):
            _refine_kind(state, one, other, truth)
        constants = infer_constants(other, state.facts)
        if constants is None:
            if truth:
                _narrow(state, one, infer_interval(other, state.facts))
                if other.certain and state.heap.get(other.term) == {}:
                    state.learn(("length", one.term), interval=Interval(0, 0))
            continue
        fact = state.read_fact(one.term)
        if truth:
            kept = constants if fact.equal is None else constants & fact.equal
            present = None if not kept else _unify_truths(each is not None for _, each in kept)
            state.learn(one.term, equal=kept, present=present)
            _narrow(state, one, infer_interval(other, state.facts))
        elif len(constants) == 1:
            present = True if next(iter(constants))[1] is None else fact.present
            state.learn(one.term, unequal=_exclude_more(fact.unequal, constants), present=present)
    return True


def _exclude_more(
    unequal: frozenset[tuple[type, Plain]], constants: frozenset[tuple[type, Plain]]
) -> frozenset[tuple[type, Plain]]:
    """Return the excluded constants of a value, with further ones; if they are too many, none."""
    return unequal | constants if len(unequal) < MOST_CONSTANTS else unequal


def _learn_found_in(state: State, value: Value, container: Value, truth: bool) -> None:
    fact = state.read_fact(value.term)
    if truth and isinstance(container.term, tuple) and container.term[:1] == ("range",):
        _narrow(state, value, infer_interval(container, state.facts))
    listed = _find_listed_constants(state.read_contents(container), state.facts)
    if not truth:
        state.learn(value.term, unequal=_exclude_more(fact.unequal, listed or frozenset()))
        return
    numbers = [convert_to_float(each) for _, each in listed or () if isinstance(each, int | float)]
    if listed and len(numbers) == len(listed):
        _narrow(state, value, Interval(min(numbers), max(numbers)))
    known = infer_constants(value, state.facts)  # being in a list of many makes no constant one of them all
    equal = fact.equal if listed is None else listed if known is None else known & listed or listed
    state.learn(value.term, within=fact.within | {container.term}, equal=equal)


def join_states(
    place: object, states: "list[State]", test: Value | None = None, *, are_left: bool = False
) -> "State | None":
    """Return the state where some come together, None if there is none. `place` names the point.

    With two states, `test` is what leads to the first. If `are_left`, nobody asks any of the states from now on, and one may
    become the result: so branches that come together one after the other cost what each of them did, and not what all did.
    """
    if len(states) < 2:
        return states[0] if states else None
    result = states[0]
    for number, other in enumerate(states[1:]):
        result = _join_two(
            result,
            other,
            (place, number),
            test if len(states) == 2 else None,
            of_one=are_left or number > 0,
            of_other=are_left,
        )
    return result


def _join_two(one: State, other: State, place: object, test: Value | None, *, of_one: bool, of_other: bool) -> State:
    """Return the state where two come together. What differs is gone through in the smaller one; the other is copied, or changed
    if nobody asks it again (`of_one`, `of_other`).
    """
    shared, facts = _join_facts(one.facts, other.facts)
    variables, joint = _join_variables(one, other, place, test, facts, of_one=of_one, of_other=of_other)
    heap = _join_heaps(one, other, place, test, facts, of_one=of_one, of_other=of_other)
    for owner, held in joint.items():
        heap[owner] = held
    return State(variables, heap, extend_mapping(shared, facts) if shared else facts)


def _join_variables(
    one: State, other: State, place: object, test: Value | None, facts: dict[Term, KnownFact], *, of_one: bool,
    of_other: bool,
) -> "tuple[dict[Variable, Value], dict[Term, dict[Key, Value]]]":  # fmt: skip
    """Return the variables of two states, and the contents of objects that each holds in one of them."""
    joint: dict[Term, dict[Key, Value]] = {}
    is_first = 2 * len(one.variables) >= len(other.variables)
    if is_first:
        variables = one.variables if of_one else one.variables.copy()
        asked = other.variables
    else:
        variables = other.variables if of_other else other.variables.copy()
        asked = one.variables
    for variable, found in asked.items():
        known = variables.get(variable)
        if known is found:
            continue
        if known is None:
            if variable.name or not is_first:  # a temporary is used only where it was made, or where both ways made it
                variables[variable] = found
            continue
        left, right = (known, found) if is_first else (found, known)
        value = variables[variable] = merge_values(("join", place, variable), left, right, one, other, facts, test)
        first, second = (one.read_fields(left), other.read_fields(right)) if left.certain and test is None else ({}, {})
        if first and left.term != right.term and first.keys() == second.keys():  # what both hold, field by field
            joint[value.term] = _join_held(("join", place, variable), first, second, one, other, facts, None)
    return variables, joint


def _join_heaps(
    one: State, other: State, place: object, test: Value | None, facts: dict[Term, KnownFact], *, of_one: bool,
    of_other: bool,
) -> Heap:  # fmt: skip
    """Return the contents of objects in one of two states."""
    is_first = len(one.heap) >= len(other.heap)
    if is_first:
        heap, asked = one.heap if of_one else one.heap.copy(), other.heap
    else:
        heap, asked = other.heap if of_other else other.heap.copy(), one.heap
    changed: list[tuple[Term, dict[Key, Value]]] = []

    def join(owner: Term, known: Mapping[Key, Value], found: Mapping[Key, Value]) -> None:
        mine, theirs = (known, found) if is_first else (found, known)
        changed.append((owner, _join_held(("join", place, owner), mine, theirs, one, other, facts, test)))

    for owner, found in asked.items():
        known = heap.get(owner)
        if known is found:
            continue
        if known is None and is_seen_made(owner):
            changed.append((owner, found))
        else:
            join(owner, known if known is not None else heap.before.get(owner, {}), found)
    for owner in heap.iter_unsettled():
        if owner not in asked:
            join(owner, heap[owner], heap.before.get(owner, {}))
    for owner, held in changed:
        heap[owner] = held
    return heap


def _join_held(
    term: tuple[object, ...], mine: "Mapping[Key, Value]", theirs: "Mapping[Key, Value]", one: State, other: State,
    facts: dict[Term, KnownFact], test: Value | None,
) -> "dict[Key, Value]":  # fmt: skip
    """Return the contents of an object with the contents of one or the other.

    Elements that a sequence has on one path only may be any of the others.
    """
    if mine.keys() != theirs.keys() and all(isinstance(each, int) for each in (*mine, *theirs)):
        beyond = [each for held in (mine, theirs) for key, each in held.items() if key not in mine or key not in theirs]
        any_of = beyond[0]
        for number, each in enumerate(beyond[1:]):
            any_of = merge_values((*term, number), any_of, each, one, other, facts)
        mine = {**{key: each for key, each in mine.items() if key in theirs}, ELEMENT: any_of}
        theirs = {**{key: each for key, each in theirs.items() if key in mine}, ELEMENT: any_of}
    entries = dict(mine)
    owner = term[-1]
    if not is_seen_made(owner):
        mine, theirs = _join_filled(owner, mine, theirs), _join_filled(owner, theirs, mine)
        entries = dict(mine)
    for entry, right in theirs.items():
        left = entries.get(entry)
        if left is None:
            entries[entry] = right
        elif left is not right:
            entries[entry] = merge_values((*term, entry), left, right, one, other, facts, test)
    return entries


def _join_filled(owner: Term, held: "Mapping[Key, Value]", other: "Mapping[Key, Value]") -> "Mapping[Key, Value]":
    """Return the contents of an object with the fields that the other path has set, with their values before that."""
    before: dict[Key, Value] = {
        key: Value(("field", owner, key[0]), unknown="it is set on one way only")
        for key in other.keys() - held.keys()
        if isinstance(key, tuple)
    }
    return {**held, **before} if before else held


def _join_facts(one: Facts, other: Facts) -> tuple[Facts, dict[Term, KnownFact]]:
    """Return the facts that are known on both ways: those that hold where the second part has none, and the second part."""
    if one is other:
        return (one, {}) if isinstance(one, Layered) else ({}, {**one})
    return join_mappings(one, other, _join_known)


def _join_known(one: KnownFact, other: KnownFact) -> KnownFact | None:
    fact = one.join(other)
    return fact if fact != NOTHING else None


def merge_values(
    term: Term,
    left: Value,
    right: Value,
    one: State,
    other: State,
    facts: dict[Term, KnownFact],
    test: Value | None = None,
) -> Value:
    """Return the value that is one or the other; `facts` takes what is known of each where it comes from."""
    if left.term == right.term and left.giver == right.giver:
        return left if left.labels == right.labels else left.with_labels(right.labels)
    meaning: ConditionalValue | Made | None = None
    if test is not None:
        meaning = build_choice(test, left, right, infer_truth(left, one.facts), infer_truth(right, other.facts))
    elif all(isinstance(each, Instance) and isinstance(each.of, Library) for each in (*left.things, *right.things)):
        meaning = build_joined(left, right)
    fact, theirs = one.facts.get(left.term), other.facts.get(right.term)
    if fact is not None and theirs is not None:
        both = fact.join(theirs)
        if both != NOTHING:
            facts[term] = both._replace(interval=ANY)
    return Value(
        term,
        share_labels(left.labels | right.labels),
        _join_constants(infer_constants(left, one.facts), infer_constants(right, other.facts)),
        _count_interval(left, one.facts).join(_count_interval(right, other.facts)),
        _join_things(left, right, one.facts, other.facts),
        left.certain and right.certain,
        meaning,
        left.failure if left.failure is not None and right.failure is not None else None,
        left.awaits if left.awaits is right.awaits else None,
        unknown=left.unknown or right.unknown,
    )


def _count_interval(value: Value, facts: Facts) -> Interval:
    """Return between which numbers a value lies where it is one, for what comes together with another."""
    fact = facts.get(value.term)
    return infer_interval(value, facts) if fact is None or NUMBERS.isdisjoint(fact.others) else NO_NUMBER


def _join_constants(
    constants: frozenset[tuple[type, Plain]] | None, others: frozenset[tuple[type, Plain]] | None
) -> frozenset[tuple[type, Plain]] | None:
    """Return the constants that a value can only be that is one or the other; of too many it may be anything."""
    found = constants | others if constants is not None and others is not None else None
    return found if found is not None and len(found) <= MOST_CONSTANTS else None


def _join_things(left: Value, right: Value, facts: Facts, others: Facts) -> tuple[Thing, ...]:
    """Return the possible objects of a value that is one or the other; one that is certainly absent has none."""
    if left.things == right.things:
        return left.things
    mine = left.things if infer_presence(left, facts) is not False else ()
    theirs = right.things if infer_presence(right, others) is not False else ()
    return (*mine, *(each for each in theirs if each not in mine))
