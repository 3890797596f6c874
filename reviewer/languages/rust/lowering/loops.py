"""Loops, and what leaves them and functions."""

from collections.abc import Iterator
from contextlib import contextmanager

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.branches import ConditionGate, require_condition
from reviewer.languages.rust.lowering.fragments import parse_expression
from reviewer.languages.rust.lowering.frame import (
    BRANCHES,
    LEAVING,
    Destination,
    JumpTarget,
    RustFrame,
    ValueUse,
    list_children,
)
from reviewer.languages.rust.lowering.patterns import read_pattern


def _get_label(frame: RustFrame, node: Node) -> str:
    label = next((each for each in node.named_children if each.type == "label"), None)
    return frame.decode_text(label) if label is not None else ""


def _lower_loop(frame: RustFrame, node: Node, destination: Destination) -> None:
    body = node.child_by_field_name("body")
    label = ir.JumpLabel()
    around, frame.out = frame.out, []
    frame.targets.append(JumpTarget(_get_label(frame, node), label, destination, is_loop=True))
    if body is not None:
        frame.lower_body(body, ValueUse.DISCARDED)
    frame.targets.pop()
    inner, frame.out = tuple(frame.out), around
    around.append(ir.Loop(to_site(node), label, inner))


def _lower_while(frame: RustFrame, node: Node, destination: Destination) -> None:
    test, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    at, label = to_site(node), ir.JumpLabel()
    with _round(frame, node, label) as inner:
        if test is not None:
            require_condition(frame, test, ConditionGate(frame, to_site(test), label))
        if body is not None:
            frame.lower_body(body, ValueUse.DISCARDED)
    frame.out.append(ir.Loop(at, label, tuple(inner)))
    frame.emit_unit(at, destination)


@contextmanager
def _round(frame: RustFrame, node: Node, label: ir.JumpLabel) -> Iterator[list[ir.Statement]]:
    """Lower a round of a loop, which has a scope of its own, into a list."""
    around, inner = frame.out, list[ir.Statement]()
    mark, scope = frame.mark(), frame.scope
    frame.out, frame.scope = inner, to_site(node)
    frame.targets.append(JumpTarget(_get_label(frame, node), label, ValueUse.DISCARDED, is_loop=True))
    yield inner
    frame.targets.pop()
    frame.undo(mark)
    frame.out, frame.scope = around, scope


def _lower_for(frame: RustFrame, node: Node, destination: Destination) -> None:
    value, form = node.child_by_field_name("value"), node.child_by_field_name("pattern")
    body = node.child_by_field_name("body")
    at, label = to_site(node), ir.JumpLabel()
    if value is None or form is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), destination)
        return
    over = frame.lower_expression(value)
    with _round(frame, node, label) as inner:
        element = ir.Variable(frame.name(form) if form.type == "identifier" else "")
        if element.name:
            frame.bind(element.name, element)
        else:
            found = read_pattern(frame, form, ir.Read(to_site(form), element), exact=True)
            found.declare(frame)
            found.assign(frame)
        if body is not None:
            frame.lower_body(body, ValueUse.DISCARDED)
    frame.out.append(ir.Loop(at, label, tuple(inner), over, element))
    frame.emit_unit(at, destination)


def _find_target(frame: RustFrame, node: Node) -> JumpTarget | None:
    name = _get_label(frame, node)
    for each in reversed(frame.targets):
        if each.name == name if name else each.is_loop:
            return each
    return None


def _lower_break(frame: RustFrame, node: Node, destination: Destination) -> None:
    at = to_site(node)
    target = _find_target(frame, node)
    value = next((each for each in list_children(node) if each.type != "label"), None)
    if target is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), destination)
        return
    if value is not None:
        frame.lower_into(value, target.value)
    elif target.value is not ValueUse.RETURNED:
        frame.emit_unit(at, target.value)
    if not frame.leaves():
        frame.out.append(ir.Break(at, target.label))


def _leave(frame: RustFrame, node: Node, whole: Node) -> ir.Expression:
    """Lower `break (a, b)` or `return || a`, whose value the grammar takes for what follows it."""
    at = to_site(whole)
    value = parse_expression(frame, node.end_byte, whole.end_byte)
    target = _find_target(frame, node) if node.type == "break_expression" else None
    if value is None or (target is None and node.type == "break_expression"):
        return frame.lower_unknown(whole, node.type)
    frame.lower_into(value, target.value if target is not None else ValueUse.RETURNED)
    if target is not None and not frame.leaves():
        frame.out.append(ir.Break(at, target.label))
    return ir.Sequence(at, "tuple", ())


def _lower_continue(frame: RustFrame, node: Node, destination: Destination) -> None:
    target = _find_target(frame, node)
    if target is None:
        frame.give(frame.lower_unknown(node, node.type), destination)
    else:
        frame.out.append(ir.Continue(to_site(node), target.label))


def _lower_return(frame: RustFrame, node: Node, destination: Destination) -> None:
    value = next(iter(list_children(node)), None)
    if value is not None:
        frame.lower_into(value, ValueUse.RETURNED)
    if not frame.leaves() and (value is None or not gives_nothing(value)):
        at = to_site(node)
        frame.out.append(ir.Return(at, ir.Sequence(at, "tuple", ())))


def gives_nothing(node: Node) -> bool:
    """Return whether an expression leaves by itself in all its branches."""
    return node.type in ("return_expression", "break_expression", "continue_expression")


def _lower_yield(frame: RustFrame, node: Node, destination: Destination) -> None:
    value = next(iter(list_children(node)), None)
    at = to_site(node)
    given = frame.lower_expression(value) if value is not None else ir.Sequence(at, "tuple", ())
    target = ir.Variable()
    frame.code.mark_generator()
    frame.out.append(ir.Yield(at, target, given))
    frame.give(ir.Read(at, target), destination)


LEAVING["break_expression"] = _leave
LEAVING["return_expression"] = _leave
BRANCHES["loop_expression"] = _lower_loop
BRANCHES["while_expression"] = _lower_while
BRANCHES["for_expression"] = _lower_for
BRANCHES["break_expression"] = _lower_break
BRANCHES["continue_expression"] = _lower_continue
BRANCHES["return_expression"] = _lower_return
BRANCHES["yield_expression"] = _lower_yield
