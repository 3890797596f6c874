"""The call of a macro, and the text that it is given."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.frame import RustFrame, site
from reviewer.languages.rust.lowering.macros.formats import text
from reviewer.languages.rust.lowering.names import meant, path


def callee(frame: RustFrame, node: Node) -> ir.Expression:
    """Return the name of a macro, with its `!`."""
    name = node.child_by_field_name("macro")
    if name is None:
        return ir.Global(site(node), ("!",))
    found = meant(frame, path(frame, name))
    return ir.Global(site(name), (*found[:-1], f"{found[-1]}!"))


def call(frame: RustFrame, node: Node, arguments: tuple[ir.Argument, ...]) -> ir.Expression:
    """Call a macro, and return what it gives."""
    target = ir.Variable()
    at = site(node)
    frame.out.append(ir.Call(at, target, callee(frame, node), arguments))
    return ir.Read(at, target)


def said(frame: RustFrame, node: Node, nodes: list[Node]) -> tuple[ir.Argument, ...]:
    """Lower the text that a macro is given, if it is given any."""
    return (ir.Argument(text(frame, nodes, site(node))),) if nodes else ()


def unit(node: Node) -> ir.Expression:
    """Return the `()` that a macro gives."""
    return ir.Sequence(site(node), "tuple", ())
