"""Macros that leave the function: those that panic, and those that return a failure."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import ConditionGate, condition, negated
from reviewer.languages.rust.lowering.frame import RustFrame, site
from reviewer.languages.rust.lowering.macros.calls import callee, said, unit
from reviewer.languages.rust.lowering.macros.formats import text
from reviewer.languages.rust.lowering.order import operands


def panic(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `panic!(..)` and its like."""
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return _fail(frame, node, callee(frame, node), nodes)


def _fail(frame: RustFrame, node: Node, function: ir.Expression, nodes: list[Node]) -> ir.Expression:
    at, target = site(node), ir.Variable()
    frame.out.append(ir.Call(at, target, function, said(frame, node, nodes)))
    frame.out.append(ir.Raise(at, ir.Read(at, target)))
    return ir.Read(at, target)


def _lower_panicking(node: Node) -> ir.Expression:
    return ir.Global(site(node), ("panic!",))


def assertion(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `assert!(condition, ..)`."""
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    gate = ConditionGate(frame, site(node))
    condition(frame, nodes[0], gate, holds=False)
    _fail(frame, node, _lower_panicking(node), nodes[1:])
    gate.close()
    return unit(node)


def compared(holds: bool) -> Callable[[RustFrame, Node, Node], ir.Expression | None]:
    """Return what lowers `assert_eq!` (if `holds`) or `assert_ne!`."""

    def lower(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
        nodes = fragments.listed(frame, tree)
        if nodes is None or len(nodes) < 2:
            return None
        at = site(node)
        left, right = operands(frame, nodes[:2])
        test: ir.Expression = ir.Comparison(at, "==", left, right)
        around, frame.out = frame.out, []
        _fail(frame, node, _lower_panicking(node), nodes[2:])
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.If(at, negated(test) if holds else test, body))
        return unit(node)

    return lower


def bail(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `bail!(..)`."""
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    at = site(node)
    frame.out.append(ir.Return(at, ir.Failure(at, text(frame, nodes, at))))
    return unit(node)


def ensure(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `ensure!(condition, ..)`."""
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    at = site(node)
    gate = ConditionGate(frame, at)
    condition(frame, nodes[0], gate, holds=False)
    reason = text(frame, nodes[1:], at) if len(nodes) > 1 else ir.Constant(at, frame.text(nodes[0]))
    frame.out.append(ir.Return(at, ir.Failure(at, reason)))
    gate.close()
    return unit(node)
