"""`match`: its arms are tested one after another; the last one fits if no other does."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.branches import (
    ConditionGate,
    GuardedBranch,
    choose,
    defer_body,
    require_condition,
    require_pattern,
)
from reviewer.languages.rust.lowering.frame import BRANCHES, Destination, RustFrame
from reviewer.languages.rust.lowering.mutable_references import bind_reference
from reviewer.languages.rust.lowering.patterns import Pattern, read_pattern
from reviewer.records import dataclass


@dataclass(slots=True)
class _Match:
    """What is matched, and whether a pattern looks into a `Some`, an `Ok` or an `Err` for another of them."""

    frame: RustFrame
    node: Node
    value: ir.Expression
    is_nested: bool

    def read_arm_pattern(self, form: Node) -> Pattern:
        """Read the pattern of an arm; what is around it has the guard too, and `_` is no named node."""
        inner = next((each for each in form.children if each.is_named or each.type == "_"), form)
        found = read_pattern(self.frame, inner, self.value, nested=self.is_nested)
        bind_reference(self.frame, self.node, found.list_bindings())
        return found

    def defer_entry(self, form: Node, guard: Node | None) -> Callable[[ConditionGate], None]:
        """Return a callable that lowers the test of an arm."""

        def enter(gate: ConditionGate) -> None:
            require_pattern(gate, self.read_arm_pattern(form), self.frame)
            if guard is not None:
                require_condition(self.frame, guard, gate)

        return enter

    def defer_last(self, form: Node, act: Callable[[], None]) -> Callable[[], None]:
        """Return a callable that lowers the last arm, which is only tested if the test binds its names."""
        frame = self.frame

        def lower_arm() -> None:
            found = self.read_arm_pattern(form)
            for test in found.tests if self.is_nested else ():
                if not isinstance(test, list):
                    frame.out.append(ir.Evaluate(to_site(form), test, holds=True))
            found.tests = [test for test in found.tests if isinstance(test, list) and test[0].collect_names()]
            gate = ConditionGate(frame, to_site(form))
            require_pattern(gate, found, frame)
            act()
            gate.close()

        return lower_arm


def _lower_match(frame: RustFrame, node: Node, destination: Destination) -> None:
    value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    if value is None or body is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), destination)
        return
    arms = [each for each in body.named_children if each.type == "match_arm"]
    is_nested = any(_is_nested(frame, arm) for arm in arms)
    looked_at = _Match(frame, value, frame.place(frame.lower_expression(value)), is_nested)
    clauses: list[GuardedBranch] = []
    last: Callable[[], None] | None = None
    for index, arm in enumerate(arms):
        form, inner = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
        if form is None:
            continue
        guard = form.child_by_field_name("condition")
        act = defer_body(frame, inner, destination) if inner is not None else lambda: None
        if index == len(arms) - 1 and guard is None:
            last = looked_at.defer_last(form, act)
        else:
            clauses.append((to_site(arm), looked_at.defer_entry(form, guard), act))
    choose(frame, to_site(node), clauses, last)


def _is_nested(frame: RustFrame, arm: Node) -> bool:
    form = arm.child_by_field_name("pattern")
    if form is None:
        return False
    text = frame.data[form.start_byte : form.end_byte]
    return text.endswith(b"(None)") or b"(Err(" in text


BRANCHES["match_expression"] = _lower_match
