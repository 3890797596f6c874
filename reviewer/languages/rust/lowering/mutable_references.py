"""What `&mut` lends: who writes through a variable that was bound to it writes to the place that was lent.

References are gone from the code, so `let limit = &mut args.limit; *limit = 9` writes twice: to the variable and to the place.
"""

from collections.abc import Iterable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.frame import RustFrame, find_first_child


def is_mutable_reference(node: Node) -> bool:
    """Return whether an expression is a `&mut` of something."""
    if node.type != "reference_expression" or node.child_count < 3:  # `&`, `mut` and the operand
        return False
    return any(each.type == "mutable_specifier" for each in node.named_children)


def bind_reference(frame: RustFrame, node: Node, bound: Iterable[tuple[ir.Variable, ir.Expression]]) -> None:
    """Remember the places that variables are bound to, if what they are bound to is a `&mut`."""
    if is_mutable_reference(node):
        frame.referents.update((variable, place) for variable, place in bound if _is_place(place))


def _is_place(value: ir.Expression) -> bool:
    while isinstance(value, (ir.Field, ir.Item)):
        if isinstance(value, ir.Item) and not isinstance(value.key, (ir.Constant, ir.Read)):
            return False
        value = value.owner
    return isinstance(value, ir.Read) and bool(value.variable.name)


def write_through(frame: RustFrame, left: Node, variable: ir.Variable, at: ir.Site) -> None:
    """Write what a variable was given by `*variable = ..` to the place that it was lent."""
    node: Node | None = left
    while node is not None and node.type == "parenthesized_expression":
        node = find_first_child(node)
    place = frame.referents.get(variable)
    if place is None or node is None or node.type != "unary_expression":
        return
    value = ir.Read(at, variable)
    if isinstance(place, ir.Read):
        frame.out.append(ir.Assign(at, place.variable, value))
    else:
        frame.out.append(ir.Store(at, place, value))
