"""What a value holds: elements, entries, parts, how many; and where all that comes from."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from reviewer.code import ir
from reviewer.code.heap import Heap
from reviewer.code.library_types import find_types
from reviewer.code.run import Activation, Run
from reviewer.code.state import State, infer_constants, infer_interval
from reviewer.code.values import (
    ABSENT,
    COUNT,
    ELEMENT,
    NONE,
    UNSURE,
    Class,
    ClientArguments,
    ConditionalValue,
    Function,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Relation,
    Term,
    Value,
    build_choice,
    build_constant,
    build_joined,
    drop_cut_labels,
    is_function,
    nest_term,
    share_labels,
)

REACH = 4
"""How deep objects inside objects are looked through for labels. Requests nest a model in a model; no more was seen."""


def with_arguments(term: Term, function: Value, leading: tuple[Value, ...], named: Mapping[str, Value]) -> Value:
    """Return a function that was given some of its arguments: a partial."""
    if function.things and all(isinstance(each, Library) for each in function.things):  # a call of it adds them
        before = len(function.contents or {})
        bound: dict[Key, Value] = {(str(before + place),): each for place, each in enumerate(leading)}
        bound |= {(name,): each for name, each in named.items()}
        return function._replace(term=term, contents={**(function.contents or {}), **bound})
    things = tuple(
        replace(each, leading=(*each.leading, *leading), named=(*each.named, *named.items()))
        if isinstance(each, Function)
        else each
        for each in function.things
    )
    return function._replace(term=term, things=things)


def with_held_labels(value: Value, state: State) -> Value:
    """Return a value with the labels of all that it holds."""
    if value.term not in state.heap and not isinstance(value.meaning, ConditionalValue):
        return value
    return value.with_labels(collect_labels(value, state, REACH))


def collect_labels(value: Value, state: State, reach: int) -> frozenset[Label]:
    """Return where a value comes from and what it holds, `reach` objects deep."""
    found: set[Label] = set()
    _gather(value, state.heap, reach, found)
    return value.labels if found == value.labels else share_labels(frozenset(found))


def _gather(value: Value, heap: "Mapping[Term, Mapping[Key, Value]]", reach: int, found: set[Label]) -> None:
    """Add to some labels where a value comes from and what it holds."""
    found |= value.labels
    if not reach:
        return
    for each in heap.get(value.term, NOTHING_HELD).values():
        _gather(each, heap, reach - 1, found)
    meaning = value.meaning
    if isinstance(meaning, ConditionalValue):
        _gather(meaning.then, heap, reach - 1, found)
        _gather(meaning.otherwise, heap, reach - 1, found)


NOTHING_HELD: Mapping[Key, Value] = {}


def show_value(value: Value, state: State) -> Value:
    """Return a value as an event tells of it: with the labels of all that it holds, and with what it holds itself."""
    if value.term not in state.heap and not value.ways:
        return value
    shown, key = state.heap.shown, (id(value), -1)
    known = shown.get(key)
    if known is None:
        found = _show_part(value, state.heap, REACH).with_labels(collect_labels(value, state, REACH))
        known = shown[key] = (value, found)
    return known[1]


def _show_part(value: Value, heap: Heap, reach: int) -> Value:
    if not reach:
        return value
    key = (id(value), reach)
    known = heap.shown.get(key)
    if known is None:
        known = heap.shown[key] = (value, _build_part(value, heap, reach))
    return known[1]


def _build_part(value: Value, heap: Heap, reach: int) -> Value:
    held = heap.get(value.term)
    if held and not isinstance(value.contents, ClientArguments):
        value = value._replace(contents={key: _show_part(each, heap, reach - 1) for key, each in held.items()})
    meaning = value.meaning
    if isinstance(meaning, ConditionalValue):
        one, other = _show_part(meaning.then, heap, reach - 1), _show_part(meaning.otherwise, heap, reach - 1)
        if one is not meaning.then or other is not meaning.otherwise:
            value = value._replace(meaning=ConditionalValue(meaning.test, one, other, *meaning[3:]))
    elif isinstance(meaning, Made) and meaning.by == "joined":
        ways = tuple([_show_part(each, heap, reach - 1) for each in meaning.of])
        value = value._replace(meaning=meaning._replace(of=ways))
    return value


def read_key(key: Value) -> Key:
    """Return the key under which an entry is stored."""
    found = key.constant
    if found is None:
        return ELEMENT
    return found[1]


def read_element(value: Value, state: State, at: Term) -> Value:
    """Return any element of a value; `at` distinguishes it from an element taken elsewhere."""
    held = [each for key, each in state.read_contents(value).items() if not (isinstance(key, tuple) and key != ELEMENT)]
    if held:
        found = held[0]
        join = join_elements if len(held) <= ALSO and all(each.classes for each in held) else join_values
        for other in held[1:]:
            found = join(("element", value.term, at), found, other)
        if 1 < len(held) <= ROWS:
            _join_entries(found, held, state)
        things = value.find_part_types("element") if value.things and not found.things else ()
        if things:
            found = found._replace(things=things)
        is_plain = found.meaning is None and found.constants is None and found.unknown != ""
        is_plain = is_plain or (found.meaning is None and is_unordered(value))
        return found._replace(meaning=Made("element", (value,))) if is_plain else found
    interval = UNSURE
    meaning = Made("element", (value,))
    if isinstance(value.term, tuple) and value.term[:1] == ("range",):
        interval = infer_interval(value, state.facts)
        meaning = value.meaning if isinstance(value.meaning, Made) else meaning
    things = value.find_part_types("element") or _find_chosen_element_types(value, state)
    return Value(
        ("element", value.term, at),
        value.labels,
        interval=interval,
        things=things,
        meaning=meaning,
        unknown="it is one of many",
    )


def is_surely_filled(value: Value | None) -> bool:
    """Return whether a value is a range of at least one number: `range(3)`."""
    match value.term if value is not None else None:
        case ("range", ("constant", _, int() as low), ("constant", _, int() as high)):
            return low < high
    return False


CHOSEN = 4
"""How deep choices in choices are asked for the types of elements. A list that is cut in one of three ways has two."""


def _find_chosen_element_types(value: Value, state: State, deep: int = CHOSEN) -> tuple[Instance, ...]:
    """Return the types of each element of one of two sequences that a test chooses; none if those of either are unknown."""
    if not isinstance(value.meaning, ConditionalValue) or not deep:
        return ()
    found = [
        _find_element_types(each, state) or _find_chosen_element_types(each, state, deep - 1) for each in value.ways
    ]
    return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()


def _find_element_types(value: Value, state: State) -> tuple[Instance, ...]:
    """Return the types of each element of a sequence, by what is declared of it or by what it holds; none if unknown."""
    held = state.read_contents(value).get(ELEMENT)
    kinds = held.things if held is not None else ()
    return value.find_part_types("element") or tuple(each for each in kinds if isinstance(each, Instance))


UNITING = frozenset({"|", "&", "-", "^"})
"""How sets are made of two."""


def is_unordered(value: Value) -> bool:
    """Return whether a value certainly has no order: it is a set or a hash map, or made from two by an operator."""
    if isinstance(value.meaning, Made) and value.meaning.by in UNITING and not value.things:
        return any(map(is_unordered, value.meaning.of))
    kinds = value.library_types
    return bool(kinds) and len(kinds) == len(value.things) and find_types("unordered").issuperset(kinds)


ROWS = 64
"""Elements of a sequence whose entries are told of any of them. Tables by which servers choose an action have up to fifty."""


def _join_entries(element: Value, held: list[Value], state: State) -> None:
    """Let any of some elements hold what all of them hold: of pairs, any first part and any second."""
    first, *others = (state.read_contents(each) for each in held)
    entries = {}
    for key in first:
        if all(key in each for each in others):
            entries[key] = first[key]
            for each in others:
                entries[key] = _join_tables((element.term, key), entries[key], each[key])
    if entries:
        state.heap[element.term] = entries


def _join_tables(term: Term, one: Value, other: Value) -> Value:
    """Return the value that is one of two; of two tables it holds whatever either does, under any key."""
    found = join_values(term, one, other)
    tables = [
        each.contents for each in (one, other) if each.contents and not isinstance(each.contents, ClientArguments)
    ]
    if len(tables) < 2 or found.term != term or one.classes or other.classes:
        return found
    first, *rest = [each for table in tables for each in table.values()]
    for number, each in enumerate(rest):
        first = join_values((term, number), first, each)
    return found._replace(contents={ELEMENT: first})


def is_grown(value: Value, state: State) -> bool:
    """Return whether a value is a text that is no longer what it was at first: code added others to it."""
    is_text = value.text is not None or not find_types("text").isdisjoint(value.library_types)
    return is_text and any(isinstance(key, int) or key == ELEMENT for key in state.read_contents(value))


PLACES = 16
"""Elements of which each is told apart that code adds one by one. The words of a command are up to a dozen; more is data."""


def choose_next_place(activation: Activation, held: Mapping[Key, Value]) -> Key:
    """Return where one more element of a sequence stands: at the next place if this is done once, else at any."""
    outwards = activation.context.iter_outwards() if activation.context is not None else ()
    is_repeated = len(held) >= PLACES or any(each.condition == "loop" for each in outwards)
    return len(held) if not is_repeated and all(isinstance(each, int) for each in held) else ELEMENT


def find_only_element(value: Value, state: State) -> Value | None:
    """Return the only element of a sequence that certainly has exactly one; else None."""
    held = state.read_contents(value)
    return held.get(0) if len(held) == 1 and not isinstance(value.contents, ClientArguments) else None


def list_objects(value: Value, state: State) -> tuple[Value, ...]:
    """Return the elements of a sequence in order, if each certainly is an object of one project class."""
    elements = _list_in_order(state, value) if len(state.read_contents(value)) <= ROWS else []
    return tuple(elements) if all(map(_is_object, elements)) else ()


def build_repr(value: Value) -> Value:
    """Return how a value describes itself in a text, as `{x!r}` asks: nothing in it can leave the quotes around it."""
    return Value(("repr", value.term), value.labels, meaning=Made("repr", (value,)))


def list_steps(value: Value, state: State) -> tuple[Value, ...]:
    """Return the elements of a sequence in order, if each certainly is a function: the steps of a pipeline."""
    elements = _list_in_order(state, value) if len(state.read_contents(value)) <= STEPS else []
    return tuple(elements) if all(map(is_function, elements)) else ()


STEPS = 8
"""Functions that a value is handed from one to the next, one by one. Pipelines of answers have three or four."""


def _is_object(value: Value) -> bool:
    made = value.things[0] if len(value.things) == 1 else None
    return isinstance(made, Instance) and isinstance(made.of, Class) and not made.of.is_abstract


def join_values(term: Term, one: Value, other: Value) -> Value:
    """Return the value that is one of two, without knowing which."""
    if one.term == other.term:
        found = one.with_labels(other.labels)
        return found if one.giver == other.giver else found._replace(giver=None)
    both = one.constants is not None and other.constants is not None
    return Value(
        term,
        share_labels(one.labels | other.labels),
        (one.constants or frozenset()) | (other.constants or frozenset()) if both else None,
        one.interval.join(other.interval),
        (*one.things, *(each for each in other.things if each not in one.things)),
        one.certain and other.certain,
        unknown=one.unknown or other.unknown,
    )


ALSO = 8
"""Values of which one may be any, where each is told. More are data."""


def join_elements(term: Term, one: Value, other: Value) -> Value:
    """Return the value that is either of two which a sequence holds: it holds both."""
    found, deep, first = join_values(term, one, other), 0, one
    while isinstance(first.meaning, Made) and first.meaning.by == "joined" and deep < ALSO:
        first, deep = first.meaning.of[0], deep + 1
    is_other = found.term == term and found.constants is None and deep < ALSO
    return found._replace(meaning=build_joined(one, other)) if is_other else found


def filter_by_kind(value: Value, sides: tuple[Value, ...]) -> list[Value]:
    """Return those of several values of which one is that may be of a kind that it is of: a failure that ended the way is not.

    Where its type is only declared, as that of a trait, no side may be of just this one: then all of which a type is known.
    """
    typed = [each for each in sides if each.things]
    return [each for each in typed if any(thing in value.things for thing in each.things)] or typed


def fill_default(given: Value, default: Value | None) -> Value:
    """Return a value, with the default for the case that it is absent."""
    if default is None or given.meaning is not None or given.constants is not None:
        return given
    found = join_values(("given", given.term, default.term), given, default)
    return found._replace(meaning=build_choice(test_presence(given), given, default, None, None))


def find_client_arguments(value: Value, others: ClientArguments | None = None) -> ClientArguments | None:
    """Return the client's arguments in a value, any of which a name may be an entry of; `others` if there are none."""
    return value.contents if isinstance(value.contents, ClientArguments) else others


def fill_absent_entries(held: Mapping[Key, Value], value: Value, at: Term) -> dict[Key, Value]:
    """Return entries of which those that are None may be a value that was written under a key which only a run tells.

    What stands as None in a table of settings waits for one; that others are changed so as well would make all of them doubtful.
    """
    return {
        key: join_values((at, "entry", key), each, value) if isinstance(key, str) and each.constants == ABSENT else each
        for key, each in held.items()
    }


def lay_over(state: State, upper: Value, lower: Mapping[Key, Value]) -> dict[Key, Value]:
    """Return the entries of two objects, of which one lies over the other: what it has under a key counts."""
    keys = _find_keys(state, upper, REACH)
    seen = keys if keys is not None else state.read_contents(upper)
    found = {key: _find_entry_over(state, upper, key, lower.get(key)) for key in [*lower, *seen]}
    if keys is None:
        meaning = Made("element", (upper,))
        one = Value(("element", upper.term), upper.labels, meaning=meaning, unknown="only a run tells")
        found = {
            **fill_absent_entries({key: each for key, each in found.items() if each is not None}, one, upper.term),
            ELEMENT: one,
        }
    return {key: each for key, each in found.items() if each is not None}


def _find_keys(state: State, owner: Value, reach: int) -> list[Key] | None:
    """Return the keys under which an object may have entries; None if they are unknown."""
    held = state.read_contents(owner)
    is_seen = (
        owner.certain or bool(owner.things) or owner.contents is not None
    )  # what is written into others is not all
    if (
        (held and is_seen)
        or isinstance(owner.contents, ClientArguments)
        or (owner.certain and owner.term in state.heap)
    ):
        return list(held)
    if not isinstance(owner.meaning, ConditionalValue) or not reach:
        return None
    sides = [_find_keys(state, each, reach - 1) for each in (owner.meaning.then, owner.meaning.otherwise)]
    return list(dict.fromkeys(key for side in sides if side for key in side)) if None not in sides else None


def _find_entry_over(state: State, upper: Value, key: Key, lower: Value | None) -> Value | None:
    """Return the entry of an object under a key, or else of the one that it overlays."""
    if isinstance(upper.contents, ClientArguments) and key not in state.heap.get(upper.term, ()):
        found = upper.contents.get(key)
        return fill_default(found, lower) if found is not None else lower
    held = state.read_contents(upper).get(key)
    if held is not None or not isinstance(upper.meaning, ConditionalValue):
        return held if held is not None else lower
    sides = [_find_entry_over(state, each, key, lower) for each in (upper.meaning.then, upper.meaning.otherwise)]
    one, other = sides
    if one is None or other is None or one is other:
        return one if one is not None else other
    meaning = build_choice(upper.meaning.test, one, other, None, None)
    return join_values(("item", upper.term, key), one, other)._replace(meaning=meaning)


def read_item(state: State, owner: Value, key: Value, at: ir.Site) -> Value:
    """Return the entry of a value under a key."""
    constants = infer_constants(key, state.facts)
    constant_key = next(iter(constants)) if constants is not None and len(constants) == 1 else None
    if constant_key is not None:
        written = state.read(owner, constant_key[1])
        if written is None and isinstance(constant_key[1], int) and constant_key[1] < 0:
            elements = _list_in_order(state, owner)
            written = elements[constant_key[1]] if -constant_key[1] <= len(elements) else None
        if written is not None:
            return written
        if isinstance(constant_key[1], str):
            field = state.read(owner, (constant_key[1],))
            if field is not None:
                return field
    elif state.read_contents(owner):
        found = read_element(owner, state, at)
        if found.meaning is None and len(found.things) > 1 and all(isinstance(each, Function) for each in found.things):
            return found._replace(meaning=Made("item", (show_value(owner, state), key)))  # which one, the key tells
        return found
    spread = state.read(owner, ELEMENT)
    if spread is not None:
        is_plain = spread.constants is None and spread.contents is None and spread.term not in state.heap
        is_one = constant_key is not None and is_plain and not spread.things and spread.awaits is None
        return spread._replace(term=("item", spread.term, key.term)) if is_one else spread  # others are other values
    if isinstance(owner.meaning, ConditionalValue):
        one, other = (read_item(state, each, key, at) for each in (owner.meaning.then, owner.meaning.otherwise))
        meaning = build_choice(owner.meaning.test, one, other)
        return join_values(("item", owner.term, key.term), one, other)._replace(meaning=meaning)
    if isinstance(owner.meaning, Made) and owner.meaning.by == "joined":
        one, other = (read_item(state, each, key, at) for each in owner.meaning.of)
        return join_values(("item", owner.term, key.term), one, other)._replace(meaning=build_joined(one, other))
    things = owner.find_part_types("entry")
    made = Made("item", (owner, key))
    return Value(("item", owner.term, key.term), owner.labels, things=things, meaning=made, unknown="only a run tells")


def _list_in_order(state: State, owner: Value) -> list[Value]:
    """Return the elements of a sequence in their order; none if it has none, or not all are known by their places."""
    held = state.read_contents(owner)
    return [held[each] for each in range(len(held))] if all(each in held for each in range(len(held))) else []


def _find_places(start: Value | None, end: Value | None) -> slice | None:
    """Return the places from one value to before another, None if one of them is not written."""
    ends = [each.constant if each is not None else NONE.constant for each in (start, end)]
    if not all(each is not None and each[0] in (int, type(None)) for each in ends):
        return None
    low, high = (each[1] if each is not None and isinstance(each[1], int) else None for each in ends)
    return slice(low, high)


def slice_value(run: Run, state: State, owner: Value, start: Value | None, end: Value | None) -> Value:
    """Return the elements of a value from a place to before another."""
    if start is None and end is None:
        return owner
    places = _find_places(start, end)
    if places is not None and owner.text is not None:
        return build_constant(owner.text[places])
    term = ("part", owner.term, start.term if start is not None else None, end.term if end is not None else None)
    element, elements = state.read(owner, ELEMENT), _list_in_order(state, owner)
    if places is not None and elements:
        state.heap[term] = dict(enumerate(elements[places]))
    elif element is not None:
        state.heap[term] = {ELEMENT: element}
    length = infer_interval(measure_length(owner, state), state.facts)
    high = infer_interval(end, state.facts).high if end is not None else inf
    if 0 <= high < length.high:
        length = Interval(0, high)
    state.learn(("length", term), interval=Interval(0, length.high, length.unsure))
    labels = owner.labels.union(*(each.labels for each in (start, end) if each is not None))
    return Value(term, labels, things=owner.things, unknown=owner.unknown)


def measure_length(value: Value, state: State) -> Value:
    """Return how many elements a value has."""
    text = value.text
    if text is not None:
        return build_constant(len(text))._replace(meaning=Made("length", (value,)))
    held = state.read_contents(value)
    if held and ELEMENT not in held and all(isinstance(each, int) for each in held):
        return build_constant(len(held))._replace(meaning=Made("length", (value,)))
    return Value(
        ("length", value.term), drop_cut_labels(value.labels), interval=COUNT, meaning=Made("length", (value,))
    )


def compare_values(operator: ir.ComparisonOperator, left: Value, right: Value) -> Value:
    """Return whether two values compare so."""
    meaning = Relation(operator, left, right)
    return Value(
        (operator, nest_term(left.term), nest_term(right.term)),
        share_labels(left.labels | right.labels),
        meaning=meaning,
        interval=Interval(0, 1),
    )


def test_presence(operand: Value) -> Value:
    """Return whether a value is there."""
    return Value(
        ("present", operand.term), operand.labels, meaning=Relation("present", operand), interval=Interval(0, 1)
    )


def test_success(operand: Value) -> Value:
    """Return whether a value is no failure."""
    return Value(
        ("succeeds", operand.term), operand.labels, meaning=Relation("succeeds", operand), interval=Interval(0, 1)
    )


HELD, REASON = ("Ok",), ("Err",)
"""What a result that holds another has them under: the other one, and why it is a failure if it is one."""


def unwrap_result(operand: Value, state: State) -> Value:
    """Return a value on the condition that it is no failure: the content of the result, or the value itself."""
    return state.read_contents(operand).get(HELD, operand)


def build_guarded_result(code: ir.Code, state: State, at: ir.Site, held: Value | None, how: str = "caught") -> Value:
    """Return the result that holds what something gave, or why it gave nothing: it panicked, or took too long."""
    labels = frozenset((Label("exception"),))
    reason = Value((how, code, at), labels, unknown="only a run tells what is caught")
    unknown = "only a run tells whether it fails"
    found = Value(("guarded", code, at), meaning=Made("guarded", ()), unknown=unknown)
    state.facts = {term: fact for term, fact in state.facts.items() if term != found.term}
    state.heap[found.term] = {HELD: held if held is not None else Value(("never", at)), REASON: reason}
    return found


def find_reason(operand: Value, state: State) -> Value:
    """Return why a value is a failure."""
    if operand.failure is not None:
        return operand.failure
    held = state.read_contents(operand)
    if HELD in held and REASON in held:
        return held[REASON]
    if isinstance(operand.meaning, ConditionalValue):
        for side in (operand.meaning.then, operand.meaning.otherwise):
            if side.failure is not None:
                return side.failure
    labels = (
        frozenset() if isinstance(operand.contents, ClientArguments) else operand.labels
    )  # that they are wrong tells no more
    labels |= {Label("exception")}
    return Value(("reason", operand.term), labels, unknown="only a run tells what fails")
