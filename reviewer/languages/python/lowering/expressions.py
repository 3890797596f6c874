"""Names, literals, attributes, subscripts, operators and displays."""

from typing import Literal

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import CHAINED, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.evaluation.literals import evaluate_constant
from reviewer.languages.python.lowering.calls import call
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression, restore_star, strip_star

_SINGLE = {"true": True, "false": False, "none": None, "ellipsis": ...}
_OPERATORS: dict[str, ir.ArithmeticOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "//": "//", "%": "%", "**": "**", "@": "@", "&": "&", "|": "|", "^": "^",
    "<<": "<<", ">>": ">>",
}  # fmt: skip


@register_expression("true", "false", "none", "ellipsis")
def _lower_single(frame: PythonFrame, node: Node) -> ir.Expression:
    return ir.Constant(to_site(node), _SINGLE[node.type])


@register_expression("integer", "float")
def number(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower a number."""
    value = evaluate_constant(node)
    return frame.lower_unknown(node, node.type) if value is None else ir.Constant(to_site(node), value)


@register_expression("parenthesized_expression")
def _lower_parenthesized(frame: PythonFrame, node: Node) -> ir.Expression:
    inner = strip_parentheses(node)
    return frame.lower_unsupported(node) if inner is None else frame.lower_expression(inner)


def strip_parentheses(node: Node) -> Node | None:
    """Return an expression without the parentheses around it; None if there is nothing in them, or more than one."""
    while node.type == "parenthesized_expression":
        inside = list_children(node)
        if len(inside) != 1:
            return None
        node = inside[0]
    return node


@register_expression("attribute", "subscript", "call")
def chain(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower `a.b(c)[d]`, along the chain: it may be long."""
    steps = []
    while node.type in _STEPS and node.child_count:
        steps.append(node)
        node = node.children[0]
    value, is_starred = strip_star(frame.lower_expression(node))
    deep = 0
    while steps:
        step = steps.pop()
        value = _STEPS[step.type](frame, step, value)
        deep = deep + 1 if isinstance(value, ir.Field | ir.Item | ir.Slice) else 0
        if deep >= CHAINED and steps:
            value, deep = frame.assign(value), 0
    return restore_star(value, is_starred=is_starred)


def _lower_attribute(frame: PythonFrame, node: Node, owner: ir.Expression) -> ir.Expression:
    name = node.children[-1]
    if name.type != "identifier" or name.start_byte == name.end_byte:
        return frame.lower_unknown(node, "missing", (owner,))
    return ir.Field(to_site(node), owner, frame.file.decode_text(name))


def lower_subscript(frame: PythonFrame, node: Node, owner: ir.Expression) -> ir.Expression:
    """Lower an element or a slice of a value."""
    keys = node.children_by_field_name("subscript")
    if len(keys) != 1 or node.children[-2].type == ",":
        at, effects, walruses = len(frame.out), frame.effects, frame.walruses
        elements = tuple(frame.lower_operands(keys))
        if frame.effects != effects:
            owner = frame.keep([owner], at, names=frame.walruses != walruses)[0]
        whole = to_site(node) if not keys else ir.Site(keys[0].start_byte, keys[-1].end_byte)
        return ir.Item(to_site(node), owner, ir.Sequence(whole, "tuple", elements))
    if keys[0].type != "slice":
        owner, key = frame.lower_after(owner, keys[0])
        return ir.Item(to_site(node), owner, key)
    at, effects, walruses = len(frame.out), frame.effects, frame.walruses
    low, high, step = _lower_bounds(frame, keys[0])
    if frame.effects != effects:
        owner = frame.keep([owner], at, names=frame.walruses != walruses)[0]
    return ir.Slice(to_site(node), owner, low, high, step)


_STEPS = {"attribute": _lower_attribute, "subscript": lower_subscript, "call": call}


@register_expression("slice")
def _slice(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower a slice among other keys, as in `table[1:, 0]`."""
    low, high, step = _lower_bounds(frame, node)
    if step is None:
        return ir.Range(to_site(node), low, high)
    return frame.lower_unknown(node, "slice with a step", tuple(each for each in (low, high, step) if each is not None))


def _lower_bounds(frame: PythonFrame, node: Node) -> list[ir.Expression | None]:
    places: list[int] = []
    nodes: list[Node] = []
    place = 0
    for each in node.children:
        if each.type == ":":
            place += 1
        elif each.is_named and each.type not in BESIDE and place not in places and place < 3:
            places.append(place)
            nodes.append(each)
    found: list[ir.Expression | None] = [None, None, None]
    for place, value in zip(places, frame.lower_operands(nodes), strict=True):
        found[place] = value
    return found


@register_expression("binary_operator")
def _lower_arithmetic(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower an operation, along its left side: `a + b + c` may be long."""
    chain: list[tuple[Node, ir.ArithmeticOperator, Node]] = []
    while node.type == "binary_operator":
        parts = node.children
        if len(parts) != 3:
            parts = [each for each in parts if each.type not in BESIDE]
        operator = _OPERATORS.get(parts[1].type) if len(parts) == 3 else None
        if operator is None:
            break
        chain.append((node, operator, parts[2]))
        node = parts[0]
    value = frame.lower_expression(node) if node.type != "binary_operator" else frame.lower_unsupported(node)
    value, is_starred = strip_star(value)
    for place, (whole, operator, operand) in enumerate(reversed(chain), 1):
        left, right = frame.lower_after(value, operand)
        value = ir.Arithmetic(to_site(whole), operator, left, right)
        if place % CHAINED == 0:
            value = frame.assign(value)
    return restore_star(value, is_starred=is_starred)


@register_expression("unary_operator")
def _lower_unary(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 1:
        return frame.lower_unsupported(node)
    return apply_sign(frame, node, node.children[0].type, frame.lower_expression(parts[0]))


def apply_sign(frame: PythonFrame, node: Node, sign: str, value: ir.Expression) -> ir.Expression:
    """Return a value with a sign before it."""
    if sign == "+":
        return value
    if sign != "-":
        return ir.Arithmetic(to_site(node), "^", value, ir.Constant(to_site(node), -1))  # `~x`: all bits turned
    if isinstance(value, ir.Constant) and isinstance(value.value, int | float | complex):
        return ir.Constant(to_site(node), -value.value)
    return ir.Arithmetic(to_site(node), "-", ir.Constant(to_site(node), 0), value)


@register_expression("list", "tuple", "set", "expression_list", "pattern_list", "tuple_pattern", "list_pattern")
def _lower_display(frame: PythonFrame, node: Node) -> ir.Expression:
    kind = _DISPLAYS.get(node.type, "tuple")
    return ir.Sequence(to_site(node), kind, tuple(frame.lower_operands(list_children(node))))


_DISPLAYS: dict[str, Literal["list", "tuple", "set"]] = {"list": "list", "list_pattern": "list", "set": "set"}


@register_expression("list_splat", "list_splat_pattern", "dictionary_splat", "dictionary_splat_pattern")
def _spread(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    return (
        ir.Spread(to_site(node), frame.lower_expression(parts[0])) if len(parts) == 1 else frame.lower_unsupported(node)
    )


@register_expression("dictionary")
def _lower_dictionary(frame: PythonFrame, node: Node) -> ir.Expression:
    entries = list_children(node)
    nodes: list[Node] = []
    for each in entries:
        parts = list_children(each) if each.type == "pair" else []
        nodes += parts if len(parts) == 2 else [each]
    values = iter(frame.lower_operands(nodes))
    made: list[tuple[ir.Expression | None, ir.Expression]] = []
    for each in entries:
        is_pair = each.type == "pair" and len(list_children(each)) == 2
        key = next(values) if is_pair else None
        made.append((key, next(values)))
    return ir.Record(to_site(node), None, tuple(made))


@register_expression("type")
def _type(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower a type where a value may stand."""
    parts = list_children(node)
    return frame.lower_expression(parts[0]) if len(parts) == 1 else frame.lower_unsupported(node)
