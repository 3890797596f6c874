"""Macros that wait for several futures: `join!`, `try_join!`, `select!`."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import ConditionGate, choose, require_condition, require_pattern
from reviewer.languages.rust.lowering.frame import Destination, RustFrame
from reviewer.languages.rust.lowering.order import lower_operands
from reviewer.languages.rust.lowering.patterns import read_pattern
from reviewer.languages.rust.syntax import tokens
from reviewer.records import dataclass


def _lower_futures(frame: RustFrame, tree: Node) -> list[tuple[Node, ir.Expression]] | None:
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    return list(zip(nodes, lower_operands(frame, nodes), strict=True))


def _lower_waited(frame: RustFrame, node: Node, future: ir.Expression) -> ir.Expression:
    at, target = to_site(node), ir.Variable()
    frame.out.append(ir.Await(at, target, future))
    return ir.Read(at, target)


def lower_join(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `join!(a, b)`: the results of all."""
    futures = _lower_futures(frame, tree)
    if futures is None:
        return None
    results = tuple(_lower_waited(frame, each, future) for each, future in futures)
    return ir.Sequence(to_site(node), "tuple", results)


def lower_try_join(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `try_join!(a, b)`: the results of all, or the first failure."""
    futures = _lower_futures(frame, tree)
    if futures is None:
        return None
    at, label, result = to_site(node), ir.JumpLabel(), ir.Variable()
    around, frame.out = frame.out, []
    results: list[ir.Expression] = []
    for each, future in futures:
        found = _lower_waited(frame, each, future)
        place = to_site(each)
        leaving = (ir.Assign(place, result, found), ir.Break(place, label))
        frame.out.append(ir.If(place, ir.Not(place, ir.Succeeds(place, found)), leaving))
        results.append(ir.ResultOf(place, found))
    frame.out.append(ir.Assign(at, result, ir.Sequence(at, "tuple", tuple(results))))
    body, frame.out = tuple(frame.out), around
    around.append(ir.Block(at, label, body))
    return ir.Read(at, result)


@dataclass(slots=True)
class _Branch:
    """`pattern = future, if condition => body` of a `select!`."""

    arm: Node
    future: Node
    guard: Node | None
    body: tuple[int, int]


def lower_select(frame: RustFrame, node: Node, tree: Node, destination: Destination) -> bool:
    """Lower `select!`: a call that gives the number of the branch, whose future is waited for there."""
    read = _find_branches(frame, tokens.strip_brackets(tree))
    if read is None:
        return False
    branches, other = read
    at, target = to_site(node), ir.Variable()
    futures = [frame.place(each) for each in lower_operands(frame, [each.future for each in branches])]
    name = node.child_by_field_name("macro")
    parts = frame.decode_text(name).split("::") if name is not None else ["select"]
    function = ir.Global(to_site(name) if name is not None else at, (*parts[:-1], f"{parts[-1]}!"))
    frame.out.append(ir.Call(at, target, function, tuple(ir.Argument(each) for each in futures)))
    clauses = [
        (
            to_site(each.arm),
            _defer_entry(frame, each, future, target, index),
            _defer_branch(frame, each.body, destination),
        )
        for index, (each, future) in enumerate(zip(branches, futures, strict=True))
    ]
    last = _defer_branch(frame, other, destination) if other is not None else None
    if last is None and branches and branches[-1].guard is None:
        clauses.pop()
        last = _defer_last(frame, branches[-1], futures[-1], destination)
    choose(frame, at, clauses, last)
    return True


def _defer_last(
    frame: RustFrame, branch: _Branch, future: ir.Expression, destination: Destination
) -> Callable[[], None]:
    def lower_branch() -> None:
        form = _get_form(branch)
        found = read_pattern(frame, form, _lower_waited(frame, branch.future, future), exact=True)
        found.declare(frame)
        found.assign(frame)
        _defer_branch(frame, branch.body, destination)()

    return lower_branch


def _get_form(branch: _Branch) -> Node:
    around = branch.arm.child_by_field_name("pattern") or branch.arm
    return next((each for each in around.children if each.is_named or each.type == "_"), around)


def _defer_entry(
    frame: RustFrame, branch: _Branch, future: ir.Expression, target: ir.Variable, index: int
) -> Callable[[ConditionGate], None]:
    def enter(gate: ConditionGate) -> None:
        at = to_site(branch.arm)
        if branch.guard is not None:
            require_condition(frame, branch.guard, gate)
        gate.require(ir.Comparison(at, "==", ir.Read(at, target), ir.Constant(at, index)))
        found = _lower_waited(frame, branch.future, future)
        require_pattern(gate, read_pattern(frame, _get_form(branch), found), frame)

    return enter


def _defer_branch(frame: RustFrame, stretch: tuple[int, int], destination: Destination) -> Callable[[], None]:
    def lower_branch() -> None:
        start, end = stretch
        if frame.data[start : start + 1] == b"{":
            body = fragments.parse_block(frame, start, end)
        else:
            body = fragments.parse_expression(frame, start, end)
        if body is not None:
            frame.lower_body(body, destination)
        else:
            at = ir.Site(start, end)
            found = ir.Unknown(at, (), "token_tree")
            frame.code.unknown.append(found)
            frame.give(found, destination)

    return lower_branch


def _find_branches(frame: RustFrame, parts: list[Node]) -> tuple[list[_Branch], tuple[int, int] | None] | None:
    found: list[_Branch] = []
    other: tuple[int, int] | None = None
    start = 2 if len(parts) > 1 and frame.decode_text(parts[0]) == "biased" and parts[1].type == ";" else 0
    while start < len(parts):
        arrow = next((index for index in range(start, len(parts)) if parts[index].type == "=>"), None)
        if arrow is None or arrow + 1 >= len(parts):
            return None
        end = _find_body_end(parts, arrow + 1)
        body = (parts[arrow + 1].start_byte, parts[end - 1].end_byte)
        if arrow - start == 1 and frame.decode_text(parts[start]) in ("else", "default", "complete"):
            other = body
        else:
            branch = _find_branch(frame, parts[start:arrow], body)
            if branch is None:
                return None
            found.append(branch)
        start = end + 1 if end < len(parts) and parts[end].type == "," else end
    return found, other


def _find_body_end(parts: list[Node], start: int) -> int:
    """Return the place after a branch's body: a block, or an expression to the comma."""
    first = parts[start]
    if first.type == "token_tree" and first.children[0].type == "{":
        after = parts[start + 1].type if start + 1 < len(parts) else ","
        if after not in (".", "?"):
            return start + 1
    return next((index for index in range(start, len(parts)) if parts[index].type == ","), len(parts))


def _find_branch(frame: RustFrame, head: list[Node], body: tuple[int, int]) -> _Branch | None:
    equals = next((index for index, each in enumerate(head) if each.type == "="), None)
    if not equals or equals + 1 == len(head):
        return None
    comma = next(
        (
            index
            for index in range(equals + 1, len(head) - 1)
            if head[index].type == "," and frame.decode_text(head[index + 1]) == "if"
        ),
        None,
    )
    last = head[comma - 1] if comma is not None else head[-1]
    arms = fragments.parse_arms(frame, head[0].start_byte, head[equals - 1].end_byte)
    future = fragments.parse_expression(frame, head[equals + 1].start_byte, last.end_byte)
    guard = (
        fragments.parse_expression(frame, head[comma + 2].start_byte, head[-1].end_byte)
        if comma is not None and comma + 2 < len(head)
        else None
    )
    return _Branch(arms[0], future, guard, body) if len(arms) == 1 and future is not None else None
