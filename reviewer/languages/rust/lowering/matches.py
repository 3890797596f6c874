"""`match`: its arms are tested one after another; the last one fits if no other does."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.branches import Clause, Gate, choose, condition, giving, require_pattern
from reviewer.languages.rust.lowering.frame import BRANCHES, Destination, Frame, site
from reviewer.languages.rust.lowering.patterns import pattern


def _match(frame: Frame, node: Node, destination: Destination) -> None:
    value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    if value is None or body is None:
        frame.give(frame.unknown(node, node.type, frame.parts(node)), destination)
        return
    place = frame.place(frame.value(value))
    arms = [each for each in body.named_children if each.type == "match_arm"]
    match_arms(frame, site(node), place, arms, destination)


def match_arms(frame: Frame, at: ir.Site, value: ir.Expression, arms: list[Node], destination: Destination) -> None:
    """Lower the arms of a `match`. The last one is not tested, because one of them fits."""
    clauses: list[Clause] = []
    last: Callable[[], None] | None = None
    nested = any(_is_nested(frame, arm) for arm in arms)
    for index, arm in enumerate(arms):
        form, body = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
        if form is None:
            continue
        guard = form.child_by_field_name("condition")
        act = giving(frame, body, destination) if body is not None else lambda: None
        if index == len(arms) - 1 and guard is None:
            last = _matched(frame, form, value, act)
        else:
            clauses.append((site(arm), _matching(frame, form, value, guard, nested), act))
    choose(frame, at, clauses, last)


def _is_nested(frame: Frame, arm: Node) -> bool:
    form = arm.child_by_field_name("pattern")
    if form is None:
        return False
    text = frame.data[form.start_byte : form.end_byte]
    return text.endswith(b"(None)") or b"(Err(" in text


def _matching(
    frame: Frame, form: Node, value: ir.Expression, guard: Node | None, nested: bool
) -> Callable[[Gate], None]:
    def enter(gate: Gate) -> None:
        require_pattern(gate, pattern(frame, without_guard(form), value, nested=nested), frame)
        if guard is not None:
            condition(frame, guard, gate)

    return enter


def _matched(frame: Frame, form: Node, value: ir.Expression, act: Callable[[], None]) -> Callable[[], None]:
    def do() -> None:
        found = pattern(frame, without_guard(form), value)
        found.tests = [test for test in found.tests if isinstance(test, list) and test[0].names()]
        if found.tests:
            gate = Gate(frame, site(form))
            require_pattern(gate, found, frame)
            act()
            gate.close()
        else:
            found.declare(frame)
            found.assign(frame)
            act()

    return do


def without_guard(form: Node) -> Node:
    """Return the pattern of an arm; what is around it has the guard too, and `_` is no named node."""
    return next((each for each in form.children if each.is_named or each.type == "_"), form)


BRANCHES["match_expression"] = _match
