"""What an expression gives at one point of an abstract run."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from reviewer.code import ir
from reviewer.code.events import Captured, Indexed, Sliced
from reviewer.code.given import Given
from reviewer.code.state import State, interval_of, namespace
from reviewer.code.values import (
    ANY,
    COUNT,
    ELEMENT,
    NO_NUMBER,
    TUPLE,
    UNSURE,
    Arguments,
    Choice,
    Class,
    Function,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Module,
    Negation,
    Relation,
    Term,
    Value,
    constant,
    unknown,
)

if TYPE_CHECKING:
    from reviewer.code.interpreter import Activation, Run

REACH = 4
"""How deep objects inside objects are looked through for labels. Requests nest a model in a model; no more was seen."""


def evaluate(run: "Run", activation: "Activation", state: State, expression: ir.Expression) -> Value:
    """Return the value of an expression."""
    return _EXPRESSIONS[type(expression)](run, activation, state, expression)


def labelled(value: Value, state: State) -> Value:
    """Return a value with the labels of all that it holds."""
    if value.term not in state.heap and not isinstance(value.meaning, Choice):
        return value
    return value.labelled(_labels(value, state, REACH))


def _labels(value: Value, state: State, reach: int) -> frozenset[Label]:
    found = value.labels
    if reach:
        for each in state.heap.get(value.term, {}).values():
            found = found | _labels(each, state, reach - 1)
        if isinstance(value.meaning, Choice):
            for side in (value.meaning.then, value.meaning.otherwise):
                found = found | _labels(side, state, reach - 1)
    return found


def shown(value: Value, state: State) -> Value:
    """Return a value as an event tells of it: with the labels of all that it holds, and with what it holds itself."""
    if value.term not in state.heap and not isinstance(value.meaning, Choice):
        return value
    return _shown(value, state, REACH).labelled(_labels(value, state, REACH))


def _shown(value: Value, state: State, reach: int) -> Value:
    held = state.heap.get(value.term)
    if held and reach and not isinstance(value.contents, Arguments):
        value = value._replace(contents={key: _shown(each, state, reach - 1) for key, each in held.items()})
    if isinstance(value.meaning, Choice) and reach:
        one, other = (_shown(each, state, reach - 1) for each in (value.meaning.then, value.meaning.otherwise))
        value = value._replace(meaning=value.meaning._replace(then=one, otherwise=other))
    return value


def key_of(key: Value) -> Key:
    """Return what an entry is stored under."""
    found = key.constant
    if found is None:
        return ELEMENT
    return found[1]


def element_of(value: Value, state: State, at: Term) -> Value:
    """Return what any element of a value is; `at` tells it from an element that is taken elsewhere."""
    held = [each for key, each in state.held(value).items() if not (isinstance(key, tuple) and key != ELEMENT)]
    if held:
        found = held[0]
        for other in held[1:]:
            found = either(("element", value.term, at), found, other)
        things = value.of_each("element") if value.things and not found.things else ()
        return found._replace(things=things) if things else found
    interval = UNSURE
    if isinstance(value.term, tuple) and value.term[:1] == ("range",):
        interval = interval_of(value, state.facts)
    things = value.of_each("element")
    meaning = Made("element", (value,))
    return Value(
        ("element", value.term, at),
        value.labels,
        interval=interval,
        things=things,
        meaning=meaning,
        unknown="it is one of many",
    )


def either(term: Term, one: Value, other: Value) -> Value:
    """Return the value that is one of two, of which nobody says which."""
    if one.term == other.term:
        return one.labelled(other.labels)
    both = one.constants is not None and other.constants is not None
    return Value(
        term,
        one.labels | other.labels,
        (one.constants or frozenset()) | (other.constants or frozenset()) if both else None,
        one.interval.join(other.interval),
        (*one.things, *(each for each in other.things if each not in one.things)),
        one.certain and other.certain,
        unknown=one.unknown or other.unknown,
    )


def _constant(_run: "Run", _activation: "Activation", _state: State, expression: ir.Constant) -> Value:
    value = expression.value
    return unknown("it is left open", ("ellipsis",)) if value is ... else constant(value)


def _read(run: "Run", activation: "Activation", state: State, expression: ir.Read) -> Value:
    variable = expression.variable
    found = state.variables.get(variable) or activation.captured.get(variable)
    return found if found is not None else unknown("nothing is seen to assign it", ("unassigned", variable))


def _global(run: "Run", activation: "Activation", state: State, expression: ir.Global | ir.Import) -> Value:
    code = activation.code
    if isinstance(expression, ir.Global):
        written = state.read(namespace(code.source.path), (expression.path[-1],))
        if written is not None:
            return written
    found = run.program.named(expression, code)
    if found is not None:
        return found
    name = expression.path if isinstance(expression, ir.Global) else (expression.module, expression.name)
    return unknown("the name is not of the project", ("global", code.source.path, name))


def _field(run: "Run", activation: "Activation", state: State, expression: ir.Field) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    return read(run, activation, state, expression.at, field_of(run, state, owner, expression.name))


def read(run: "Run", activation: "Activation", state: State, at: ir.Site, found: Value) -> Value:
    """Return what reading a field gives: what it holds, or what its getter gives."""
    if not any(isinstance(each, Function) and each.binding == "getter" and each.receiver for each in found.things):
        return found
    result = run.called(activation, state, at, found, None, "", Given())
    return result if result is not None else unknown("the getter never comes back", ("getter", at))


def method_of(run: "Run", state: State, owner: Value, name: str) -> Value:
    """Return what is called under a name of an object: what was written there if that can be called, else a method."""
    written = state.read(owner, (name,))
    if written is None or any(isinstance(each, Function | Class | Library) for each in written.things):
        return field_of(run, state, owner, name, is_called=True)
    found = _members(run, owner, name, is_called=True)
    return found if found is not None else written


def field_of(run: "Run", state: State, owner: Value, name: str, *, is_called: bool = False) -> Value:
    """Return what an object has under a name. The fields of a tuple are its elements, named by their number."""
    written = state.read(owner, (name,))
    if written is None and name.isdigit():
        written = state.read(owner, int(name))
    if written is not None:
        return written
    if isinstance(owner.meaning, Choice) and not owner.things:
        sides = (owner.meaning.then, owner.meaning.otherwise)
        one, other = (field_of(run, state, side, name, is_called=is_called) for side in sides)
        return either(("field", owner.term, name), one, other)._replace(
            meaning=owner.meaning._replace(then=one, otherwise=other, then_truth=None, otherwise_truth=None),
        )
    found = _members(run, _narrowed(owner, state), name, is_called=is_called)
    if found is not None:
        return found
    meaning = Made(f".{name}", (owner,))
    return Value(("field", owner.term, name), owner.labels, meaning=meaning, unknown="no code of the project gives it")


def _narrowed(owner: Value, state: State) -> Value:
    """Return an object as one of the kinds that tests told it is: of the variant of an arm, or of a class where none is known."""
    fact = state.facts.get(owner.term)
    if fact is None or not fact.kinds:
        return owner
    if owner.things and not any(isinstance(each, Class) and each.variant for each in fact.kinds):
        return owner
    return owner._replace(things=tuple(Instance(each) for each in sorted(fact.kinds, key=_name)))


def _name(kind: Class | Library) -> str:
    return f"{kind.name}.{kind.variant}" if isinstance(kind, Class) else kind.path


def _members(run: "Run", owner: Value, name: str, *, is_called: bool) -> Value | None:
    """Return what the types of an object have under a name, None if they have nothing."""
    things = [_member(run, owner, thing, name, is_called=is_called) for thing in owner.things]
    values = [each for each in things if each is not None]
    if not values and is_called:
        is_common = f".{name}" in run.program.models.rows  # a method of the standard library, most likely
        extension = run.program.extension(name, None) if not is_common else None
        return _bound(extension, owner) if extension is not None else None
    if not values:
        return None
    found = values[0]
    for other in values[1:]:
        found = either(("field", owner.term, name), found, other)
    return found


def _member(run: "Run", owner: Value, thing: object, name: str, *, is_called: bool) -> Value | None:
    match thing:
        case Library():
            return library(f"{thing.path}.{name}")
        case Instance(of=Library() as made):
            return _of_library(run, owner, thing, made, name, is_called=is_called)
        case Class() | Instance() | Module():
            if is_called and isinstance(thing, Instance):
                found = run.program.method(thing, name)
            else:
                found = run.program.member(thing, name)
            if found is None:
                return _declared(run, owner, thing, name) if isinstance(thing, Instance) else None
            if isinstance(thing, Instance):
                return _bound(found, owner)
            return found
    return None


def _of_library(
    run: "Run", owner: Value, thing: Instance, made: Library, name: str, *, is_called: bool
) -> Value | None:
    """Return what an object of a library's type has under a name; what stands for it has what that has."""
    declared = _declared(run, owner, thing, name)
    if declared is not None:
        return declared
    if made == TUPLE and name.isdigit():
        return None
    path = f"{made.path}.{name}"
    if thing.within is not None and path not in run.program.models.rows:
        inside = _member(run, owner, thing.within, name, is_called=is_called)
        if inside is not None:
            return inside
    extension = run.program.extension(name, made) if is_called else None
    if extension is not None:
        return _bound(extension, owner)
    meaning = Made(path, (owner,))
    return library(path)._replace(term=("field", owner.term, name), labels=owner.labels, meaning=meaning)


def _declared(run: "Run", owner: Value, thing: Instance, name: str) -> Value | None:
    if thing.of == TUPLE:
        kind = thing.parts[int(name)] if name.isdigit() and int(name) < len(thing.parts) else None
    else:
        kind = run.program.field_type(thing, name)
    if kind is None:
        return None
    term, meaning = ("field", owner.term, name), Made(f".{name}", (owner,))
    return Value(term, owner.labels, things=(kind,), meaning=meaning, unknown="only a run tells")


def _bound(method: Value, owner: Value) -> Value:
    things = tuple(
        replace(each, receiver=owner) if isinstance(each, Function) and each.binding != "static" else each
        for each in method.things
    )
    return method._replace(things=things)


def library(path: str) -> Value:
    """Return something that is not of the project."""
    return Value(("library", path), things=(Library(path),), certain=True, unknown="it is not of the project")


def _item(run: "Run", activation: "Activation", state: State, expression: ir.Item) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    if isinstance(expression.key, ir.Range):
        return _part(run, activation, state, expression.at, owner, expression.key.low, expression.key.high)
    key = evaluate(run, activation, state, expression.key)
    run.emit(Indexed(expression.at, activation.code, activation.context, state.facts, labelled(owner, state), key))
    return item_of(state, owner, key, expression.at)


def item_of(state: State, owner: Value, key: Value, at: ir.Site) -> Value:
    """Return what a value holds under a key."""
    constant_key = key.constant
    if constant_key is not None:
        written = state.read(owner, constant_key[1])
        if written is not None:
            return written
        if isinstance(constant_key[1], str):
            field = state.read(owner, (constant_key[1],))
            if field is not None:
                return field
    elif state.held(owner):
        return element_of(owner, state, at)
    spread = state.read(owner, ELEMENT)
    if spread is not None:
        return spread
    if isinstance(owner.meaning, Choice):
        return either(
            ("item", owner.term, key.term),
            item_of(state, owner.meaning.then, key, at),
            item_of(state, owner.meaning.otherwise, key, at),
        )
    things = owner.of_each("entry")
    meaning = Made("item", (owner, key))
    return Value(
        ("item", owner.term, key.term), owner.labels, things=things, meaning=meaning, unknown="only a run tells"
    )


def _slice(run: "Run", activation: "Activation", state: State, expression: ir.Slice) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    if expression.step is not None:
        evaluate(run, activation, state, expression.step)
    return _part(run, activation, state, expression.at, owner, expression.low, expression.high)


def _part(
    run: "Run",
    activation: "Activation",
    state: State,
    at: ir.Site,
    owner: Value,
    low: ir.Expression | None,
    high: ir.Expression | None,
) -> Value:
    start = evaluate(run, activation, state, low) if low is not None else None
    end = evaluate(run, activation, state, high) if high is not None else None
    shown = labelled(owner, state)
    run.emit(Sliced(at, activation.code, activation.context, state.facts, shown, start, end))
    return part_of(run, state, owner, start, end)


def part_of(run: "Run", state: State, owner: Value, start: Value | None, end: Value | None) -> Value:
    """Return the elements of a value from a place to before another."""
    if start is None and end is None:
        return owner
    term = ("part", owner.term, start.term if start is not None else None, end.term if end is not None else None)
    element = state.read(owner, ELEMENT)
    if element is not None:
        state.heap[term] = {ELEMENT: element}
    length = interval_of(length_of(owner, state), state.facts)
    high = interval_of(end, state.facts).high if end is not None else inf
    if 0 <= high < length.high:
        length = Interval(0, high)
    state.learn(("length", term), interval=Interval(0, length.high, length.unsure))
    labels = owner.labels.union(*(each.labels for each in (start, end) if each is not None))
    return Value(term, labels, things=owner.things, unknown=owner.unknown)


def length_of(value: Value, state: State) -> Value:
    """Return how many elements a value has."""
    text = value.text
    if text is not None:
        return constant(len(text))
    held = state.held(value)
    if held and ELEMENT not in held and all(isinstance(each, int) for each in held):
        return constant(len(held))
    return Value(("length", value.term), value.labels, interval=COUNT)


def _length(run: "Run", activation: "Activation", state: State, expression: ir.Length) -> Value:
    return length_of(evaluate(run, activation, state, expression.operand), state)


def _range(run: "Run", activation: "Activation", state: State, expression: ir.Range) -> Value:
    low = evaluate(run, activation, state, expression.low) if expression.low is not None else constant(0)
    high = evaluate(run, activation, state, expression.high) if expression.high is not None else None
    one = interval_of(low, state.facts)
    two = interval_of(high, state.facts) if high is not None else ANY
    interval = Interval(one.low, two.high - 1, one.unsure or two.unsure)
    labels = low.labels | (high.labels if high is not None else frozenset())
    return Value(("range", low.term, high.term if high is not None else None), labels, interval=interval)


def _arithmetic(run: "Run", activation: "Activation", state: State, expression: ir.Arithmetic) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    return combined(expression.operator, left, right, state)


def combined(operator: str, left: Value, right: Value, state: State) -> Value:
    """Return the result of an operation on two values."""
    folded = _folded(operator, left, right)
    if folded is not None:
        return folded
    term = (operator, left.term, right.term)
    one, two = interval_of(left, state.facts), interval_of(right, state.facts)
    labels = _labels(left, state, 1) | _labels(right, state, 1)
    meaning = Made(operator, (shown(left, state), shown(right, state)))
    if operator == "+" and _are_sequences(left, right, state):
        state.heap[term] = _one_after_another((left, right), state)
        return Value(term, labels, things=left.things, meaning=meaning)
    things = left.things if operator == "/" else ()  # a path goes on as a path
    return Value(term, labels, interval=_interval(operator, one, two), things=things, meaning=meaning)


def _are_sequences(left: Value, right: Value, state: State) -> bool:
    """Return whether the elements of one of two values were seen."""
    return any(key == ELEMENT or isinstance(key, int) for each in (left, right) for key in state.held(each))


def _one_after_another(values: tuple[Value, ...], state: State) -> dict[Key, Value]:
    """Return what a sequence holds that has the elements of some values one after another."""
    entries: dict[Key, Value] = {}
    for each in values:
        held = state.held(each)
        places = [held[place] for place in range(len(held)) if place in held]
        is_whole = bool(held) and len(places) == len(held)
        if ELEMENT not in entries:
            before = len(entries)
            entries.update({before + place: value for place, value in enumerate(places)})
        if not is_whole or ELEMENT in entries:
            more = element_of(each, state, each.term)
            known = entries.get(ELEMENT)
            entries[ELEMENT] = more if known is None else either((each.term, "element"), known, more)
    return entries


LONGEST = 10_000
"""Characters of a text that is put together while reviewing; a longer one is unknown."""


def _folded(operator: str, left: Value, right: Value) -> Value | None:
    one, two = left.constant, right.constant
    if one is None or two is None or operator not in ("+", "-", "*"):
        return None
    a, b = one[1], two[1]
    if isinstance(a, str) and isinstance(b, str):
        return constant(a + b) if operator == "+" and len(a) + len(b) <= LONGEST else None
    if isinstance(a, int | float) and isinstance(b, int | float) and abs(a) < 2**64 and abs(b) < 2**64:
        return constant(a + b if operator == "+" else a - b if operator == "-" else a * b)
    return None


def _interval(operator: str, one: Interval, two: Interval) -> Interval:
    unsure = one.unsure or two.unsure
    if operator == "+":
        return Interval(one.low + two.low, one.high + two.high, unsure)
    if operator == "-":
        return Interval(one.low - two.high, one.high - two.low, unsure)
    if operator == "*" and one.low >= 0 and two.low >= 0:
        return Interval(_times(one.low, two.low), _times(one.high, two.high), unsure)
    if operator in ("/", "//") and one.low >= 0 and two.low >= 1:
        return Interval(0, one.high / two.low, unsure)
    if operator == "%" and two.low >= 1 and two.high < inf:
        return Interval(0, two.high - 1)
    return Interval(unsure=unsure)


def _times(one: float, two: float) -> float:
    return 0 if 0 in (one, two) else one * two


def _comparison(run: "Run", activation: "Activation", state: State, expression: ir.Comparison) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    if expression.operator == "in":
        right = shown(right, state)  # whether it holds is asked later, when others may have written into it
    term = (expression.operator, left.term, right.term)
    return Value(
        term, left.labels | right.labels, meaning=Relation(expression.operator, left, right), interval=Interval(0, 1)
    )


def _not(run: "Run", activation: "Activation", state: State, expression: ir.Not) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    return Value(("not", operand.term), operand.labels, meaning=Negation(operand), interval=Interval(0, 1))


def _is_present(run: "Run", activation: "Activation", state: State, expression: ir.IsPresent) -> Value:
    return presence(evaluate(run, activation, state, expression.operand))


def presence(operand: Value) -> Value:
    """Return whether a value is there."""
    return Value(
        ("present", operand.term), operand.labels, meaning=Relation("present", operand), interval=Interval(0, 1)
    )


def _is_kind(run: "Run", activation: "Activation", state: State, expression: ir.IsKind) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    kind = evaluate(run, activation, state, expression.kind)
    return Value(("kind", operand.term, kind.term), operand.labels, meaning=Relation("kind", operand, kind))


def _failure(run: "Run", activation: "Activation", state: State, expression: ir.Failure) -> Value:
    reason = evaluate(run, activation, state, expression.reason)
    return Value(("failure", reason.term), _labels(reason, state, REACH), interval=NO_NUMBER, failure=reason)


def _reason_of(run: "Run", activation: "Activation", state: State, expression: ir.ReasonOf) -> Value:
    return reason_of(evaluate(run, activation, state, expression.operand))


def reason_of(operand: Value) -> Value:
    """Return why a value is a failure."""
    if operand.failure is not None:
        return operand.failure
    if isinstance(operand.meaning, Choice):
        for side in (operand.meaning.then, operand.meaning.otherwise):
            if side.failure is not None:
                return side.failure
    labels = operand.labels | {Label("exception")}
    return Value(("reason", operand.term), labels, unknown="only a run tells what fails")


def _interpolation(run: "Run", activation: "Activation", state: State, expression: ir.Interpolation) -> Value:
    parts = [evaluate(run, activation, state, each) for each in expression.parts]
    texts = [str(each.constant[1]) for each in parts if each.constant is not None]
    if len(texts) == len(parts) and sum(map(len, texts)) <= LONGEST:
        return constant("".join(texts))
    labels = frozenset[Label]().union(*(_labels(each, state, REACH) for each in parts))
    meaning = Made("text", tuple([shown(each, state) for each in _converted(parts, expression.specifiers)]))
    things = (Instance(Library("str")),)
    term = ("text", *(each.term for each in parts))
    return Value(term, labels, things=things, meaning=meaning, unknown="only a run tells")


def _converted(parts: list[Value], specifiers: tuple[str, ...]) -> list[Value]:
    """Return the parts of a text as they stand in it: `{x!r}` is how a value describes itself."""
    if not any(each.startswith("!r") for each in specifiers):
        return parts
    return [
        Value(("repr", each.term), each.labels, meaning=Made("repr", (each,))) if specifier.startswith("!r") else each
        for each, specifier in zip(parts, specifiers, strict=True)
    ]


def _sequence(run: "Run", activation: "Activation", state: State, expression: ir.Sequence) -> Value:
    term = ("new", activation.code, expression.at)
    labels: frozenset[Label] = frozenset()
    entries: dict[Key, Value] = {}
    for each in expression.elements:
        if isinstance(each, ir.Spread):
            spread = evaluate(run, activation, state, each.operand)
            labels |= spread.labels
            held = state.held(spread)
            if held and ELEMENT not in entries and all(number in held for number in range(len(held))):
                entries.update({len(entries) + number: held[number] for number in range(len(held))})
                continue
            value = element_of(spread, state, each.at)
        else:
            value = evaluate(run, activation, state, each)
        labels |= value.labels
        if isinstance(each, ir.Spread) or ELEMENT in entries:
            before = entries.get(ELEMENT)
            entries[ELEMENT] = value if before is None else either((term, "element"), before, value)
        else:
            entries[len(entries)] = value
    state.heap[term] = entries
    return Value(term, labels, certain=True, things=(Instance(Library(expression.kind)),))


def _record(run: "Run", activation: "Activation", state: State, expression: ir.Record) -> Value:
    term = ("new", activation.code, expression.at)
    kind = evaluate(run, activation, state, expression.kind) if expression.kind is not None else None
    entries: dict[Key, Value] = {}
    given: Arguments | None = None
    labels: frozenset[Label] = frozenset()
    for key, each in expression.entries:
        operand = each.operand if isinstance(each, ir.Spread) else each
        value = evaluate(run, activation, state, operand)
        labels |= value.labels
        if key is None and isinstance(value.contents, Arguments):
            given = value.contents
            entries = {each: _given_or(value, each, held) for each, held in entries.items()}
        elif key is None:
            entries |= state.held(value)
            if not state.held(value):
                entries[ELEMENT] = Value(("element", value.term), value.labels, unknown="only a run tells")
        if key is None:
            continue
        name = key_of(evaluate(run, activation, state, key))
        entries[(name,) if kind is not None and isinstance(name, str) else name] = value
    state.heap[term] = entries
    made: tuple[Instance, ...] = (Instance(Library("dict")),)
    if kind is not None:
        made = tuple(Instance(each) for each in kind.things if isinstance(each, Class | Library))
    return Value(term, labels, certain=True, things=made, contents=given)


def _given_or(owner: Value, key: Key, other: Value) -> Value:
    """Return the argument of a name where a client sends it, else another value."""
    found = owner.contents.get(key) if owner.contents is not None else None
    if found is None:
        return other
    return either(("item", owner.term, key), found, other)._replace(
        meaning=Choice(presence(found), found, other, None, None)
    )


def _closure(run: "Run", activation: "Activation", state: State, expression: ir.Closure) -> Value:
    captured = {**activation.captured, **state.variables}
    read = tuple(captured[each] for each in ir.reads(expression.code) if each in captured)
    run.emit(Captured(expression.at, activation.code, activation.context, state.facts, expression.code, read))
    thing = Function(expression.code, captured=captured)
    term = ("closure", expression.code)
    awaits = thing if expression.code.kind == "async block" else None
    return Value(term, things=(thing,), certain=True, awaits=awaits)


def _cast(run: "Run", activation: "Activation", state: State, expression: ir.Cast) -> Value:
    return evaluate(run, activation, state, expression.operand)


def _spread(run: "Run", activation: "Activation", state: State, expression: ir.Spread) -> Value:
    return evaluate(run, activation, state, expression.operand)


def _unknown(run: "Run", activation: "Activation", state: State, expression: ir.Unknown) -> Value:
    parts = [evaluate(run, activation, state, each) for each in expression.parts]
    labels = frozenset[Label]().union(*(_labels(each, state, REACH) for each in parts))
    return unknown(f"{expression.reason} is not followed", ("unknown", activation.code, expression.at), labels)


_EXPRESSIONS: dict[type[ir.Expression], Callable[..., Value]] = {
    ir.Constant: _constant,
    ir.Read: _read,
    ir.Global: _global,
    ir.Import: _global,
    ir.Field: _field,
    ir.Item: _item,
    ir.Slice: _slice,
    ir.Length: _length,
    ir.Range: _range,
    ir.Arithmetic: _arithmetic,
    ir.Comparison: _comparison,
    ir.Not: _not,
    ir.IsPresent: _is_present,
    ir.IsKind: _is_kind,
    ir.Failure: _failure,
    ir.ReasonOf: _reason_of,
    ir.Interpolation: _interpolation,
    ir.Sequence: _sequence,
    ir.Record: _record,
    ir.Closure: _closure,
    ir.Cast: _cast,
    ir.Spread: _spread,
    ir.Unknown: _unknown,
}
