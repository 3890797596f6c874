"""Operators, literals of several parts, places and assignments."""

from collections.abc import Callable
from typing import get_args

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.frame import (
    BRANCHES,
    CHAINS,
    LINKS,
    VALUES,
    Destination,
    RustFrame,
    ValueUse,
    find_first_child,
    is_expression,
    list_children,
)
from reviewer.languages.rust.lowering.mutable_references import is_mutable_reference, write_through
from reviewer.languages.rust.lowering.names import lower_global, lower_name
from reviewer.languages.rust.lowering.order import Operands, lower_operands
from reviewer.languages.rust.syntax.tokens import COMMENTS

ARITHMETIC: frozenset[str] = frozenset(get_args(ir.ArithmeticOperator))
COMPARED: dict[str, Callable[[ir.Site, ir.Expression, ir.Expression], ir.Expression]] = {
    "<": lambda at, left, right: ir.Comparison(at, "<", left, right),
    "<=": lambda at, left, right: ir.Comparison(at, "<=", left, right),
    ">": lambda at, left, right: ir.Comparison(at, "<", right, left),
    ">=": lambda at, left, right: ir.Comparison(at, "<=", right, left),
    "==": lambda at, left, right: ir.Comparison(at, "==", left, right),
    "!=": lambda at, left, right: ir.Not(at, ir.Comparison(at, "==", left, right)),
}


def _find_strict_left(node: Node) -> Node | None:
    """Return the left operand, unless the right one may not be evaluated."""
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type in ("&&", "||"):
        return None
    return node.child_by_field_name("left")


def _lower_binary(frame: RustFrame, node: Node, left: ir.Expression) -> ir.Expression:
    operator, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
    if operator is None or right is None:
        return frame.lower_unknown(node, node.type, (left,))
    pair = Operands(frame)
    pair.values.append(left)
    pair.add(right)
    return build_operation(frame, node, operator.type, pair.values[0], pair.values[1])


def build_operation(
    frame: RustFrame, node: Node, operator: str, left: ir.Expression, right: ir.Expression
) -> ir.Expression:
    """Return an operation of two operands."""
    at = to_site(node)
    compared = COMPARED.get(operator)
    if compared is not None:
        return compared(at, left, right)
    if operator in ARITHMETIC:
        return ir.Arithmetic(at, operator, left, right)  # type: ignore[arg-type]  # one of them
    return frame.lower_unknown(node, operator, (left, right))


def _lower_unary(frame: RustFrame, node: Node, operand: ir.Expression) -> ir.Expression:
    operator = node.children[0].type
    at = to_site(node)
    if operator == "!":
        return ir.Not(at, operand)
    if operator == "-":
        if isinstance(operand, ir.Constant) and isinstance(operand.value, (int, float)):
            return ir.Constant(at, -operand.value)
        return ir.Arithmetic(at, "-", ir.Constant(at, 0), operand)
    return operand


def _lower_reference(frame: RustFrame, node: Node, operand: ir.Expression) -> ir.Expression:
    if isinstance(operand, ir.Read) and is_mutable_reference(node):
        frame.referenced.add(operand.variable)
    return operand


def _lower_cast(frame: RustFrame, node: Node, operand: ir.Expression) -> ir.Expression:
    kind = node.child_by_field_name("type")
    return ir.Cast(to_site(node), operand, frame.decode_text(kind) if kind is not None else "")


def _lower_field(frame: RustFrame, node: Node, owner: ir.Expression) -> ir.Expression:
    name = node.child_by_field_name("field")
    if name is None or name.is_missing:
        return frame.lower_unknown(node, node.type, (owner,))
    return ir.Field(to_site(node), owner, frame.name(name))


def _lower_index(frame: RustFrame, node: Node, owner: ir.Expression) -> ir.Expression:
    key = next((each for each in reversed(node.named_children) if each.type not in COMMENTS), None)
    if key is None or key.start_byte < owner.at.end:
        return frame.lower_unknown(node, node.type, (owner,))
    pair = Operands(frame)
    pair.values.append(owner)
    found = pair.add(key)
    if isinstance(found, ir.Range):
        return ir.Slice(to_site(node), pair.values[0], found.low, found.high)
    return ir.Item(to_site(node), pair.values[0], found)


def _lower_range(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower a range; the one with its end is one to before the number after it."""
    parts = [each for each in node.children if each.type not in COMMENTS]
    middle = next(
        (index for index, each in enumerate(parts) if not each.is_named and each.type in ("..", "..=", "...")), 0
    )
    values = lower_operands(frame, [each for each in parts if each.is_named])
    low = values[0] if middle else None
    high = values[-1] if len(values) > middle else None
    if high is not None and parts[middle].type != "..":
        high = build_successor(high)
    return ir.Range(to_site(node), low, high)


def build_successor(value: ir.Expression) -> ir.Expression:
    """Return the number after one."""
    if isinstance(value, ir.Constant) and isinstance(value.value, int):
        return ir.Constant(value.at, value.value + 1)
    return ir.Arithmetic(value.at, "+", value, ir.Constant(value.at, 1))


def _lower_tuple(frame: RustFrame, node: Node) -> ir.Expression:
    return ir.Sequence(to_site(node), "tuple", tuple(lower_operands(frame, list_children(node))))


def _lower_array(frame: RustFrame, node: Node) -> ir.Expression:
    length = node.child_by_field_name("length")
    values = lower_operands(frame, list_children(node))
    at = to_site(node)
    if length is not None and len(values) == 2:
        return repeat_value(at, values[0], values[1])
    return ir.Sequence(at, "list", tuple(values))


def repeat_value(at: ir.Site, value: ir.Expression, length: ir.Expression) -> ir.Expression:
    """Return an array of one value so many times."""
    return ir.Arithmetic(at, "*", ir.Sequence(value.at, "list", (value,)), length)


def _lower_struct(frame: RustFrame, node: Node) -> ir.Expression:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    kind = lower_global(frame, name) if name is not None else None
    entries: list[tuple[ir.Expression | None, Node]] = []
    base: Node | None = None
    for each in list_children(body) if body is not None else ():
        if each.type == "field_initializer":
            key, value = each.child_by_field_name("field"), each.child_by_field_name("value")
            if key is not None and value is not None:
                entries.append((ir.Constant(to_site(key), frame.name(key)), value))
        elif each.type == "shorthand_field_initializer" and (inner := find_first_child(each)) is not None:
            entries.append((ir.Constant(to_site(inner), frame.name(inner)), inner))
        elif each.type == "base_field_initializer":
            base = find_first_child(each)
        elif each.type == "ERROR":
            frame.out.append(ir.Evaluate(to_site(each), frame.lower_unknown(each, each.type, frame.lower_parts(each))))
    nodes = [value for _, value in entries] + ([base] if base is not None else [])
    values = lower_operands(frame, nodes)
    found = [(key, value) for (key, _), value in zip(entries, values, strict=False)]
    if base is not None:
        found.insert(0, (None, ir.Spread(to_site(base), values[-1])))
    return ir.Record(to_site(node), kind, tuple(found))


def _lower_unit(frame: RustFrame, node: Node) -> ir.Expression:
    return ir.Sequence(to_site(node), "tuple", ())


def _lower_assignment(frame: RustFrame, node: Node, destination: Destination) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), destination)
        return
    if _is_range(frame, left):
        frame.give(_assign(frame, node), destination)
        return
    variable = _lower_variable(frame, left)
    if variable is not None and left.type == "unary_expression" and variable not in frame.referents:
        value = frame.place(frame.lower_expression(right))  # of a guard, what it guards
        frame.out.append(ir.Store(to_site(node), ir.Read(to_site(left), variable), value))
        frame.out.append(ir.Assign(to_site(node), variable, value))
    elif variable is not None:
        frame.lower_into(right, variable)
        write_through(frame, left, variable, to_site(node))
    elif frame.decode_text(left) == "_":
        frame.lower_into(right, ValueUse.DISCARDED)
    elif left.type in ("tuple_expression", "array_expression", "struct_expression", "call_expression"):
        value = frame.lower_expression(right)
        if isinstance(value, ir.Sequence):
            parts = tuple(
                each if isinstance(each, ir.Constant) else frame.bind_temporary(each) for each in value.elements
            )
            value = ir.Sequence(value.at, "tuple", parts)
        _take_apart(frame, left, frame.place(value))
    else:
        _store(frame, left, frame.lower_expression(right), to_site(node))
    frame.emit_unit(to_site(node), destination)


def _assign(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower an assignment that is an operand, or `..=3`, which the grammar takes for one."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None and _is_range(frame, left):
        return ir.Range(to_site(node), None, build_successor(frame.lower_expression(right)))
    _lower_assignment(frame, node, ValueUse.DISCARDED)
    return _lower_unit(frame, node)


def _is_range(frame: RustFrame, left: Node) -> bool:
    return left.type == "range_expression" and frame.decode_text(left) == ".."


def _lower_variable(frame: RustFrame, node: Node) -> ir.Variable | None:
    """Return the variable that a place is, if it is one."""
    inner: Node | None = node
    while inner is not None and (
        inner.type == "parenthesized_expression" or (inner.type == "unary_expression" and inner.children[0].type == "*")
    ):
        inner = find_first_child(inner)
    if inner is None or inner.type not in ("identifier", "self"):
        return None
    known = frame.names.get(frame.name(inner))
    return known if isinstance(known, ir.Variable) else None


def _store(frame: RustFrame, left: Node, value: ir.Expression, at: ir.Site) -> None:
    pair = Operands(frame)
    pair.values.append(value)
    place = pair.add(left)
    if isinstance(place, ir.Read) and place.variable.name:
        frame.out.append(ir.Assign(at, place.variable, pair.values[0]))
    else:  # also `*lock.write() = value`, of which what a call gave is the place
        frame.out.append(ir.Store(at, place, pair.values[0]))


def _take_apart(frame: RustFrame, left: Node, value: ir.Expression) -> None:
    """Assign the parts of a value to the places that stand for them."""
    if frame.depth >= 20:  # as in nobody's code
        frame.out.append(ir.Evaluate(to_site(left), frame.lower_unknown(left, left.type)))
        return
    frame.depth += 1
    variable = _lower_variable(frame, left)
    if variable is not None:
        frame.out.append(ir.Assign(to_site(left), variable, value))
    elif left.type == "struct_expression":
        body = left.child_by_field_name("body")
        for each in list_children(body) if body is not None else ():
            name = each.child_by_field_name("field") or find_first_child(each)
            inner = each.child_by_field_name("value") or find_first_child(each)
            if name is not None and inner is not None:
                _take_apart(frame, inner, ir.Field(to_site(each), value, frame.name(name)))
    elif left.type in ("tuple_expression", "array_expression", "call_expression"):
        inside = left.child_by_field_name("arguments") if left.type == "call_expression" else left
        for index, each in enumerate(list_children(inside) if inside is not None else ()):
            if frame.decode_text(each) not in ("_", ".."):
                _take_apart(
                    frame, each, _select_part(to_site(each), value, index, is_array=left.type == "array_expression")
                )
    elif is_expression(left.type) and frame.decode_text(left) not in ("_", ".."):
        _store(frame, left, value, to_site(left))
    frame.depth -= 1


def _select_part(at: ir.Site, value: ir.Expression, index: int, *, is_array: bool) -> ir.Expression:
    if isinstance(value, ir.Sequence) and index < len(value.elements):
        return value.elements[index]
    return ir.Item(at, value, ir.Constant(at, index)) if is_array else ir.Field(at, value, str(index))


def _lower_compound_assignment(frame: RustFrame, node: Node, destination: Destination) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), destination)
        return
    at = to_site(node)
    pair = Operands(frame)
    pair.add(right)
    place = pair.add(left)
    value = build_operation(frame, node, operator.type.removesuffix("="), place, pair.values[0])
    if isinstance(place, ir.Read):
        frame.out.append(ir.Assign(at, place.variable, value))
        write_through(frame, left, place.variable, at)
    else:
        frame.out.append(ir.Store(at, place, value))
    frame.emit_unit(at, destination)


def _lower_shorthand(frame: RustFrame, node: Node) -> ir.Expression:
    return lower_name(frame, frame.name(node), to_site(node))


CHAINS["binary_expression"] = _find_strict_left
LINKS["binary_expression"] = _lower_binary
CHAINS["unary_expression"] = find_first_child
LINKS["unary_expression"] = _lower_unary
CHAINS["parenthesized_expression"] = find_first_child
LINKS["parenthesized_expression"] = lambda frame, node, value: value
CHAINS["reference_expression"] = lambda node: node.child_by_field_name("value")
LINKS["reference_expression"] = _lower_reference
CHAINS["type_cast_expression"] = lambda node: node.child_by_field_name("value")
LINKS["type_cast_expression"] = _lower_cast
CHAINS["field_expression"] = lambda node: node.child_by_field_name("value")
LINKS["field_expression"] = _lower_field
CHAINS["index_expression"] = find_first_child
LINKS["index_expression"] = _lower_index
VALUES["range_expression"] = _lower_range
VALUES["tuple_expression"] = _lower_tuple
VALUES["array_expression"] = _lower_array
VALUES["struct_expression"] = _lower_struct
VALUES["unit_expression"] = _lower_unit
VALUES["shorthand_field_initializer"] = _lower_shorthand
VALUES["assignment_expression"] = _assign
BRANCHES["assignment_expression"] = _lower_assignment
BRANCHES["compound_assignment_expr"] = _lower_compound_assignment
