"""Tests, and the values that are chosen by one: `&&`, `||`, `??`, `!`, `a ? b : c`.

What decides a branch is no value: `if (a && b)` is an `If` in an `If`. A condition is taken apart into the parts that must
all hold, each a syntax node and the truth it must have; one that is an `||` is left by a `Break` if none of its parts holds.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED_TESTS, ConditionPart, enter_guard, is_of_one_piece, leave_unless, to_site
from reviewer.languages.typescript.lowering.expressions import get_operator
from reviewer.languages.typescript.lowering.files import list_children
from reviewer.languages.typescript.lowering.frame import EXPRESSIONS, TypeScriptFrame, register_expression
from reviewer.records import dataclass

CHOOSING = frozenset({"&&", "||", "??"})
"""The operators that evaluate their right side only after a test of the left one."""


@dataclass(slots=True)
class ScriptCondition(ConditionPart[TypeScriptFrame]):
    """A part of a condition, and the truth that it must have."""

    node: Node
    wanted: bool

    def list_alternatives(self) -> "list[ScriptCondition]":
        """Return the parts that must not all hold for this one to be as wanted; this one, negated, if it is of one piece."""
        return split_condition(self.node, wanted=not self.wanted)

    def lower_test(self, frame: TypeScriptFrame) -> ir.Expression:
        """Return whether this part is as wanted."""
        value = frame.lower_expression(self.node)
        return value if self.wanted else ir.negate(value)


def split_condition(node: Node, *, wanted: bool = True) -> list[ScriptCondition]:
    """Return the conditions that must all hold so that a condition is as `wanted`."""
    found: list[ScriptCondition] = []
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
            found.append(ScriptCondition(node, wanted))
    return found


def is_plain(node: Node) -> bool:
    """Return whether a condition is of one piece."""
    return is_of_one_piece(split_condition(node))


def guard(frame: TypeScriptFrame, node: Node, *, wanted: bool = True) -> int:
    """Let what follows run only if a condition is as wanted. Return how many statements were entered for it."""
    return enter_guard(frame, split_condition(node, wanted=wanted), to_site(node))


def require(frame: TypeScriptFrame, node: Node, label: ir.JumpLabel) -> None:
    """Leave a loop or a block unless a condition holds."""
    for each in split_condition(node):
        leave_unless(frame, each, label)


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
