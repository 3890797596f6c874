"""What the lowering of Python and of TypeScript share: a file's share of the budget, and where the statements of a body go.

A statement that has a body is entered before its body is lowered and left after it, so that long chains need no recursion:

    frame.enter(ir.If(at, test, ()), "then")
    …
    frame.turn("otherwise")
    …
    frame.leave()
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from tree_sitter import Node

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.languages.nodes import TOGETHER
from reviewer.source import Source

NESTED = 100
"""How deep syntax may be nested. Python refuses to indent deeper; each level takes about three of the 1,000 frames there are."""
CHAINED = 20
"""Operators in a row of one expression. Who follows expressions does so by recursion, so longer ones are cut by temporaries."""
CUT = 10
"""Levels of syntax after which an expression is put into a temporary: code that people write has fewer in one statement."""
DEEP = 20
"""How deep syntax is nested where statements no longer nest if they can stand in a row."""
NESTED_ARMS = 20
"""How many `elif` become an `If` in the `else` of an `If`. More stand in a row, for who follows bodies by recursion."""
NESTED_TESTS = 10
"""How many parts of a condition become an `If` in an `If`. More are tested in a row, for who follows bodies by recursion."""
TOO_DEEP = "nested too deeply"
TOO_LONG = REASONS["visits"]

F = TypeVar("F", bound="StatementFrame")


_new = tuple.__new__


def to_site(node: Node) -> ir.Site:
    """Return the place of a node."""
    return _new(ir.Site, (node.start_byte, node.end_byte, 0))


class LoweredFile:
    """What the codes of one file share, in every language."""

    __slots__ = ("allowance", "data", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.data
        self.allowance = 0
        """How many nodes may be lowered before more must be taken from the budget."""

    def decode_text(self, node: Node) -> str:
        """Return the source of a node."""
        start, end = node.byte_range
        return self.data[start:end].decode("utf-8", "replace")

    def try_refill(self) -> bool:
        """Return whether the budget affords to lower some more nodes."""
        if not get_budget().affords("visits", TOGETHER):
            self.allowance = 0
            return False
        self.allowance = TOGETHER - 1
        return True


class StatementFrame(ABC):
    """The statements of one body that is being lowered, and how deep its syntax is nested."""

    __slots__ = ("_opened", "depth", "effects", "out")

    def __init__(self) -> None:
        self.out: list[ir.Statement] = []
        self.depth = 0
        self.effects = 0
        """How many statements that may change something were emitted: a mark to compare with."""
        self._opened: list[tuple[list[ir.Statement], ir.Statement | ir.Catch, str]] = []

    def emit(self, statement: ir.Statement) -> None:
        """Add a statement that changes nothing an expression could read, or is no part of an expression."""
        self.out.append(statement)

    def assign(self, value: ir.Expression) -> ir.Read:
        """Put a value into a temporary; return what reads it."""
        target = ir.Variable()
        self.out.append(ir.Assign(value.at, target, value))
        return ir.Read(value.at, target)

    def enter(self, statement: ir.Statement, part: str = "body") -> None:
        """Add a statement, and let what follows go into one of its bodies."""
        self.out.append(statement)
        self._opened.append((self.out, statement, part))
        self.out = []

    def turn(self, part: str) -> None:
        """Let what follows go into another body of the statement that was entered last."""
        outer, statement, before = self._opened[-1]
        setattr(statement, before, tuple(self.out))
        self._opened[-1] = outer, statement, part
        self.out = []

    def enter_catch(self, part: ir.Catch) -> None:
        """Let what follows go into a part of the statement that was entered last, until `leave`."""
        self._opened.append((self.out, part, "body"))
        self.out = []

    def leave(self, count: int = 1) -> None:
        """End the statements that were entered last."""
        for _ in range(count):
            outer, statement, part = self._opened.pop()
            setattr(statement, part, tuple(self.out))
            self.out = outer

    @property
    def is_deep(self) -> bool:
        """Return whether statements should stand in a row here rather than in each other."""
        return self.depth >= DEEP

    def ends(self) -> bool:
        """Return whether what follows is not reached."""
        return bool(self.out) and isinstance(self.out[-1], ir.Return | ir.Raise | ir.Break | ir.Continue)

    def leave_for(self, at: ir.Site, label: ir.JumpLabel) -> None:
        """Break, unless it is not reached."""
        if not self.ends():
            self.out.append(ir.Break(at, label))

    @abstractmethod
    def block(self, node: Node | None) -> None:
        """Lower the statements of a block."""

    def evaluate(self, value: ir.Expression) -> None:
        """Evaluate an expression for nothing; what a temporary holds was evaluated already."""
        if not (isinstance(value, ir.Read) and not value.variable.name):
            self.out.append(ir.Evaluate(value.at, value))

    def copy_repeatable(self, value: ir.Expression) -> ir.Expression:
        """Return a repeatable value as a node of its own."""
        match value:
            case ir.Read():
                return ir.Read(value.at, value.variable)
            case ir.Constant():
                return ir.Constant(value.at, value.value)
            case ir.Global():
                return ir.Global(value.at, value.path)
            case _:
                return value

    def prepare_temporary(self) -> ir.Variable:
        """Return the temporary that a call, or whatever else may change something, is going to be bound to."""
        self.effects += 1
        return ir.Variable()


class ConditionPart(ABC, Generic[F]):
    """A part of a condition, all parts of which must be as they say."""

    __slots__ = ()
    node: Node

    @abstractmethod
    def list_alternatives(self) -> "Sequence[ConditionPart[F]]":
        """Return the parts that must not all hold for this one to be as wanted; this one, negated, if it is of one piece."""

    @abstractmethod
    def lower_test(self, frame: F) -> ir.Expression:
        """Return whether this part is as wanted."""


def is_of_one_piece(parts: "Sequence[ConditionPart[F]]") -> bool:
    """Return whether a condition of some parts is of one piece."""
    return len(parts) == 1 and len(parts[0].list_alternatives()) == 1


def enter_guard(frame: F, parts: "Sequence[ConditionPart[F]]", at: ir.Site) -> int:
    """Let what follows run only if some parts are as they say. Return how many statements were entered for it."""
    most = 1 if frame.is_deep else NESTED_TESTS
    if len(parts) <= most and all(len(each.list_alternatives()) == 1 for each in parts):
        for each in parts:
            frame.enter(ir.If(to_site(each.node), each.lower_test(frame), ()), "then")
        return len(parts)
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    for each in parts:
        leave_unless(frame, each, label)
    return 1


def leave_unless(frame: F, part: "ConditionPart[F]", label: ir.JumpLabel) -> None:
    """Leave a loop or a block unless a part of a condition is as it says."""
    others = part.list_alternatives()
    at = to_site(part.node)
    if len(others) == 1 or frame.depth >= NESTED:
        frame.emit(ir.If(at, ir.negate(part.lower_test(frame)), (ir.Break(at, label),)))
        return
    frame.depth += 1
    entered = enter_guard(frame, others, at)
    frame.emit(ir.Break(at, label))
    frame.leave(entered)
    frame.depth -= 1


def lower_branches(
    frame: F,
    at: ir.Site,
    arms: Sequence[tuple[Node, Node | None]],
    last: Node | None,
    guard: Callable[[F, Node], int],
    is_plain: Callable[[Node], bool],
) -> None:
    """Lower the arms of an `if`, each a condition and a body, and the block that runs if none of the conditions holds.

    `guard` lets what follows run only if a condition holds, and returns how many statements it entered; `is_plain` tells whether
    a condition is of one piece.
    """
    if len(arms) == 1 and last is None:
        _lower_arm(frame, *arms[0], guard)
    elif len(arms) <= NESTED_ARMS and not frame.is_deep and all(is_plain(condition) for condition, _ in arms):
        for place, (condition, body) in enumerate(arms):
            guard(frame, condition)
            frame.block(body)
            if place + 1 < len(arms) or last is not None:
                frame.turn("otherwise")
        frame.block(last)
        frame.leave(len(arms))
    else:
        _lower_row(frame, at, arms, last, guard)


def _lower_arm(
    frame: F,
    condition: Node,
    body: Node | None,
    guard: Callable[[F, Node], int],
    leaving: tuple[ir.Site, ir.JumpLabel] | None = None,
) -> None:
    entered = guard(frame, condition)
    frame.block(body)
    if leaving is not None:
        frame.leave_for(*leaving)
    frame.leave(entered)


def _lower_row(
    frame: F,
    at: ir.Site,
    arms: Sequence[tuple[Node, Node | None]],
    last: Node | None,
    guard: Callable[[F, Node], int],
) -> None:
    """Lower the arms of an `if` one after the other; each leaves the block that they are in."""
    label = ir.JumpLabel()
    frame.enter(ir.Block(at, label, ()))
    for place, (condition, body) in enumerate(arms):
        is_last = place + 1 == len(arms) and last is None
        _lower_arm(frame, condition, body, guard, None if is_last else (at, label))
    frame.block(last)
    frame.leave()
