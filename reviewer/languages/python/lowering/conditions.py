"""Tests, and the values that are chosen by one: `and`, `or`, `not`, comparisons, `a if b else c`.

What decides a branch is no value: `if a and b` is an `If` in an `If`. A condition is taken apart into the parts that must
all hold, each a syntax node and the truth it must have; one that is an `or` is left by a `Break` if none of its parts holds.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED_TESTS, ConditionPart, enter_guard, is_of_one_piece, leave_unless, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression, restore_star, strip_star
from reviewer.records import dataclass

_SEVERAL = frozenset({"boolean_operator", "comparison_operator", "not_operator", "parenthesized_expression"})
"""What may be a condition of several parts."""


@dataclass(slots=True)
class Chain:
    """The operands of `a < b < c`: each is evaluated once, and only if what is before it holds."""

    node: Node
    operands: list[Node]
    operators: list[str]
    last: ir.Expression | None = None
    """The value of the operand that was evaluated last."""


@dataclass(slots=True)
class PythonCondition(ConditionPart[PythonFrame]):
    """A part of a condition: whether an expression, or one comparison of a chain, has the truth `wanted`."""

    node: Node
    wanted: bool
    chain: Chain | None = None
    place: int = 0

    def list_alternatives(self) -> "list[PythonCondition]":
        """Return the parts that must not all hold for this one to be as wanted; this one, negated, if it is of one piece."""
        if self.chain is not None:
            return [PythonCondition(self.node, not self.wanted, self.chain, self.place)]
        if self.node.type == "comparison_operator" and not self.wanted:
            links = _collect_links(self.node, wanted=True) if self.node.child_count > 3 else []
            return links or [PythonCondition(self.node, True)]
        return split_condition(self.node, wanted=not self.wanted)

    def lower_test(self, frame: PythonFrame) -> ir.Expression:
        """Return whether this part is as wanted."""
        value = frame.lower_expression(self.node) if self.chain is None else _link(frame, self.chain, self.place)
        return value if self.wanted else ir.negate(value)


def split_condition(node: Node, *, wanted: bool = True) -> list[PythonCondition]:
    """Return the parts that must all be as they say for a condition to be `wanted`."""
    if node.type not in _SEVERAL:
        return [PythonCondition(node, wanted)]
    found: list[PythonCondition] = []
    pending = [(node, wanted)]
    while pending:
        node, wanted = pending.pop()
        kind = node.type
        if kind == "parenthesized_expression" and len(list_children(node)) == 1:
            pending.append((list_children(node)[0], wanted))
        elif kind == "not_operator" and len(list_children(node)) == 1:
            pending.append((list_children(node)[0], not wanted))
        elif kind == "boolean_operator" and len(list_children(node)) == 2 and _is_and(node) == wanted:
            left, right = list_children(node)
            pending += (right, wanted), (left, wanted)
        elif kind == "comparison_operator" and node.child_count > 3 and wanted:
            found += _collect_links(node, wanted=True) or [PythonCondition(node, True)]
        else:
            found.append(PythonCondition(node, wanted))
    return found


def _is_and(node: Node) -> bool:
    return any(each.type == "and" for each in node.children)


def _collect_links(node: Node, *, wanted: bool) -> list[PythonCondition]:
    operands, operators = _compare(node)
    if len(operands) != len(operators) + 1:
        return []
    chain = Chain(node, operands, operators)
    return [PythonCondition(node, wanted, chain, place) for place in range(len(operators))]


def _compare(node: Node) -> tuple[list[Node], list[str]]:
    found = [each for each in node.children if each.type not in BESIDE]
    return [each for each in found if each.is_named], [each.type for each in found if not each.is_named]


def _link(frame: PythonFrame, chain: Chain, place: int) -> ir.Expression:
    left = frame.lower_expression(chain.operands[0]) if chain.last is None else chain.last
    left, right = frame.lower_after(left, chain.operands[place + 1])
    if place + 1 < len(chain.operators):
        right = frame.make_repeatable(right)
        chain.last = frame.copy_repeatable(right)
    return build_comparison(to_site(chain.node), chain.operators[place], left, right)


def build_comparison(at: ir.Site, operator: str, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    """Return a comparison in one of the forms that there are."""
    match operator:
        case "<" | "<=" | "==" | "is" | "in":
            return ir.Comparison(at, operator, left, right)
        case ">":
            return ir.Comparison(at, "<", right, left)
        case ">=":
            return ir.Comparison(at, "<=", right, left)
        case "is not":
            return ir.Not(at, ir.Comparison(at, "is", left, right))
        case "not in":
            return ir.Not(at, ir.Comparison(at, "in", left, right))
        case _:  # `!=`, and `<>` of old
            return ir.Not(at, ir.Comparison(at, "==", left, right))


def is_plain(node: Node) -> bool:
    """Return whether a condition is of one piece."""
    return is_of_one_piece(split_condition(node))


def guard(frame: PythonFrame, node: Node, *, wanted: bool = True) -> int:
    """Let what follows run only if a condition is as wanted. Return how many statements were entered for it."""
    return enter_guard(frame, split_condition(node, wanted=wanted), to_site(node))


def require(frame: PythonFrame, node: Node, label: ir.JumpLabel) -> None:
    """Leave a loop or a block unless a condition holds."""
    for each in split_condition(node):
        leave_unless(frame, each, label)


@register_expression("not_operator")
def _lower_not(frame: PythonFrame, node: Node) -> ir.Expression:
    target, at = ir.Variable(), to_site(node)
    if is_plain(node):
        (part,) = split_condition(node)
        value = part.lower_test(frame)
        is_truth = isinstance(value, ir.Comparison | ir.Not)
        return value if is_truth else ir.Not(at, ir.Not(at, value))  # of `not not x`
    frame.emit(ir.Assign(at, target, ir.Constant(at, False)))
    entered = guard(frame, node)
    frame.emit(ir.Assign(at, target, ir.Constant(at, True)))
    frame.leave(entered)
    return ir.Read(at, target)


@register_expression("comparison_operator")
def _lower_comparison(frame: PythonFrame, node: Node) -> ir.Expression:
    operands, operators = _compare(node)
    if len(operands) != len(operators) + 1:
        return frame.lower_unsupported(node)
    at = to_site(node)
    if len(operators) == 1:
        first, is_starred = strip_star(frame.lower_expression(operands[0]))
        found = build_comparison(at, operators[0], *frame.lower_after(first, operands[1]))
        return restore_star(found, is_starred=is_starred)
    *links, last = _collect_links(node, wanted=True)
    target = ir.Variable()
    frame.emit(ir.Assign(at, target, ir.Constant(at, False)))
    entered = enter_guard(frame, links, at)
    frame.emit(ir.Assign(at, target, last.lower_test(frame)))
    frame.leave(entered)
    return ir.Read(at, target)


@register_expression("boolean_operator")
def _lower_boolean(frame: PythonFrame, node: Node) -> ir.Expression:
    """Lower `a and b` as a value: the first operand that decides it."""
    is_and = _is_and(node)
    operands = _collect_operands(node, is_and=is_and)
    if len(operands) < 2:
        return frame.lower_unsupported(node)
    target, at = ir.Variable(), to_site(node)
    is_flat = len(operands) > NESTED_TESTS or frame.is_deep
    label = ir.JumpLabel()
    if is_flat:
        frame.enter(ir.Block(at, label, ()))
    is_starred = False
    for number, each in enumerate(operands[:-1]):
        place = to_site(each)
        value, has_star = strip_star(frame.lower_expression(each))
        is_starred = is_starred or (has_star and number == 0)
        test, decided = _lower_decided(frame, value, target, is_and=is_and)
        if is_flat:
            body = (*decided, ir.Break(place, label))
            frame.emit(ir.If(place, ir.negate(test) if is_and else test, body))
        elif is_and or not decided:
            frame.enter(ir.If(place, test if is_and else ir.negate(test), (), decided), "then")
        else:
            frame.enter(ir.If(place, test, decided), "otherwise")
    frame.emit(ir.Assign(to_site(operands[-1]), target, frame.lower_expression(operands[-1])))
    frame.leave(1 if is_flat else len(operands) - 1)
    return restore_star(ir.Read(at, target), is_starred=is_starred)


def _collect_operands(node: Node, *, is_and: bool) -> list[Node]:
    """Return the operands of `a and b and c`, along its left side."""
    found = []
    while node.type == "boolean_operator" and _is_and(node) == is_and:
        parts = list_children(node)
        if len(parts) != 2:
            return []
        found.append(parts[1])
        node = parts[0]
    return [node, *reversed(found)]


def _lower_decided(
    frame: PythonFrame, value: ir.Expression, target: ir.Variable, *, is_and: bool
) -> tuple[ir.Expression, tuple[ir.Statement, ...]]:
    """Return the test of an operand, and what makes it the value of the whole if it decides."""
    match value:
        case ir.Comparison() | ir.Not():
            return value, (ir.Assign(value.at, target, ir.Constant(value.at, not is_and)),)
        case ir.Read() | ir.Constant() | ir.Global():
            return value, (ir.Assign(value.at, target, frame.copy_repeatable(value)),)
        case _:
            frame.emit(ir.Assign(value.at, target, value))
            return ir.Read(value.at, target), ()


@register_expression("conditional_expression")
def _lower_conditional(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 3:
        return frame.lower_unsupported(node)
    chosen, condition, other = parts
    target, at = ir.Variable(), to_site(node)
    if is_plain(condition):
        guard(frame, condition)
        frame.emit(ir.Assign(to_site(chosen), target, frame.lower_expression(chosen)))
        frame.turn("otherwise")
        frame.emit(ir.Assign(to_site(other), target, frame.lower_expression(other)))
        frame.leave()
        return ir.Read(at, target)
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    entered = guard(frame, condition)
    frame.emit(ir.Assign(to_site(chosen), target, frame.lower_expression(chosen)))
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.emit(ir.Assign(to_site(other), target, frame.lower_expression(other)))
    frame.leave()
    return ir.Read(at, target)
