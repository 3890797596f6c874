"""The call of a macro, and the text that it is given."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.lowering.macros.formats import lower_text
from reviewer.languages.rust.lowering.names import expand_path, read_path


def build_callee(frame: RustFrame, node: Node) -> ir.Expression:
    """Return the name of a macro, with its `!`."""
    name = node.child_by_field_name("macro")
    if name is None:
        return ir.Global(to_site(node), ("!",))
    found = expand_path(frame, read_path(frame, name))
    return ir.Global(to_site(name), (*found[:-1], f"{found[-1]}!"))


def emit_call(frame: RustFrame, node: Node, arguments: tuple[ir.Argument, ...]) -> ir.Expression:
    """Call a macro, and return what it gives."""
    target = ir.Variable()
    at = to_site(node)
    frame.out.append(ir.Call(at, target, build_callee(frame, node), arguments))
    return ir.Read(at, target)


def lower_message(frame: RustFrame, node: Node, nodes: list[Node]) -> tuple[ir.Argument, ...]:
    """Lower the text that a macro is given, if it is given any."""
    return (ir.Argument(lower_text(frame, nodes, to_site(node))),) if nodes else ()


def build_unit(node: Node) -> ir.Expression:
    """Return the `()` that a macro gives."""
    return ir.Sequence(to_site(node), "tuple", ())
