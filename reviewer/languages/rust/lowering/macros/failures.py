"""Macros that leave the function: those that panic, and those that return a failure."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import ConditionGate, require_condition
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.lowering.macros.calls import build_callee, build_unit, lower_message
from reviewer.languages.rust.lowering.macros.formats import lower_text
from reviewer.languages.rust.lowering.order import lower_operands


def lower_panic(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `panic!(..)` and its like."""
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    return _fail(frame, node, build_callee(frame, node), nodes)


def _fail(frame: RustFrame, node: Node, function: ir.Expression, nodes: list[Node]) -> ir.Expression:
    at, target = to_site(node), ir.Variable()
    frame.out.append(ir.Call(at, target, function, lower_message(frame, node, nodes)))
    frame.out.append(ir.Raise(at, ir.Read(at, target)))
    return ir.Read(at, target)


def _lower_panicking(node: Node) -> ir.Expression:
    return ir.Global(to_site(node), ("panic!",))


def lower_assertion(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `assert!(condition, ..)`."""
    nodes = fragments.parse_expressions(frame, tree)
    if not nodes:
        return None
    gate = ConditionGate(frame, to_site(node))
    require_condition(frame, nodes[0], gate, holds=False)
    _fail(frame, node, _lower_panicking(node), nodes[1:])
    gate.close()
    return build_unit(node)


def build_comparison_lowering(holds: bool) -> Callable[[RustFrame, Node, Node], ir.Expression | None]:
    """Return the lowering of `assert_eq!` (if `holds`) or `assert_ne!`."""

    def lower(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
        nodes = fragments.parse_expressions(frame, tree)
        if nodes is None or len(nodes) < 2:
            return None
        at = to_site(node)
        left, right = lower_operands(frame, nodes[:2])
        test: ir.Expression = ir.Comparison(at, "==", left, right)
        around, frame.out = frame.out, []
        _fail(frame, node, _lower_panicking(node), nodes[2:])
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.If(at, ir.negate(test) if holds else test, body))
        return build_unit(node)

    return lower


def lower_bail(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `bail!(..)`."""
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    at = to_site(node)
    frame.out.append(ir.Return(at, ir.Failure(at, lower_text(frame, nodes, at))))
    return build_unit(node)


def lower_ensure(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `ensure!(condition, ..)`."""
    nodes = fragments.parse_expressions(frame, tree)
    if not nodes:
        return None
    at = to_site(node)
    gate = ConditionGate(frame, at)
    require_condition(frame, nodes[0], gate, holds=False)
    reason = lower_text(frame, nodes[1:], at) if len(nodes) > 1 else ir.Constant(at, frame.decode_text(nodes[0]))
    frame.out.append(ir.Return(at, ir.Failure(at, reason)))
    gate.close()
    return build_unit(node)
