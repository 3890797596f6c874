"""What an expression gives at one point of an abstract run."""

from collections.abc import Callable

from reviewer.budget import REASONS
from reviewer.code import ir
from reviewer.code.arithmetic import LONGEST, evaluate_operation
from reviewer.code.cutting import apply_precision, cut_slice
from reviewer.code.events import Captured, Divided, Indexed, Obscured, Sliced
from reviewer.code.kinds import iter_ancestors
from reviewer.code.members import as_field, read, resolve_field
from reviewer.code.operators import apply_operator, combine, resolve_field_owner
from reviewer.code.parts import (
    REACH,
    build_repr,
    collect_labels,
    compare_values,
    find_client_arguments,
    find_reason,
    is_grown,
    is_unordered,
    join_elements,
    join_values,
    lay_over,
    measure_length,
    read_element,
    read_item,
    read_key,
    show_value,
    test_presence,
    test_success,
    unwrap_result,
    with_held_labels,
)
from reviewer.code.run import Activation, Run
from reviewer.code.state import State, build_namespace, infer_interval
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
    build_choice,
    build_constant,
    build_unknown,
    nest_term,
)


def evaluate(run: Run, activation: Activation, state: State, expression: ir.Expression) -> Value:
    """Return the value of an expression."""
    return _EXPRESSIONS[type(expression)](run, activation, state, expression)


def _evaluate_constant(_run: Run, _activation: Activation, _state: State, expression: ir.Constant) -> Value:
    value = expression.value
    return build_unknown("it is left open", ("ellipsis",)) if value is ... else build_constant(value)


def _evaluate_read(run: Run, activation: Activation, state: State, expression: ir.Read) -> Value:
    variable = expression.variable
    found = state.variables.get(variable) or activation.captured.get(variable)
    return found if found is not None else build_unknown("nothing is seen to assign it", ("unassigned", variable))


def _evaluate_global(run: Run, activation: Activation, state: State, expression: ir.Global | ir.Import) -> Value:
    code = activation.code
    if isinstance(expression, ir.Global):
        written = state.read(build_namespace(code.source.path), (expression.path[-1],))
        if written is not None:
            return written
    found = run.program.resolve_name(expression, code)
    if found is not None:
        return found
    name = expression.path if isinstance(expression, ir.Global) else (expression.module, expression.name)
    return build_unknown("the name is not of the project", ("global", code.source.path, name))


def _evaluate_field(run: Run, activation: Activation, state: State, expression: ir.Field) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    owner = resolve_field_owner(run, activation, state, expression.at, owner, expression.name)
    return read(run, activation, state, expression.at, resolve_field(run, state, owner, expression.name))


def _evaluate_item(run: Run, activation: Activation, state: State, expression: ir.Item) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    if isinstance(expression.key, ir.Range):
        return _slice_between(run, activation, state, expression.at, owner, expression.key.low, expression.key.high)
    key = evaluate(run, activation, state, expression.key)
    if _is_generic(run, owner):
        return owner
    found = apply_operator(run, activation, state, expression.at, "item", owner, key)
    if found is not None:
        return found
    if isinstance(key.term, tuple) and key.term[:1] == ("range",) and isinstance(key.meaning, Made):
        low, _, *high = key.meaning.of
        return _cut(run, activation, state, expression.at, owner, low, high[0] if high else None)
    place = key.constant[1] if key.constant is not None else None
    is_known = place is not None and state.read(owner, place) is not None
    field = _find_field_at(run, owner, place) if isinstance(place, int) and not is_known else None
    is_known, told = is_known or field is not None, with_held_labels(owner, state)
    run.emit(Indexed(expression.at, activation.code, activation.context, state.facts, told, key, is_known))
    there = (
        resolve_field(run, state, owner, field) if field is not None else read_item(state, owner, key, expression.at)
    )
    instead = (
        apply_operator(run, activation, state, expression.at, "missing item", owner, key) if not is_known else None
    )
    if instead is None:
        return there
    test = compare_values("in", key, told)
    return join_values(("item", owner.term, key.term), there, instead)._replace(
        meaning=build_choice(test, there, instead, None, None)
    )


def _is_generic(run: Run, value: Value) -> bool:
    """Return whether a value is a class, which parameters make no other: `Page[Row]`. Those of an enum are its members."""
    kinds = [each for each in value.things if isinstance(each, Class)]
    above = {each.path for kind in kinds for each in iter_ancestors(run.program, kind) if isinstance(each, Library)}
    return bool(kinds) and len(kinds) == len(value.things) and not any(each.startswith("enum.") for each in above)


def _find_field_at(run: Run, owner: Value, place: int) -> str | None:
    """Return the name of the field at a place of an object that is a tuple of them, None if it is none."""
    kinds = [each.of for each in owner.things if isinstance(each, Instance)]
    names = run.program.list_fields(kinds[0]) if len(kinds) == 1 and isinstance(kinds[0], Class) else ()
    return names[place] if 0 <= place < len(names) else None


def _evaluate_slice(run: Run, activation: Activation, state: State, expression: ir.Slice) -> Value:
    owner = evaluate(run, activation, state, expression.owner)
    if expression.step is not None:
        evaluate(run, activation, state, expression.step)
    return _slice_between(run, activation, state, expression.at, owner, expression.low, expression.high)


def _slice_between(
    run: Run,
    activation: Activation,
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
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    owner: Value,
    start: Value | None,
    end: Value | None,
) -> Value:
    run.emit(Sliced(at, activation.code, activation.context, state.facts, show_value(owner, state), start, end))
    return cut_slice(run, activation, state, at, owner, start, end)


def _evaluate_length(run: Run, activation: Activation, state: State, expression: ir.Length) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    found = apply_operator(run, activation, state, expression.at, "length", operand)
    return found if found is not None else measure_length(operand, state)


def _evaluate_range(run: Run, activation: Activation, state: State, expression: ir.Range) -> Value:
    low = evaluate(run, activation, state, expression.low) if expression.low is not None else build_constant(0)
    high = evaluate(run, activation, state, expression.high) if expression.high is not None else None
    one = infer_interval(low, state.facts)
    two = infer_interval(high, state.facts) if high is not None else ANY
    interval = Interval(one.low, two.high - 1, one.unsure or two.unsure)
    labels = low.labels | (high.labels if high is not None else frozenset())
    term = ("range", low.term, high.term if high is not None else None)
    ends = (high,) if high is not None else ()
    return Value(term, labels, interval=interval, meaning=Made("counted", (low, build_constant(1), *ends)))


# These fail for a zero on the right.
DIVIDING = frozenset({"/", "//", "%"})


def _evaluate_arithmetic(run: Run, activation: Activation, state: State, expression: ir.Arithmetic) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    found = combine(run, activation, state, expression.at, expression.operator, left, right)
    if found is not None:
        return found
    if expression.operator in DIVIDING and right.constants is None and not run.program.raises:
        run.emit(Divided(expression.at, activation.code, activation.context, state.facts, right))
    return evaluate_operation(expression.operator, left, right, state)


def _evaluate_comparison(run: Run, activation: Activation, state: State, expression: ir.Comparison) -> Value:
    left = evaluate(run, activation, state, expression.left)
    right = evaluate(run, activation, state, expression.right)
    if expression.operator == "in":
        found = apply_operator(run, activation, state, expression.at, "contains", right, left)
        if found is not None:
            return found
        right = show_value(right, state)  # whether it holds is asked later, when others may have written into it
    return compare_values(expression.operator, left, right)


def _evaluate_negation(run: Run, activation: Activation, state: State, expression: ir.Not) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    return Value(("not", operand.term), operand.labels, meaning=Negation(operand), interval=Interval(0, 1))


def _evaluate_presence(run: Run, activation: Activation, state: State, expression: ir.IsPresent) -> Value:
    return test_presence(evaluate(run, activation, state, expression.operand))


def _evaluate_success(run: Run, activation: Activation, state: State, expression: ir.Succeeds) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    return (
        build_constant(True)
        if expression.is_outer and unwrap_result(operand, state) is operand
        else test_success(operand)
    )


def _evaluate_result(run: Run, activation: Activation, state: State, expression: ir.ResultOf) -> Value:
    return unwrap_result(evaluate(run, activation, state, expression.operand), state)


def _evaluate_kind_test(run: Run, activation: Activation, state: State, expression: ir.IsKind) -> Value:
    operand = evaluate(run, activation, state, expression.operand)
    if isinstance(operand.meaning, Made) and operand.meaning.by == "order" and isinstance(expression.kind, ir.Global):
        left, right = operand.meaning.of
        ordered = _compare_in_order(left, right, expression.kind.path[-1])
        if ordered is not None:
            return ordered
    kind = evaluate(run, activation, state, expression.kind)
    if _means_absence(run, kind):
        there = test_presence(operand)
        return Value(("not", there.term), operand.labels, meaning=Negation(there), interval=there.interval)
    return Value(("kind", operand.term, kind.term), operand.labels, meaning=Relation("kind", operand, kind))


def _means_absence(run: Run, kind: Value) -> bool:
    """Return whether a kind is the one that stands for nothing being there: the `Null` of JSON."""
    rows = [run.program.models.find_model(each.path) for each in kind.things if isinstance(each, Library)]
    return bool(rows) and all(each is not None and each.returns == "absent" for each in rows)


def _compare_in_order(left: Value, right: Value, kind: str) -> Value | None:
    """Return whether one value is less than another, as great or greater, by what a variant that says so is called."""
    match kind:
        case "Less":
            return compare_values("<", left, right)
        case "Equal":
            return compare_values("==", left, right)
        case "Greater":
            return compare_values("<", right, left)
    return None


def _evaluate_failure(run: Run, activation: Activation, state: State, expression: ir.Failure) -> Value:
    reason = evaluate(run, activation, state, expression.reason)
    labels = collect_labels(reason, state, REACH)
    return Value(("failure", reason.term), labels, interval=NO_NUMBER, failure=show_value(reason, state))


def _evaluate_reason(run: Run, activation: Activation, state: State, expression: ir.ReasonOf) -> Value:
    return find_reason(evaluate(run, activation, state, expression.operand), state)


def _evaluate_interpolation(run: Run, activation: Activation, state: State, expression: ir.Interpolation) -> Value:
    parts = [_format_in_text(run, activation, state, each) for each in expression.parts]
    texts = [str(each.constant[1]) for each in parts if each.constant is not None and not is_grown(each, state)]
    if len(texts) == len(parts) and sum(map(len, texts)) <= LONGEST and CHAIN not in expression.specifiers:
        return build_constant("".join(texts))
    converted = _convert_parts(run, activation, state, expression, parts)
    labels = frozenset[Label]().union(*(collect_labels(each, state, REACH) for each in (*parts, *converted)))
    meaning = Made("text", tuple([show_value(each, state) for each in converted]))
    things = (Instance(Library("str")),)
    term = ("text", *(nest_term(each.term) for each in parts))
    return Value(term, labels, things=things, meaning=meaning, unknown="only a run tells")


def _format_in_text(run: Run, activation: Activation, state: State, part: ir.Expression) -> Value:
    """Return the text of a value in a text: the value itself, or the project's own format of the object."""
    value = evaluate(run, activation, state, part)
    found = apply_operator(run, activation, state, part.at, "text", value)
    return found if found is not None else value


def _convert_parts(
    run: Run, activation: Activation, state: State, expression: ir.Interpolation, parts: list[Value]
) -> list[Value]:
    """Return the parts of a text as they stand in it: `{x!r}` is how a value describes itself, `{x:p}` where it lies.

    `{x:#}` is a failure with all that brought it about, `{x:.80}` the beginning of a text.
    """
    if not any(expression.specifiers):
        return parts
    return [
        _as(show_value(apply_precision(run, activation, state, part.at, value, specifier), state), specifier)
        for part, value, specifier in zip(expression.parts, parts, expression.specifiers, strict=True)
    ]


def _as(value: Value, specifier: str) -> Value:
    if specifier.startswith("!r"):
        return build_repr(value)
    if specifier == CHAIN:
        return Value(("chain", value.term), value.labels, meaning=Made("chain", (value,)))
    if specifier in ADDRESS:
        labels = value.labels | {Label("identity")}
        return Value(("address", value.term), labels, meaning=Made("address", (value,)))
    return value


ADDRESS = frozenset({":p", ":#p"})
"""How Rust writes where a value lies (`{:p}`): another text in each run, so that a cursor made of it is not deterministic."""

CHAIN = ":#"
"""How a failure is told to write itself with all that brought it about, of which a run knows only the last."""


def _evaluate_sequence(run: Run, activation: Activation, state: State, expression: ir.Sequence) -> Value:
    term = ("new", activation.code, expression.at)
    labels: frozenset[Label] = frozenset()
    entries: dict[Key, Value] = {}
    for each in expression.elements:
        if isinstance(each, ir.Spread):
            spread = evaluate(run, activation, state, each.operand)
            labels |= spread.labels
            held = state.read_contents(spread) if not is_unordered(spread) else {}
            if held and ELEMENT not in entries and all(number in held for number in range(len(held))):
                entries.update({len(entries) + number: held[number] for number in range(len(held))})
                continue
            value = read_element(spread, state, each.at)
        else:
            value = evaluate(run, activation, state, each)
        labels |= value.labels
        if isinstance(each, ir.Spread) or ELEMENT in entries:
            before = entries.get(ELEMENT)
            entries[ELEMENT] = value if before is None else join_elements((term, "element"), before, value)
        else:
            entries[len(entries)] = value
    state.heap[term] = entries
    meaning = None
    if len(expression.elements) == 1 and isinstance(expression.elements[0], ir.Spread) and is_unordered(spread):
        meaning = Made("element", (spread,))  # as `list(spread)`
    return Value(term, labels, certain=True, things=(Instance(Library(expression.kind)),), meaning=meaning)


def _evaluate_record(run: Run, activation: Activation, state: State, expression: ir.Record) -> Value:
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
            entries, given = lay_over(state, value, entries), find_client_arguments(value, given)
            continue
        name = read_key(evaluate(run, activation, state, key))
        is_field = kind is not None and isinstance(name, str)
        if is_field and kind is not None and len(kind.things) == 1 and isinstance(kind.things[0], Class):
            value = as_field(run, kind.things[0], str(name), value)
        entries[(str(name),) if is_field else name] = value
    state.heap[term] = entries
    made: tuple[Instance, ...] = (Instance(Library("dict")),)
    if kind is not None:
        made = tuple(Instance(each) for each in kind.things if isinstance(each, Class | Library))
    return Value(term, labels, certain=True, things=made, contents=given)


def _evaluate_closure(run: Run, activation: Activation, state: State, expression: ir.Closure) -> Value:
    is_global = activation.code.kind == "module"  # what a module binds is no variable of what is written in it
    if is_global and expression.code.kind == "class":
        known = run.program.resolve_name(ir.Global(expression.at, (expression.code.name,)), activation.code)
        if known is not None and any(isinstance(each, Class) for each in known.things):
            return known
    around = {**activation.captured, **state.variables}
    captured = (
        {each: around[each] for each in ir.collect_read_variables(expression.code) if each in around}
        if not is_global
        else {}
    )
    read = tuple(captured.values())
    run.emit(Captured(expression.at, activation.code, activation.context, state.facts, expression.code, read))
    thing = Function(expression.code, captured=captured)
    term = ("closure", expression.code)
    awaits = thing if expression.code.kind == "async block" else None
    return Value(term, things=(thing,), certain=True, awaits=awaits)


def _evaluate_cast(run: Run, activation: Activation, state: State, expression: ir.Cast) -> Value:
    return evaluate(run, activation, state, expression.operand)


def _evaluate_spread(run: Run, activation: Activation, state: State, expression: ir.Spread) -> Value:
    return evaluate(run, activation, state, expression.operand)


def _evaluate_unknown(run: Run, activation: Activation, state: State, expression: ir.Unknown) -> Value:
    if expression.reason == REASONS["visits"]:
        run.note_exhausted(activation)
    parts = [evaluate(run, activation, state, each) for each in expression.parts]
    labels = frozenset[Label]().union(*(collect_labels(each, state, REACH) for each in parts))
    if labels:
        taken = tuple([show_value(each, state) for each in parts])
        run.emit(Obscured(expression.at, activation.code, activation.context, state.facts, taken))
    return build_unknown(f"{expression.reason} is not followed", ("unknown", activation.code, expression.at), labels)


_EXPRESSIONS: dict[type[ir.Expression], Callable[..., Value]] = {
    ir.Constant: _evaluate_constant,
    ir.Read: _evaluate_read,
    ir.Global: _evaluate_global,
    ir.Import: _evaluate_global,
    ir.Field: _evaluate_field,
    ir.Item: _evaluate_item,
    ir.Slice: _evaluate_slice,
    ir.Length: _evaluate_length,
    ir.Range: _evaluate_range,
    ir.Arithmetic: _evaluate_arithmetic,
    ir.Comparison: _evaluate_comparison,
    ir.Not: _evaluate_negation,
    ir.IsPresent: _evaluate_presence,
    ir.Succeeds: _evaluate_success,
    ir.ResultOf: _evaluate_result,
    ir.IsKind: _evaluate_kind_test,
    ir.Failure: _evaluate_failure,
    ir.ReasonOf: _evaluate_reason,
    ir.Interpolation: _evaluate_interpolation,
    ir.Sequence: _evaluate_sequence,
    ir.Record: _evaluate_record,
    ir.Closure: _evaluate_closure,
    ir.Cast: _evaluate_cast,
    ir.Spread: _evaluate_spread,
    ir.Unknown: _evaluate_unknown,
}
