"""Tests, and the values that are chosen by one: `and`, `or`, `not`, comparisons, `a if b else c`.

What decides a branch is no value: `if a and b` is an `If` in an `If`. A condition is taken apart into the parts that must
all hold, each a syntax node and the truth it must have; one that is an `or` is left by a `Break` if none of its parts holds.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.files import list_children, to_site
from reviewer.languages.python.lowering.frame import NESTED, PythonFrame, expression, restore_star, strip_star
from reviewer.records import dataclass

NESTED_TESTS = 10
"""How many parts of a condition become an `If` in an `If`. More are tested in a row, for who follows bodies by recursion."""


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
class ConditionPart:
    """A part of a condition: whether an expression, or one comparison of a chain, has the truth `wanted`."""

    node: Node
    wanted: bool
    chain: Chain | None = None
    place: int = 0


def split_condition(node: Node, *, wanted: bool = True) -> list[ConditionPart]:
    """Return the parts that must all be as they say for a condition to be `wanted`."""
    if node.type not in _SEVERAL:
        return [ConditionPart(node, wanted)]
    found: list[ConditionPart] = []
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
            found += _collect_links(node, wanted=True) or [ConditionPart(node, True)]
        else:
            found.append(ConditionPart(node, wanted))
    return found


def _is_and(node: Node) -> bool:
    return any(each.type == "and" for each in node.children)


def _collect_links(node: Node, *, wanted: bool) -> list[ConditionPart]:
    operands, operators = _compare(node)
    if len(operands) != len(operators) + 1:
        return []
    chain = Chain(node, operands, operators)
    return [ConditionPart(node, wanted, chain, place) for place in range(len(operators))]


def _compare(node: Node) -> tuple[list[Node], list[str]]:
    found = [each for each in node.children if each.type not in BESIDE]
    return [each for each in found if each.is_named], [each.type for each in found if not each.is_named]


def _collect_alternatives(part: ConditionPart) -> list[ConditionPart]:
    """Return the parts that must not all hold for a part to be as wanted; the part itself, negated, if it is atomic."""
    if part.chain is not None:
        return [ConditionPart(part.node, not part.wanted, part.chain, part.place)]
    if part.node.type == "comparison_operator" and not part.wanted:
        links = _collect_links(part.node, wanted=True) if part.node.child_count > 3 else []
        return links or [ConditionPart(part.node, True)]
    return split_condition(part.node, wanted=not part.wanted)


def _test(frame: PythonFrame, part: ConditionPart) -> ir.Expression:
    value = frame.expression(part.node) if part.chain is None else _link(frame, part.chain, part.place)
    return value if part.wanted else ir.negate(value)


def _link(frame: PythonFrame, chain: Chain, place: int) -> ir.Expression:
    left = frame.expression(chain.operands[0]) if chain.last is None else chain.last
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
    parts = split_condition(node)
    return len(parts) == 1 and len(_collect_alternatives(parts[0])) == 1


def guard(frame: PythonFrame, node: Node, *, wanted: bool = True) -> int:
    """Let what follows run only if a condition is as wanted. Return how many statements were entered for it."""
    return _guard(frame, split_condition(node, wanted=wanted), to_site(node))


def _guard(frame: PythonFrame, parts: list[ConditionPart], at: ir.Site) -> int:
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


def require(frame: PythonFrame, node: Node, label: ir.JumpLabel) -> None:
    """Leave a loop or a block unless a condition holds."""
    for each in split_condition(node, wanted=True):
        _require(frame, each, label)


def _require(frame: PythonFrame, part: ConditionPart, label: ir.JumpLabel) -> None:
    others = _collect_alternatives(part)
    at = to_site(part.node)
    if len(others) == 1 or frame.depth >= NESTED:
        test = ir.negate(_test(frame, part))
        frame.emit(ir.If(at, test, (ir.Break(at, label),)))
        return
    frame.depth += 1
    entered = _guard(frame, others, at)
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.depth -= 1


@expression("not_operator")
def _lower_not(frame: PythonFrame, node: Node) -> ir.Expression:
    target, at = ir.Variable(), to_site(node)
    if is_plain(node):
        (part,) = split_condition(node)
        value = _test(frame, part)
        is_truth = isinstance(value, ir.Comparison | ir.Not)
        return value if is_truth else ir.Not(at, ir.Not(at, value))  # of `not not x`
    frame.emit(ir.Assign(at, target, ir.Constant(at, False)))
    entered = guard(frame, node)
    frame.emit(ir.Assign(at, target, ir.Constant(at, True)))
    frame.leave(entered)
    return ir.Read(at, target)


@expression("comparison_operator")
def _lower_comparison(frame: PythonFrame, node: Node) -> ir.Expression:
    operands, operators = _compare(node)
    if len(operands) != len(operators) + 1:
        return frame.lower_unsupported(node)
    at = to_site(node)
    if len(operators) == 1:
        first, is_starred = strip_star(frame.expression(operands[0]))
        found = build_comparison(at, operators[0], *frame.lower_after(first, operands[1]))
        return restore_star(found, is_starred=is_starred)
    *links, last = _collect_links(node, wanted=True)
    target = ir.Variable()
    frame.emit(ir.Assign(at, target, ir.Constant(at, False)))
    entered = _guard(frame, links, at)
    frame.emit(ir.Assign(at, target, _test(frame, last)))
    frame.leave(entered)
    return ir.Read(at, target)


@expression("boolean_operator")
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
        value, has_star = strip_star(frame.expression(each))
        is_starred = is_starred or (has_star and number == 0)
        test, decided = _lower_decided(frame, value, target, is_and=is_and)
        if is_flat:
            body = (*decided, ir.Break(place, label))
            frame.emit(ir.If(place, ir.negate(test) if is_and else test, body))
        elif is_and or not decided:
            frame.enter(ir.If(place, test if is_and else ir.negate(test), (), decided), "then")
        else:
            frame.enter(ir.If(place, test, decided), "otherwise")
    frame.emit(ir.Assign(to_site(operands[-1]), target, frame.expression(operands[-1])))
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


@expression("conditional_expression")
def _lower_conditional(frame: PythonFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    if len(parts) != 3:
        return frame.lower_unsupported(node)
    chosen, condition, other = parts
    target, at = ir.Variable(), to_site(node)
    if is_plain(condition):
        guard(frame, condition)
        frame.emit(ir.Assign(to_site(chosen), target, frame.expression(chosen)))
        frame.turn("otherwise")
        frame.emit(ir.Assign(to_site(other), target, frame.expression(other)))
        frame.leave()
        return ir.Read(at, target)
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    entered = guard(frame, condition)
    frame.emit(ir.Assign(to_site(chosen), target, frame.expression(chosen)))
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.emit(ir.Assign(to_site(other), target, frame.expression(other)))
    frame.leave()
    return ir.Read(at, target)
