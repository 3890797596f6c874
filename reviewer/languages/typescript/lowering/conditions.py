"""Tests, and the values that are chosen by one: `&&`, `||`, `??`, `!`, `a ? b : c`.

What decides a branch is no value: `if (a && b)` is an `If` in an `If`. A condition is taken apart into the parts that must
all hold, each a syntax node and the truth it must have; one that is an `||` is left by a `Break` if none of its parts holds.
"""

from typing import NamedTuple

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.typescript.lowering.expressions import get_operator
from reviewer.languages.typescript.lowering.files import list_children, to_site
from reviewer.languages.typescript.lowering.frame import EXPRESSIONS, NESTED, TypeScriptFrame, register_expression

NESTED_TESTS = 10
"""How many parts of a condition become an `If` in an `If`. More are tested in a row, for who follows bodies by recursion."""
CHOOSING = frozenset({"&&", "||", "??"})
"""The operators that evaluate their right side only after a test of the left one."""


class ConditionPart(NamedTuple):
    """A part of a condition, and the truth that it must have."""

    node: Node
    wanted: bool


def negate(value: ir.Expression) -> ir.Expression:
    """Return whether a value is not true."""
    return value.operand if isinstance(value, ir.Not) else ir.Not(value.at, value)


def split_condition(node: Node, *, wanted: bool = True) -> list[ConditionPart]:
    """Return what must all hold so that a condition is as `wanted`."""
    found: list[ConditionPart] = []
    pending = [(node, wanted)]
    while pending:
        node, wanted = pending.pop()
        kind, operator = node.type, get_operator(node)
        parts = list_children(node)
        if kind == "parenthesized_expression" and len(parts) == 1:
            pending.append((parts[0], wanted))
        elif kind == "unary_expression" and operator == "!" and parts:
            pending.append((parts[-1], not wanted))
        elif kind == "binary_expression" and operator == ("&&" if wanted else "||") and len(parts) == 2:
            pending += (parts[1], wanted), (parts[0], wanted)
        else:
            found.append(ConditionPart(node, wanted))
    return found


def _collect_alternatives(part: ConditionPart) -> list[ConditionPart]:
    """Return what must not all hold, so that a part is as wanted; itself, turned, if it is of one piece."""
    return split_condition(part.node, wanted=not part.wanted)


def _test(frame: TypeScriptFrame, part: ConditionPart) -> ir.Expression:
    value = frame.lower_expression(part.node)
    return value if part.wanted else negate(value)


def is_plain(node: Node) -> bool:
    """Return whether a condition is of one piece."""
    parts = split_condition(node)
    return len(parts) == 1 and len(_collect_alternatives(parts[0])) == 1


def guard(frame: TypeScriptFrame, node: Node, *, wanted: bool = True) -> int:
    """Let what follows run only if a condition is as wanted. Return how many statements were entered for it."""
    return _guard(frame, split_condition(node, wanted=wanted), to_site(node))


def _guard(frame: TypeScriptFrame, parts: list[ConditionPart], at: ir.Site) -> int:
    most = 1 if frame.is_deep else NESTED_TESTS
    if len(parts) <= most and all(len(_collect_alternatives(each)) == 1 for each in parts):
        for each in parts:
            frame.enter(ir.If(to_site(each.node), _test(frame, each), ()), "then")
        return len(parts)
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    for each in parts:
        _require(frame, each, label)
    return 1


def require(frame: TypeScriptFrame, node: Node, label: ir.JumpLabel) -> None:
    """Leave a loop or a block unless a condition holds."""
    for each in split_condition(node):
        _require(frame, each, label)


def _require(frame: TypeScriptFrame, part: ConditionPart, label: ir.JumpLabel) -> None:
    others = _collect_alternatives(part)
    at = to_site(part.node)
    if len(others) == 1 or frame.depth >= NESTED:
        frame.emit(ir.If(at, negate(_test(frame, part)), (ir.Break(at, label),)))
        return
    frame.depth += 1
    entered = _guard(frame, others, at)
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.depth -= 1


_lower_operation = EXPRESSIONS["binary_expression"]


@register_expression("binary_expression")
def _lower_choice(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    """Lower `a && b`, `a || b` and `a ?? b` as a value: the first operand that decides it."""
    operator = get_operator(node)
    if operator not in CHOOSING:
        return _lower_operation(frame, node)
    operands = _collect_operands(node, operator)
    if len(operands) < 2:
        return frame.lower_unsupported(node)
    target, at, label = ir.Variable(), to_site(node), ir.JumpLabel()
    is_flat = len(operands) > NESTED_TESTS or frame.is_deep
    if is_flat:
        frame.enter(ir.Block(at, label, ()))
    for each in operands[:-1]:
        place = to_site(each)
        value = frame.make_repeatable(frame.lower_expression(each))
        test = _build_deciding(operator, value)
        decided: tuple[ir.Statement, ...] = (ir.Assign(place, target, frame.copy_repeatable(value)),)
        if is_flat:
            frame.emit(ir.If(place, test, (*decided, ir.Break(place, label))))
        else:
            frame.enter(ir.If(place, test, decided), "otherwise")
    frame.emit(ir.Assign(to_site(operands[-1]), target, frame.lower_expression(operands[-1])))
    frame.leave(1 if is_flat else len(operands) - 1)
    return ir.Read(at, target)


def _build_deciding(operator: str, value: ir.Expression) -> ir.Expression:
    """Return whether an operand decides the whole."""
    if operator == "??":
        return ir.Not(value.at, ir.Comparison(value.at, "is", value, ir.Constant(value.at, None)))
    return ir.Not(value.at, value) if operator == "&&" else value


def _collect_operands(node: Node, operator: str) -> list[Node]:
    """Return the operands of `a && b && c`, along its left side."""
    found: list[Node] = []
    while node.type == "binary_expression" and get_operator(node) == operator:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return []
        found.append(right)
        node = left
    return [node, *reversed(found)]


@register_expression("ternary_expression")
def _lower_conditional(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    condition, chosen = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    other = node.child_by_field_name("alternative")
    if condition is None or chosen is None or other is None:
        return frame.lower_unsupported(node)
    target, at, label = ir.Variable(), to_site(node), ir.JumpLabel()
    if is_plain(condition):
        guard(frame, condition)
        frame.emit(ir.Assign(to_site(chosen), target, frame.lower_expression(chosen)))
        frame.turn("otherwise")
        frame.emit(ir.Assign(to_site(other), target, frame.lower_expression(other)))
        frame.leave()
        return ir.Read(at, target)
    frame.enter(ir.Block(at, label, ()))
    entered = guard(frame, condition)
    frame.emit(ir.Assign(to_site(chosen), target, frame.lower_expression(chosen)))
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.emit(ir.Assign(to_site(other), target, frame.lower_expression(other)))
    frame.leave()
    return ir.Read(at, target)
