"""Comprehensions and generator expressions: loops that append to a list, a set or a dictionary."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, to_site
from reviewer.languages.python.lowering.conditions import guard
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression
from reviewer.languages.python.lowering.scopes import LoweredScope
from reviewer.languages.python.lowering.targets import enter_loop


@register_expression("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
def _lower_comprehension(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower a comprehension; what it first loops over is evaluated in the scope around. A generator is lowered as a list."""
    parts = list_children(node)
    if len(parts) < 2 or parts[1].type != "for_in_clause":
        return frame.lower_unsupported(node)
    at, made = to_site(node), ir.Variable()
    outer = frame.scope
    scope = LoweredScope("comprehension", outer)
    entered = 0
    first = True
    depth = frame.depth
    for clause in parts[1:]:
        if frame.depth >= NESTED:
            frame.evaluate(frame.lower_unknown(clause, TOO_DEEP))
        elif clause.type == "for_in_clause":
            left, right = clause.child_by_field_name("left"), clause.children_by_field_name("right")
            if left is None or not right:
                frame.evaluate(frame.lower_unsupported(clause))
                continue
            over = _lower_over(frame, right)
            if first:
                frame.emit(ir.Assign(at, made, _empty(node, at)))
            first = False
            frame.scope = scope
            enter_loop(frame, clause, left, over)
            entered += 1
            frame.depth += 1
        elif clause.type == "if_clause" and list_children(clause):
            entered += guard(frame, list_children(clause)[0])
            frame.depth += 1
        else:
            frame.evaluate(frame.lower_unsupported(clause))
    frame.scope = scope
    _append(frame, parts[0], made)
    frame.scope = outer
    frame.leave(entered)
    frame.depth = depth
    return ir.Read(at, made)


def _lower_over(frame: PythonFrame, right: list[Node]) -> ir.Expression:
    nodes = [each for each in right if each.is_named]
    if len(nodes) == 1:
        return frame.lower_expression(nodes[0])
    return ir.Sequence(ir.Site(right[0].start_byte, right[-1].end_byte), "tuple", tuple(frame.lower_operands(nodes)))


def _empty(node: Node, at: ir.Site) -> ir.Expression:
    match node.type:
        case "dictionary_comprehension":
            return ir.Record(at, None, ())
        case "set_comprehension":
            return ir.Sequence(at, "set", ())
        case _:
            return ir.Sequence(at, "list", ())


def _append(frame: PythonFrame, element: Node, made: ir.Variable) -> None:
    at = to_site(element)
    parts = list_children(element) if element.type == "pair" else []
    if len(parts) == 2:
        key, value = frame.pair(*parts)
        frame.emit(ir.Append(at, made, value, key))
    else:
        frame.emit(ir.Append(at, made, frame.lower_expression(element)))
