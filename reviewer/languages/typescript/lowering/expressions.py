"""Members, operators, arrays and objects, assertions of types, `await` and `yield`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import CHAINED, to_site
from reviewer.languages.typescript.lowering.calls import lower_call, lower_new
from reviewer.languages.typescript.lowering.files import has_token, list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame, register_expression
from reviewer.languages.typescript.lowering.literals import read_string
from reviewer.languages.typescript.lowering.promises import find_continuation, lower_continuation

ARITHMETIC: dict[str, ir.ArithmeticOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "**": "**", "&": "&", "|": "|", "^": "^", "<<": "<<", ">>": ">>",
    ">>>": ">>",
}  # fmt: skip
TYPE_TESTS = frozenset({"==", "===", "!=", "!=="})
"""The comparisons by which code tests what `typeof` gives."""


@register_expression(
    "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "expression_statement"
)
def _lower_first(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    return frame.lower_expression(parts[0]) if parts else frame.lower_unsupported(node)


@register_expression("type_assertion", "instantiation_expression")
def _lower_asserted(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = [each for each in list_children(node) if each.type != "type_arguments"]
    return frame.lower_expression(parts[0]) if parts else frame.lower_unsupported(node)


@register_expression("sequence_expression")
def _lower_sequence(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    *first, last = list_children(node)
    for each in first:
        frame.evaluate(frame.lower_expression(each))
    return frame.lower_expression(last)


_STEPS = frozenset({"member_expression", "subscript_expression", "call_expression", "non_null_expression"})
"""What a chain of accesses is made of: a `?.` anywhere in it may end it as a whole."""


@register_expression("member_expression", "subscript_expression", "call_expression")
def chain(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `a.b(c)?.[d]`, along the chain: it may be long. What stands behind a `?.` runs only if there is something before."""
    steps: list[Node] = []
    while node.type in _STEPS and node.child_count:
        steps.append(node)
        node = node.children[0]
    since = len(frame.out)
    value = frame.lower_name(node.type, to_site(node)) if node.type == "import" else frame.lower_expression(node)
    target, entered, deep = ir.Variable(), 0, 0
    whole = to_site(steps[0])
    while steps:
        step = steps.pop()
        if step.type == "non_null_expression":
            continue
        method = "" if entered or not steps else find_continuation(steps[-1])
        if method:
            value = lower_continuation(frame, steps.pop(), method, value, since)
            continue
        if step.child_by_field_name("optional_chain") is not None or has_token(step, "?."):
            if not entered:
                frame.emit(ir.Assign(whole, target, ir.Constant(whole, None)))
            value = frame.make_repeatable(value) if not isinstance(value, ir.Field) else _keep_method(frame, value)
            at = to_site(step)
            frame.enter(ir.If(at, _build_presence(at, frame.copy_repeatable(value)), ()), "then")
            entered += 1
        value = _lower_step(frame, step, value)
        deep = deep + 1 if isinstance(value, ir.Field | ir.Item) else 0
        if deep >= CHAINED and steps:
            value, deep = frame.assign(value), 0
    if entered:
        frame.emit(ir.Assign(whole, target, value))
        frame.leave(entered)
        return ir.Read(whole, target)
    return value


def _keep_method(frame: TypeScriptFrame, value: ir.Field) -> ir.Field:
    """Return a field, whose owner is evaluated once: `a.b?.()` calls a method of `a`."""
    return ir.Field(value.at, frame.make_repeatable(value.owner), value.name)


def _build_presence(at: ir.Site, value: ir.Expression) -> ir.Expression:
    return ir.Not(at, ir.Comparison(at, "is", value, ir.Constant(at, None)))


def _lower_step(frame: TypeScriptFrame, step: Node, value: ir.Expression) -> ir.Expression:
    if step.type == "call_expression":
        return lower_call(frame, step, value)
    if step.type == "member_expression":
        name = step.child_by_field_name("property")
        if name is None or name.start_byte == name.end_byte:
            return frame.lower_unknown(step, "missing", (value,))
        return ir.Field(to_site(step), value, frame.file.decode_text(name))
    index = step.child_by_field_name("index")
    if index is None:
        return frame.lower_unknown(step, "missing", (value,))
    owner, key = frame.lower_after(value, index)
    return ir.Item(to_site(step), owner, key)


register_expression("new_expression")(lower_new)


@register_expression("array")
def _lower_array(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    return ir.Sequence(to_site(node), "list", tuple(frame.lower_operands(list_children(node))))


@register_expression("spread_element")
def _spread(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    return ir.Spread(to_site(node), frame.lower_expression(parts[0])) if parts else frame.lower_unsupported(node)


@register_expression("object")
def _lower_object(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower an object: its entries are evaluated in order, computed keys before their values."""
    entries = list_children(node)
    nodes: list[Node] = []
    for each in entries:
        key = each.child_by_field_name("key") or each.child_by_field_name("name")
        if key is not None and key.type == "computed_property_name":
            nodes += list_children(key)[:1]
        value = each.child_by_field_name("value") if each.type == "pair" else each
        if value is not None:
            nodes.append(value)
    values = iter(frame.lower_operands(nodes))
    made: list[tuple[ir.Expression | None, ir.Expression]] = []
    for each in entries:
        if each.type == "pair" and each.child_by_field_name("value") is None:
            continue
        key = each.child_by_field_name("key") or each.child_by_field_name("name")
        if key is not None and key.type == "computed_property_name":
            name: ir.Expression | None = next(values) if list_children(key) else None
        else:
            name = _read_key(frame, each, key)
        found = next(values)
        is_method = each.type == "method_definition"
        if isinstance(found, ir.Spread):
            made.append((None, found))
        elif not (is_method and has_token(each, "set")):
            made.append(
                (name, ir.Unknown(found.at, (found,), GETTER) if is_method and has_token(each, "get") else found)
            )
    return ir.Record(to_site(node), None, tuple(made))


GETTER = "getter"
"""Why the value of an entry is unknown that a function gives each time."""


def _read_key(frame: TypeScriptFrame, entry: Node, key: Node | None) -> ir.Expression | None:
    if entry.type == "spread_element":
        return None
    name = key if key is not None else entry
    return ir.Constant(to_site(name), read_name(frame, name))


def read_name(frame: TypeScriptFrame, node: Node) -> str:
    """Return the name of an entry or a member, as it is written or in quotes."""
    return read_string(node, frame.file.data) if node.type == "string" else frame.file.decode_text(node)


@register_expression("shorthand_property_identifier", "shorthand_property_identifier_pattern")
def _lower_shorthand(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    return frame.read(node)


def build_comparison(at: ir.Site, operator: str, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """Return a comparison in one of the forms that there are."""
    match operator:
        case "==" | "===":
            absent = next((each for each in (left, right) if is_absence(each)), None)
            if absent is None:
                return ir.Comparison(at, "==", left, right)
            return ir.Comparison(at, "is", right if absent is left else left, ir.Constant(absent.at, None))
        case "!=" | "!==":
            return ir.Not(at, build_comparison(at, "==", left, right))
        case ">":
            return ir.Comparison(at, "<", right, left)
        case ">=":
            return ir.Comparison(at, "<=", right, left)
        case "instanceof":
            return ir.IsKind(at, left, right)
        case "<" | "<=" | "in":
            return ir.Comparison(at, operator, left, right)
        case _:
            raise ValueError(operator)


COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "instanceof"})
"""The operators that give a truth value."""


def is_absence(value: ir.Expression) -> bool:
    """Return whether an expression is `null` or `undefined`."""
    return (isinstance(value, ir.Constant) and value.value is None) or (
        isinstance(value, ir.Global) and value.path == ("undefined",)
    )


def get_operator(node: Node) -> str:
    """Return the operator of an expression of two operands, or of one."""
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


@register_expression("binary_expression")
def _lower_binary(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    operator = get_operator(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return frame.lower_unsupported(node)
    if operator in ARITHMETIC:
        return _lower_arithmetic(frame, node)
    if operator in TYPE_TESTS:
        tested = _lower_type_test(frame, node, left, right, operator)
        if tested is not None:
            return tested
    if operator in COMPARISONS:
        return build_comparison(to_site(node), operator, *frame.pair(left, right))
    return frame.lower_unsupported(node)


def _lower_type_test(
    frame: TypeScriptFrame, node: Node, left: Node, right: Node, operator: str
) -> ir.Expression | None:
    """Lower `typeof x === "string"`."""
    if not (left.type == "unary_expression" and get_operator(left) == "typeof" and right.type == "string"):
        return None
    operand, at = left.child_by_field_name("argument"), to_site(node)
    if operand is None:
        return None
    name = read_string(right, frame.file.data)
    value = frame.lower_expression(operand)
    if name == "undefined":
        test: ir.Expression = ir.Comparison(at, "is", value, ir.Constant(to_site(right), None))
    else:
        test = ir.IsKind(at, value, ir.Global(to_site(right), ("typeof", name)))
    return ir.Not(at, test) if operator.startswith("!") else test


def _lower_arithmetic(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower an operation, along its left side: `a + b + c` may be long."""
    chained: list[tuple[Node, ir.ArithmeticOperator, Node]] = []
    while node.type == "binary_expression":
        operator, right = ARITHMETIC.get(get_operator(node)), node.child_by_field_name("right")
        left = node.child_by_field_name("left")
        if operator is None or right is None or left is None:
            break
        chained.append((node, operator, right))
        node = left
    value = frame.lower_expression(node)
    for place, (whole, operator, operand) in enumerate(reversed(chained), 1):
        first, second = frame.lower_after(value, operand)
        value = ir.Arithmetic(to_site(whole), operator, first, second)
        if place % CHAINED == 0:
            value = frame.assign(value)
    return value


@register_expression("unary_expression")
def _lower_unary(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    operator, operand, at = get_operator(node), node.child_by_field_name("argument"), to_site(node)
    if operand is None:
        return frame.lower_unsupported(node)
    value = frame.lower_expression(operand)
    match operator:
        case "!":
            return ir.Not(at, value)
        case "-":
            if isinstance(value, ir.Constant) and isinstance(value.value, int | float):
                return ir.Constant(at, -value.value)
            return ir.Arithmetic(at, "-", ir.Constant(at, 0), value)
        case "~":
            return ir.Arithmetic(at, "^", value, ir.Constant(at, -1))
        case "+":
            return ir.Cast(at, value, "number")
        case "typeof":
            return ir.Cast(at, value, "typeof")
        case "void":
            frame.emit(ir.Evaluate(value.at, value))  # who writes it says that the value is meant to be left
            return ir.Constant(at, None)
        case "delete":
            frame.effects += 1
            frame.emit(ir.Delete(at, value))
            return ir.Constant(at, True)
    return frame.lower_unknown(node, f"unary {operator}", (value,))


@register_expression("await_expression")
def _await(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 1:
        return frame.lower_unsupported(node)
    operand = frame.lower_expression(parts[0])
    target = frame.prepare_temporary()
    frame.emit(ir.Await(to_site(node), target, operand))
    return ir.Read(to_site(node), target)


@register_expression("yield_expression")
def _yield(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if frame.code is not None:
        frame.code.mark_generator()
    value = frame.lower_expression(parts[0]) if parts else ir.Constant(to_site(node), None)
    target = frame.prepare_temporary()
    frame.emit(ir.Yield(to_site(node), target, value, has_token(node, "*")))
    return ir.Read(to_site(node), target)


@register_expression("meta_property")
def _meta(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `import.meta` and `new.target`."""
    return ir.Global(to_site(node), (frame.file.decode_text(node),))
