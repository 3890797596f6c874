"""Conditions, `if` and `let … else`: tests that lead to one body or the other.

`if a && b { x } else { y }` is `block L: if a: (if b: (x, break L)); y`; no body stands twice.
"""

from collections.abc import Callable, Sequence

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.frame import (
    BRANCHES,
    DEEPEST,
    LEAVING,
    TOO_DEEP,
    VALUES,
    Destination,
    RustFrame,
    ValueUse,
    find_first_child,
    list_children,
)
from reviewer.languages.rust.lowering.mutable_references import bind_reference
from reviewer.languages.rust.lowering.patterns import Pattern, read_pattern

NESTED = 10
"""Tests that are nested in each other; further ones leave by a `Break`, so that no body is very deep."""
SHORT = 4
"""How many `else if` are nested in each other; longer ones stand one after another in a block."""
MACRO_TESTS: dict[str, "Callable[[RustFrame, Node, ConditionGate, bool], bool]"] = {}
"""What lowers a macro that is a condition: `matches!`. It returns whether it did."""


class ConditionGate:
    """The way through a condition: what comes after `require` is done only where the tests held.

    The way out where one fails is the end of the gate, or a label that was given.
    """

    __slots__ = ("_frame", "_open", "_out", "_own", "_start", "_whole", "at", "label")

    def __init__(
        self, frame: RustFrame, at: ir.Site, label: ir.JumpLabel | None = None, whole: ir.Site | None = None
    ) -> None:
        self._frame = frame
        self._own = label is None
        self._open: list[tuple[list[ir.Statement], ir.Expression]] = []
        self._out = frame.out
        self._start = len(frame.out)
        self.at = at
        self.label = label
        self._whole = whole

    @property
    def is_single(self) -> bool:
        """Whether it is a single test, whose failure is the other branch."""
        return len(self._open) == 1 and self.label is None

    def find_sole_test(self) -> ir.Expression | None:
        """Return the test, if it came to one."""
        return self._open[0][1] if self.is_single else None

    def require(self, test: ir.Expression) -> None:
        """Go on only if a test holds."""
        frame = self._frame
        if not self._own or len(self._open) >= NESTED:
            frame.out.append(ir.If(test.at, ir.negate(test), (self.build_exit(test.at),)))
        else:
            self._open.append((frame.out, test))
            frame.out = []

    def build_exit(self, at: ir.Site) -> ir.Break:
        """Return the statement that leaves because a test failed."""
        if self.label is None:
            self.label = ir.JumpLabel()
        return ir.Break(at, self.label)

    def require_any(self, alternatives: "Sequence[Callable[[ConditionGate], None]]") -> None:
        """Go on only if one of some conditions holds."""
        frame, at = self._frame, self.at
        held = ir.JumpLabel()
        around, frame.out = frame.out, []
        for each in alternatives[:-1]:
            gate = ConditionGate(frame, at)
            each(gate)
            frame.out.append(ir.Break(at, held))
            gate.close()
        failing = self.build_exit(at).label
        alternatives[-1](ConditionGate(frame, at, failing))
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.Block(at, held, body))

    def close(self, otherwise: ir.Body = ()) -> None:
        """End what is done where the tests held; `otherwise` is done where a single one failed."""
        frame = self._frame
        while self._open:
            around, test = self._open.pop()
            around.append(ir.If(self.at, test, tuple(frame.out), otherwise, self._whole))
            frame.out = around
        if self._own and self.label is not None:
            body = tuple(self._out[self._start :])
            del self._out[self._start :]
            self._out.append(ir.Block(self.at, self.label, body))


def require_pattern(gate: ConditionGate, found: Pattern, frame: RustFrame) -> None:
    """Go on only if a pattern fits; the names are bound."""
    _require_tests(gate, found, frame)
    found.declare(frame)
    found.assign(frame)


def _require_tests(gate: ConditionGate, found: Pattern, frame: RustFrame) -> None:
    for test in found.tests:
        if not isinstance(test, list):
            gate.require(test)
            continue

        def defer_tests(each: Pattern) -> Callable[[ConditionGate], None]:
            def enter(inner: ConditionGate) -> None:
                _require_tests(inner, each, frame)
                each.assign(frame)

            return enter

        gate.require_any([defer_tests(each) for each in test])


def require_condition(frame: RustFrame, node: Node, gate: ConditionGate, holds: bool = True) -> None:
    """Go on only if a condition holds, or if it does not."""
    if frame.depth >= DEEPEST:
        gate.require(frame.lower_unknown(node, TOO_DEEP))
        return
    frame.depth += 1
    _require_condition(frame, *_unwrap(node, holds), gate)
    frame.depth -= 1


def _require_condition(frame: RustFrame, node: Node, holds: bool, gate: ConditionGate) -> None:
    kind = node.type
    if kind == "let_chain":
        for each in _flatten_let_chain(node):
            require_condition(frame, each, gate)
    elif kind == "let_condition":
        _require_let(frame, node, gate)
    elif kind == "binary_expression" and (operator := _find_lazy(node)) is not None:
        parts = [_defer_condition(frame, each, holds) for each in flatten_lazy_operands(node, operator)]
        if (operator == "&&") == holds:
            for part in parts:
                part(gate)
        else:
            gate.require_any(parts)
    elif kind == "macro_invocation" and _is_macro_test(frame, node, gate, holds):
        return
    elif not (kind == "boolean_literal" and holds == (node.end_byte - node.start_byte == 4)):  # else `true`
        statement, frame.statement = frame.statement, to_site(node)
        test = frame.lower_expression(node)
        frame.statement = statement
        gate.require(test if holds else ir.negate(test))


def _is_macro_test(frame: RustFrame, node: Node, gate: ConditionGate, holds: bool) -> bool:
    macro = node.child_by_field_name("macro")
    handler = MACRO_TESTS.get(frame.decode_text(macro)) if macro is not None else None
    return handler is not None and handler(frame, node, gate, holds)


def refuse(frame: RustFrame, gate: ConditionGate, enter: Callable[[ConditionGate], None]) -> None:
    """Go on only if a condition of several parts does not hold."""
    inner = ConditionGate(frame, gate.at)
    enter(inner)
    frame.out.append(gate.build_exit(gate.at))
    inner.close()


def _unwrap(node: Node, holds: bool) -> tuple[Node, bool]:
    """Look into brackets and negations."""
    while node.type in ("parenthesized_expression", "unary_expression"):
        inner = find_first_child(node)
        if inner is None or (node.type == "unary_expression" and node.children[0].type != "!"):
            break
        holds = holds != (node.type == "unary_expression")
        node = inner
    return node, holds


def _find_lazy(node: Node) -> str | None:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None and operator.type in ("&&", "||") else None


def flatten_lazy_operands(node: Node, operator: str) -> list[Node]:
    """Return the operands of a chain of one of `&&` and `||`, in order."""
    found: list[Node] = []
    pending = [node]
    while pending:
        each = pending.pop()
        while each.type == "parenthesized_expression" and (inner := find_first_child(each)) is not None:
            each = inner
        if each.type == "binary_expression" and _find_lazy(each) == operator:
            left, right = each.child_by_field_name("left"), each.child_by_field_name("right")
            pending += [part for part in (right, left) if part is not None]
        else:
            found.append(each)
    return found


def _flatten_let_chain(node: Node) -> list[Node]:
    found: list[Node] = []
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type == "let_chain":
            pending += reversed(list_children(each))
        else:
            found.append(each)
    return found


def _require_let(frame: RustFrame, node: Node, gate: ConditionGate) -> None:
    value, form = node.child_by_field_name("value"), node.child_by_field_name("pattern")
    if value is None or form is None:
        gate.require(frame.lower_unknown(node, node.type, frame.lower_parts(node)))
        return
    found = read_pattern(frame, form, frame.place(frame.lower_expression(value)))
    bind_reference(frame, value, found.list_bindings())
    require_pattern(gate, found, frame)


GuardedBranch = tuple[ir.Site, Callable[[ConditionGate], None], Callable[[], None]]
"""Where it stands, what it asks, and what is done if it holds."""


def choose(frame: RustFrame, at: ir.Site, clauses: list[GuardedBranch], last: Callable[[], None] | None) -> None:
    """Do what the first clause whose condition holds says, or the last thing."""
    around, scope = frame.out, frame.scope
    inner: list[ir.Statement] = []
    frame.out, frame.scope = inner, at
    end = ir.JumpLabel()
    is_left = False
    for index, (place, enter, act) in enumerate(clauses):
        mark = frame.mark()
        gate = ConditionGate(frame, place, whole=at)
        enter(gate)
        act()
        frame.undo(mark)
        is_more = index + 1 < len(clauses) or last is not None
        if is_more and gate.is_single and len(clauses) - index <= SHORT:
            then = frame.out
            frame.out = []
            choose(frame, at, clauses[index + 1 :], last)
            rest, frame.out = tuple(frame.out), then
            gate.close(rest)
            break
        if is_more and not frame.leaves():
            frame.out.append(ir.Break(place, end))
            is_left = True
        gate.close()
    else:
        if last is not None:
            mark = frame.mark()
            last()
            frame.undo(mark)
    frame.out, frame.scope = around, scope
    if is_left:
        around.append(ir.Block(at, end, tuple(inner)))
    else:
        around += inner


def _lower_if(frame: RustFrame, node: Node, destination: Destination) -> None:
    clauses: list[GuardedBranch] = []
    at = to_site(node)
    last: Node | None = None
    each: Node | None = node
    while each is not None:
        test, body = each.child_by_field_name("condition"), each.child_by_field_name("consequence")
        if test is not None and body is not None:
            clauses.append((to_site(each), _defer_condition(frame, test), defer_body(frame, body, destination)))
        rest = each.child_by_field_name("alternative")
        following = find_first_child(rest) if rest is not None else None
        each = following if following is not None and following.type == "if_expression" else None
        last = following if each is None else None
    if last is None and isinstance(destination, ir.Variable):
        _lower_if(frame, node, ValueUse.DISCARDED)
        frame.emit_unit(at, destination)
        return
    choose(frame, at, clauses, defer_body(frame, last, destination) if last is not None else None)


def _defer_condition(frame: RustFrame, test: Node, holds: bool = True) -> Callable[[ConditionGate], None]:
    return lambda gate: require_condition(frame, test, gate, holds)


def defer_body(frame: RustFrame, body: Node, destination: Destination) -> Callable[[], None]:
    """Return a callable that lowers the body of a branch."""
    return lambda: frame.lower_body(body, destination)


def lower_let_else(frame: RustFrame, form: Node, value: ir.Expression, other: Node | None) -> None:
    """Bind the names of a pattern; if it does not fit, do what leaves. One that always fits has none: `Ok(said) | Err(said)`."""
    at = to_site(form)
    found = read_pattern(frame, form, value)

    def leave() -> None:
        if other is not None:
            frame.lower_body(other, ValueUse.DISCARDED)

    if len(found.tests) == 1 and not isinstance(found.tests[0], list):
        around, frame.out = frame.out, []
        leave()
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.If(at, ir.negate(found.tests[0]), body))
    elif found.tests:
        choose(frame, at, [(at, lambda gate: _require_tests(gate, found, frame), lambda: None)], leave)
    found.declare(frame)
    found.assign(frame)


def _lower_lazy_value(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower `a && b` that is no condition: `t = a; if t: t = b`."""
    operator = _find_lazy(node)
    if operator is None:
        return frame.lower_unknown(node, node.type, frame.lower_parts(node))
    at = to_site(node)
    result = ir.Variable()
    parts = flatten_lazy_operands(node, operator)
    if parts and parts[0].type in LEAVING:
        return LEAVING[parts[0].type](frame, parts[0], node)
    for index, each in enumerate(parts):
        if index == 0:
            frame.lower_into(each, result)
            continue
        around, frame.out = frame.out, []
        frame.lower_into(each, result)
        read: ir.Expression = ir.Read(at, result)
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.If(at, read if operator == "&&" else ir.Not(at, read), body))
    return ir.Read(at, result)


def _let_value(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower conditions with a `let` that stand where none may, in broken code or in a macro."""
    at = to_site(node)
    result = ir.Variable()
    mark = frame.mark()
    frame.out.append(ir.Assign(at, result, ir.Constant(at, False)))
    gate = ConditionGate(frame, at)
    require_condition(frame, node, gate)
    frame.out.append(ir.Assign(at, result, ir.Constant(at, True)))
    gate.close()
    frame.undo(mark)
    return ir.Read(at, result)


BRANCHES["if_expression"] = _lower_if
VALUES["binary_expression"] = _lower_lazy_value
VALUES["let_chain"] = _let_value
VALUES["let_condition"] = _let_value
