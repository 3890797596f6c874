"""Calls and their arguments, `await` and `yield`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression


def call(frame: PythonFrame, node: Node, callee: ir.Expression) -> ir.Expression:
    """Lower a call of a value."""
    at, effects, walruses = len(frame.out), frame.effects, frame.walruses
    given = lower_arguments(frame, node.children[-1])
    if frame.effects != effects:
        callee = frame.keep_callee(callee, at, names=frame.walruses != walruses)
    place = to_site(node)
    target = frame.prepare_temporary()
    frame.emit(ir.Call(place, target, callee, given))
    return ir.Read(place, target)


def lower_arguments(frame: PythonFrame, node: Node) -> tuple[ir.Argument, ...]:
    """Lower the arguments of a call, or the bases of a class; a generator expression stands for itself."""
    if node.type != "argument_list":
        return (ir.Argument(frame.lower_expression(node)),)
    names: list[str | None] = []
    nodes: list[Node] = []
    for each in node.named_children:
        kind = each.type
        if kind in BESIDE:
            continue
        name = None
        if kind == "keyword_argument":
            name = frame.file.decode_text(each.children[0])
            each = each.children[-1]
        elif kind == "dictionary_splat":
            name = "**"
        names.append(name)
        nodes.append(each)
    return tuple(map(ir.Argument, frame.lower_operands(nodes), names))


@register_expression("await")
def _await(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 1:
        return frame.lower_unsupported(node)
    operand = frame.lower_expression(parts[0])
    target = frame.prepare_temporary()
    frame.emit(ir.Await(to_site(node), target, operand))
    return ir.Read(to_site(node), target)


@register_expression("yield")
def _yield(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) > 1:
        return frame.lower_unsupported(node)
    if frame.code is not None:
        frame.code.mark_generator()
    value = frame.lower_expression(parts[0]) if parts else ir.Constant(to_site(node), None)
    every = any(each.type == "from" for each in node.children)
    target = frame.prepare_temporary()
    frame.emit(ir.Yield(to_site(node), target, value, every))
    return ir.Read(to_site(node), target)
