"""Calls, `.await` and `?`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.frame import CHAINS, LINKS, Frame, first, plain, site
from reviewer.languages.rust.lowering.order import Operands
from reviewer.languages.rust.lowering.patterns import FAILING, HOLDING


def _call(frame: Frame, node: Node, callee: ir.Expression) -> ir.Expression:
    inside = node.child_by_field_name("arguments")
    nodes = plain(inside) if inside is not None else []
    at = site(node)
    values = arguments(frame, nodes)
    if isinstance(callee, ir.Global) and len(values) == 1:
        if callee.path in HOLDING:
            return values[0]
        if callee.path in FAILING:
            return ir.Failure(at, values[0])
    target = ir.Variable()
    given = tuple(ir.Argument(each) for each in values)
    frame.out.append(ir.Call(at, target, callee, given, _types(frame, node), frame.statement))
    return ir.Read(at, target)


def _types(frame: Frame, node: Node) -> tuple[ir.TypeName, ...]:
    """Return the types that a call is written for: `collect::<Vec<Rope>>()`."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "generic_function":
        return ()
    inside = function.child_by_field_name("type_arguments")
    found = plain(inside) if inside is not None else []
    return tuple(ir.TypeName(site(each), frame.text(each)) for each in found if each.type != "lifetime")


def arguments(frame: Frame, nodes: list[Node]) -> list[ir.Expression]:
    """Lower arguments. What is called on is not put into a temporary: a method is given the place and not the value."""
    found = Operands(frame)
    for each in nodes:
        found.add(each)
    return found.values


def _await(frame: Frame, node: Node, operand: ir.Expression) -> ir.Expression:
    at = site(node)
    target = ir.Variable()
    frame.out.append(ir.Await(at, target, operand))
    return ir.Read(at, target)


def _try(frame: Frame, node: Node, operand: ir.Expression) -> ir.Expression:
    at = site(node)
    value = frame.place(operand)
    frame.out.append(ir.If(at, ir.Not(at, ir.Succeeds(at, value)), (ir.Return(at, value),)))
    return ir.ResultOf(at, value)


def _without_generics(frame: Frame, node: Node, function: ir.Expression) -> ir.Expression:
    return function


CHAINS["call_expression"] = lambda node: node.child_by_field_name("function")
LINKS["call_expression"] = _call
CHAINS["generic_function"] = lambda node: node.child_by_field_name("function")
LINKS["generic_function"] = _without_generics
CHAINS["await_expression"] = first
LINKS["await_expression"] = _await
CHAINS["try_expression"] = first
LINKS["try_expression"] = _try
