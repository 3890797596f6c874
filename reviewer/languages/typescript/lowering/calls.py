"""Calls, their arguments, and `new`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.typescript.lowering.files import list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame
from reviewer.languages.typescript.lowering.literals import split_template


def lower_call(frame: TypeScriptFrame, node: Node, callee: ir.Expression) -> ir.Expression:
    """Lower a call of a value; a template behind it hands over its texts as a list, and what stands in its gaps."""
    at, effects = len(frame.out), frame.effects
    given = node.child_by_field_name("arguments")
    if given is None:
        return frame.lower_unknown(node, "missing", (callee,))
    if given.type == "template_string":
        arguments = _lower_tagged(frame, given)
    else:
        arguments = tuple(map(ir.Argument, frame.lower_operands(list_children(given))))
    if frame.effects != effects:
        callee = frame.keep_callee(callee, at)
    return _emit(frame, node, callee, arguments)


def _emit(
    frame: TypeScriptFrame, node: Node, callee: ir.Expression, arguments: tuple[ir.Argument, ...]
) -> ir.Expression:
    types = node.child_by_field_name("type_arguments")
    named = (
        tuple(ir.TypeName(to_site(each), frame.file.decode_text(each)) for each in list_children(types))
        if types
        else ()
    )
    place, target = to_site(node), frame.prepare_temporary()
    frame.emit(ir.Call(place, target, callee, arguments, named))
    return ir.Read(place, target)


def _lower_tagged(frame: TypeScriptFrame, template: Node) -> tuple[ir.Argument, ...]:
    pieces = split_template(frame, template)
    texts = tuple(ir.Constant(to_site(each), text) for each, text in pieces if text is not None)
    values = frame.lower_operands(each for each, text in pieces if text is None)
    return tuple(map(ir.Argument, (ir.Sequence(to_site(template), "list", texts), *values)))


def lower_new(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `new X(…)`: a call of the class."""
    constructor, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
    if constructor is None:
        return frame.lower_unsupported(node)
    callee = frame.lower_expression(constructor)
    at, effects = len(frame.out), frame.effects
    arguments = tuple(map(ir.Argument, frame.lower_operands(list_children(given)))) if given is not None else ()
    if frame.effects != effects:
        callee = frame.keep_callee(callee, at)
    return _emit(frame, node, callee, arguments)
