"""What an expression gives at one point of an abstract run."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.budget import REASONS
from reviewer.code import ir
from reviewer.code.arithmetic import LONGEST, combined
from reviewer.code.cutting import kept, precise
from reviewer.code.events import Captured, Divided, Indexed, Obscured, Sliced
from reviewer.code.kinds import ancestry
from reviewer.code.members import as_field, field_of, read
from reviewer.code.operators import combine, operate, standing
from reviewer.code.parts import (
    REACH,
    also,
    arguments_in,
    compared,
    described,
    either,
    element_of,
    inside,
    is_grown,
    is_unordered,
    item_of,
    key_of,
    labelled,
    labels_of,
    laid_over,
    length_of,
    presence,
    reason_of,
    shown,
    success,
)
from reviewer.code.state import State, interval_of, namespace
from reviewer.code.values import (
    ANY,
    ELEMENT,
    NO_NUMBER,
    Class,
    ClientArguments,
    Function,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Negation,
    Relation,
    Value,
    choice,
    constant,
    nested,
    unknown,
)

if TYPE_CHECKING:
    from reviewer.code.interpreter import Activation, Run


def evaluate(run: "Run", activation: "Activation", state: State, expression: ir.Expression) -> Value:
    """Return the value of an expression."""
    return _EXPRESSIONS[type(expression)](run, activation, state, expression)


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
    owner = standing(run, activation, state, expression.at, owner, expression.name)
    return read(run, activation, state, expression.at, field_of(run, state, owner, expression.name))


def _item(run: "Run", activation: "Activation", state: State, expression: ir.Item) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    if isinstance(expression.key, ir.Range):
        return _part(run, activation, state, expression.at, owner, expression.key.low, expression.key.high)
    key = evaluate(run, activation, state, expression.key)
    if _is_generic(run, owner):
        return owner
    found = operate(run, activation, state, expression.at, "item", owner, key)
    if found is not None:
        return found
    if isinstance(key.term, tuple) and key.term[:1] == ("range",) and isinstance(key.meaning, Made):
        low, _, *high = key.meaning.of
        return _cut(run, activation, state, expression.at, owner, low, high[0] if high else None)
    place = key.constant[1] if key.constant is not None else None
    is_known = place is not None and state.read(owner, place) is not None
    field = _field_at(run, owner, place) if isinstance(place, int) and not is_known else None
    is_known, told = is_known or field is not None, labelled(owner, state)
    run.emit(Indexed(expression.at, activation.code, activation.context, state.facts, told, key, is_known))
    there = field_of(run, state, owner, field) if field is not None else item_of(state, owner, key, expression.at)
    instead = operate(run, activation, state, expression.at, "missing item", owner, key) if not is_known else None
    if instead is None:
        return there
    test = compared("in", key, told)
    return either(("item", owner.term, key.term), there, instead)._replace(
        meaning=choice(test, there, instead, None, None)
    )


def _is_generic(run: "Run", value: Value) -> bool:
    """Return whether a value is a class, which parameters make no other: `Page[Row]`. Those of an enum are its members."""
    kinds = [each for each in value.things if isinstance(each, Class)]
    above = {each.path for kind in kinds for each in ancestry(run.program, kind) if isinstance(each, Library)}
    return bool(kinds) and len(kinds) == len(value.things) and not any(each.startswith("enum.") for each in above)


def _field_at(run: "Run", owner: Value, place: int) -> str | None:
    """Return the name of the field at a place of an object that is a tuple of them, None if it is none."""
    kinds = [each.of for each in owner.things if isinstance(each, Instance)]
    names = run.program.fields(kinds[0]) if len(kinds) == 1 and isinstance(kinds[0], Class) else ()
    return names[place] if 0 <= place < len(names) else None


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
    return _cut(run, activation, state, at, owner, start, end)


def _cut(
    run: "Run",
    activation: "Activation",
    state: State,
    at: ir.Site,
    owner: Value,
    start: Value | None,
    end: Value | None,
) -> Value:
    run.emit(Sliced(at, activation.code, activation.context, state.facts, shown(owner, state), start, end))
    return kept(run, activation, state, at, owner, start, end)


def _length(run: "Run", activation: "Activation", state: State, expression: ir.Length) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    found = operate(run, activation, state, expression.at, "length", operand)
    return found if found is not None else length_of(operand, state)


def _range(run: "Run", activation: "Activation", state: State, expression: ir.Range) -> Value:
    low = evaluate(run, activation, state, expression.low) if expression.low is not None else constant(0)
    high = evaluate(run, activation, state, expression.high) if expression.high is not None else None
    one = interval_of(low, state.facts)
    two = interval_of(high, state.facts) if high is not None else ANY
    interval = Interval(one.low, two.high - 1, one.unsure or two.unsure)
    labels = low.labels | (high.labels if high is not None else frozenset())
    term = ("range", low.term, high.term if high is not None else None)
    ends = (high,) if high is not None else ()
    return Value(term, labels, interval=interval, meaning=Made("counted", (low, constant(1), *ends)))


# These fail for a zero on the right.
DIVIDING = frozenset({"/", "//", "%"})


def _arithmetic(run: "Run", activation: "Activation", state: State, expression: ir.Arithmetic) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    found = combine(run, activation, state, expression.at, expression.operator, left, right)
    if found is not None:
        return found
    if expression.operator in DIVIDING and right.constants is None and not run.program.raises:
        run.emit(Divided(expression.at, activation.code, activation.context, state.facts, right))
    return combined(expression.operator, left, right, state)


def _comparison(run: "Run", activation: "Activation", state: State, expression: ir.Comparison) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    if expression.operator == "in":
        found = operate(run, activation, state, expression.at, "contains", right, left)
        if found is not None:
            return found
        right = shown(right, state)  # whether it holds is asked later, when others may have written into it
    return compared(expression.operator, left, right)


def _not(run: "Run", activation: "Activation", state: State, expression: ir.Not) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    return Value(("not", operand.term), operand.labels, meaning=Negation(operand), interval=Interval(0, 1))


def _is_present(run: "Run", activation: "Activation", state: State, expression: ir.IsPresent) -> Value:
    return presence(evaluate(run, activation, state, expression.operand))


def _succeeds(run: "Run", activation: "Activation", state: State, expression: ir.Succeeds) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    return constant(True) if expression.is_outer and inside(operand, state) is operand else success(operand)


def _result_of(run: "Run", activation: "Activation", state: State, expression: ir.ResultOf) -> Value:
    return inside(evaluate(run, activation, state, expression.operand), state)


def _is_kind(run: "Run", activation: "Activation", state: State, expression: ir.IsKind) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    if isinstance(operand.meaning, Made) and operand.meaning.by == "order" and isinstance(expression.kind, ir.Global):
        left, right = operand.meaning.of
        ordered = _compare_in_order(left, right, expression.kind.path[-1])
        if ordered is not None:
            return ordered
    kind = evaluate(run, activation, state, expression.kind)
    if _means_absence(run, kind):
        there = presence(operand)
        return Value(("not", there.term), operand.labels, meaning=Negation(there), interval=there.interval)
    return Value(("kind", operand.term, kind.term), operand.labels, meaning=Relation("kind", operand, kind))


def _means_absence(run: "Run", kind: Value) -> bool:
    """Return whether a kind is the one that stands for nothing being there: the `Null` of JSON."""
    rows = [run.program.models.of(each.path) for each in kind.things if isinstance(each, Library)]
    return bool(rows) and all(each is not None and each.returns == "absent" for each in rows)


def _compare_in_order(left: Value, right: Value, kind: str) -> Value | None:
    """Return whether one value is less than another, as great or greater, by what a variant that says so is called."""
    match kind:
        case "Less":
            return compared("<", left, right)
        case "Equal":
            return compared("==", left, right)
        case "Greater":
            return compared("<", right, left)
    return None


def _failure(run: "Run", activation: "Activation", state: State, expression: ir.Failure) -> Value:
    reason = evaluate(run, activation, state, expression.reason)
    labels = labels_of(reason, state, REACH)
    return Value(("failure", reason.term), labels, interval=NO_NUMBER, failure=shown(reason, state))


def _reason_of(run: "Run", activation: "Activation", state: State, expression: ir.ReasonOf) -> Value:
    return reason_of(evaluate(run, activation, state, expression.operand), state)


def _interpolation(run: "Run", activation: "Activation", state: State, expression: ir.Interpolation) -> Value:
    parts = [_format_in_text(run, activation, state, each) for each in expression.parts]
    texts = [str(each.constant[1]) for each in parts if each.constant is not None and not is_grown(each, state)]
    if len(texts) == len(parts) and sum(map(len, texts)) <= LONGEST and CHAIN not in expression.specifiers:
        return constant("".join(texts))
    converted = _convert_parts(run, activation, state, expression, parts)
    labels = frozenset[Label]().union(*(labels_of(each, state, REACH) for each in (*parts, *converted)))
    meaning = Made("text", tuple([shown(each, state) for each in converted]))
    things = (Instance(Library("str")),)
    term = ("text", *(nested(each.term) for each in parts))
    return Value(term, labels, things=things, meaning=meaning, unknown="only a run tells")


def _format_in_text(run: "Run", activation: "Activation", state: State, part: ir.Expression) -> Value:
    """Return what stands in a text for a value: itself, or how an object of the project tells of itself."""
    value = evaluate(run, activation, state, part)
    found = operate(run, activation, state, part.at, "text", value)
    return found if found is not None else value


def _convert_parts(
    run: "Run", activation: "Activation", state: State, expression: ir.Interpolation, parts: list[Value]
) -> list[Value]:
    """Return the parts of a text as they stand in it: `{x!r}` is how a value describes itself, `{x:p}` where it lies.

    `{x:#}` is a failure with all that brought it about, `{x:.80}` the beginning of a text.
    """
    if not any(expression.specifiers):
        return parts
    return [
        _as(shown(precise(run, activation, state, part.at, value, specifier), state), specifier)
        for part, value, specifier in zip(expression.parts, parts, expression.specifiers, strict=True)
    ]


def _as(value: Value, specifier: str) -> Value:
    if specifier.startswith("!r"):
        return described(value)
    if specifier == CHAIN:
        return Value(("chain", value.term), value.labels, meaning=Made("chain", (value,)))
    if specifier in ADDRESS:
        labels = value.labels | {Label("identity")}
        return Value(("address", value.term), labels, meaning=Made("address", (value,)))
    return value


ADDRESS = frozenset({":p", ":#p"})
CHAIN = ":#"
"""How a failure is told to write itself with all that brought it about, of which a run knows only the last."""


def _sequence(run: "Run", activation: "Activation", state: State, expression: ir.Sequence) -> Value:
    term = ("new", activation.code, expression.at)
    labels: frozenset[Label] = frozenset()
    entries: dict[Key, Value] = {}
    for each in expression.elements:
        if isinstance(each, ir.Spread):
            spread = evaluate(run, activation, state, each.operand)
            labels |= spread.labels
            held = state.held(spread) if not is_unordered(spread) else {}
            if held and ELEMENT not in entries and all(number in held for number in range(len(held))):
                entries.update({len(entries) + number: held[number] for number in range(len(held))})
                continue
            value = element_of(spread, state, each.at)
        else:
            value = evaluate(run, activation, state, each)
        labels |= value.labels
        if isinstance(each, ir.Spread) or ELEMENT in entries:
            before = entries.get(ELEMENT)
            entries[ELEMENT] = value if before is None else also((term, "element"), before, value)
        else:
            entries[len(entries)] = value
    state.heap[term] = entries
    meaning = None
    if len(expression.elements) == 1 and isinstance(expression.elements[0], ir.Spread) and is_unordered(spread):
        meaning = Made("element", (spread,))  # as `list(spread)`
    return Value(term, labels, certain=True, things=(Instance(Library(expression.kind)),), meaning=meaning)


def _record(run: "Run", activation: "Activation", state: State, expression: ir.Record) -> Value:
    term = ("new", activation.code, expression.at)
    kind = evaluate(run, activation, state, expression.kind) if expression.kind is not None else None
    entries: dict[Key, Value] = {}
    given: ClientArguments | None = None
    labels: frozenset[Label] = frozenset()
    for key, each in expression.entries:
        operand = each.operand if isinstance(each, ir.Spread) else each
        value = evaluate(run, activation, state, operand)
        labels |= value.labels
        if key is None:
            entries, given = laid_over(state, value, entries), arguments_in(value, given)
            continue
        name = key_of(evaluate(run, activation, state, key))
        is_field = kind is not None and isinstance(name, str)
        if is_field and kind is not None and len(kind.things) == 1 and isinstance(kind.things[0], Class):
            value = as_field(run, kind.things[0], str(name), value)
        entries[(str(name),) if is_field else name] = value
    state.heap[term] = entries
    made: tuple[Instance, ...] = (Instance(Library("dict")),)
    if kind is not None:
        made = tuple(Instance(each) for each in kind.things if isinstance(each, Class | Library))
    return Value(term, labels, certain=True, things=made, contents=given)


def _closure(run: "Run", activation: "Activation", state: State, expression: ir.Closure) -> Value:
    is_global = activation.code.kind == "module"  # what a module binds is no variable of what is written in it
    if is_global and expression.code.kind == "class":
        known = run.program.named(ir.Global(expression.at, (expression.code.name,)), activation.code)
        if known is not None and any(isinstance(each, Class) for each in known.things):
            return known
    around = {**activation.captured, **state.variables}
    captured = {each: around[each] for each in ir.reads(expression.code) if each in around} if not is_global else {}
    read = tuple(captured.values())
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
    if expression.reason == REASONS["visits"]:
        run.exhausted(activation)
    parts = [evaluate(run, activation, state, each) for each in expression.parts]
    labels = frozenset[Label]().union(*(labels_of(each, state, REACH) for each in parts))
    if labels:
        taken = tuple([shown(each, state) for each in parts])
        run.emit(Obscured(expression.at, activation.code, activation.context, state.facts, taken))
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
    ir.Succeeds: _succeeds,
    ir.ResultOf: _result_of,
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
