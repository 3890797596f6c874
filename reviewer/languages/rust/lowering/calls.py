"""Calls, `.await` and `?`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import find_nearest_of_kinds
from reviewer.languages.rust.lowering.frame import CHAINS, LINKS, RustFrame, find_first_child, list_children
from reviewer.languages.rust.lowering.order import lower_operands
from reviewer.languages.rust.lowering.patterns import FAILING, HOLDING


def _lower_call(frame: RustFrame, node: Node, callee: ir.Expression) -> ir.Expression:
    inside = node.child_by_field_name("arguments")
    nodes = list_children(inside) if inside is not None else []
    at = to_site(node)
    values = lower_operands(
        frame, nodes
    )  # what is called on is in no temporary: a method is given the place, not the value
    if isinstance(callee, ir.Global) and len(values) == 1:
        if callee.path in HOLDING:
            return values[0]
        if callee.path in FAILING:
            return ir.Failure(at, values[0])
    target = ir.Variable()
    given = tuple(ir.Argument(each) for each in values)
    frame.out.append(ir.Call(at, target, callee, given, _lower_types(frame, node), frame.statement))
    return ir.Read(at, target)


def _lower_types(frame: RustFrame, node: Node) -> tuple[ir.TypeName, ...]:
    """Return the types that a call is written for: `collect::<Vec<Rope>>()`, or `let knot: Knot = text.parse()?`."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "scoped_identifier":
        name, of = function.child_by_field_name("name"), function.child_by_field_name("path")
        if name is not None and of is not None and frame.decode_text(name) == READING:
            return (ir.TypeName(to_site(of), frame.decode_text(of)),)
    if function is None or function.type != "generic_function":
        kind = _find_target_type(frame, node, function)
        return (ir.TypeName(to_site(kind), frame.decode_text(kind)),) if kind is not None else ()
    inside = function.child_by_field_name("type_arguments")
    found = list_children(inside) if inside is not None else []
    return tuple(ir.TypeName(to_site(each), frame.decode_text(each)) for each in found if each.type != "lifetime")


CONVERTING = frozenset({"into", "try_into", "parse"})
"""Methods that give what is wanted where they stand."""


READING = "deserialize"
"""The function of a type that reads an object of it: `Order::deserialize(&input)`."""

KEEPING = frozenset({"unwrap", "expect", "ok", "map_err", "context", "with_context", "unwrap_or_default"})
"""Methods of what may be a failure that give what it holds, or keep it."""


def _is_kept(frame: RustFrame, around: Node) -> bool:
    """Return whether one of these methods is called on what stands in it."""
    name = around.child_by_field_name("field") if around.type == "field_expression" else None
    is_called = around.parent is not None and around.parent.type == "call_expression"
    return name is not None and is_called and frame.decode_text(name) in KEEPING


def _find_target_type(frame: RustFrame, node: Node, function: Node | None) -> Node | None:
    """Return the type that a `let` says, or takes apart, to which a method converts."""
    name = function.child_by_field_name("field") if function is not None else None
    if name is None or frame.decode_text(name) not in CONVERTING:
        return None
    around = node.parent
    while around is not None and (around.type == "try_expression" or _is_kept(frame, around)):
        around = around.parent if around.type == "try_expression" else around.parent and around.parent.parent
    if around is None or around.type != "let_declaration":
        return None
    form = around.child_by_field_name("pattern")
    is_struct = form is not None and form.type in ("tuple_struct_pattern", "struct_pattern")
    written = around.child_by_field_name("type")
    return form.child_by_field_name("type") if written is None and form is not None and is_struct else written


def _lower_await(frame: RustFrame, node: Node, operand: ir.Expression) -> ir.Expression:
    at = to_site(node)
    target = ir.Variable()
    frame.out.append(ir.Await(at, target, operand))
    return ir.Read(at, target)


def _lower_try(frame: RustFrame, node: Node, operand: ir.Expression) -> ir.Expression:
    at = to_site(node)
    value = frame.place(operand)
    leave = ir.Return(at, value, _lower_error_type(frame, node))
    frame.out.append(ir.If(at, ir.Not(at, ir.Succeeds(at, value)), (leave,)))
    return ir.ResultOf(at, value)


def _lower_error_type(frame: RustFrame, node: Node) -> ir.TypeName | None:
    """Return the type of errors of the function that a `?` leaves, None if none is written: `Result<String, McpError>`."""
    around = find_nearest_of_kinds(node, "function_item", "closure_expression", "async_block")
    result = around.child_by_field_name("return_type") if around is not None else None
    given = result.child_by_field_name("type_arguments") if result is not None else None
    types = [each for each in given.named_children if each.type != "lifetime"] if given is not None else []
    return ir.TypeName(to_site(types[1]), frame.decode_text(types[1])) if len(types) == 2 else None


def _without_generics(frame: RustFrame, node: Node, function: ir.Expression) -> ir.Expression:
    return function


CHAINS["call_expression"] = lambda node: node.child_by_field_name("function")
LINKS["call_expression"] = _lower_call
CHAINS["generic_function"] = lambda node: node.child_by_field_name("function")
LINKS["generic_function"] = _without_generics
CHAINS["await_expression"] = find_first_child
LINKS["await_expression"] = _lower_await
CHAINS["try_expression"] = find_first_child
LINKS["try_expression"] = _lower_try
