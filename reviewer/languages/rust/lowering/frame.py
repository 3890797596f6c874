"""What is known while one body is lowered: the names in scope, the loops around, and where statements go.

`value` lowers an expression to one without effect and puts what it does before it; `into` gives it to a destination instead, so
that each branch of an `if` or a `match` assigns or returns by itself. The handlers of each kind of syntax are in the tables here,
filled by the modules that know the kind. Chains (`a.b().c()`, `a + b + c`, `((x))`) are gone along without recursion.
"""

from collections.abc import Callable
from enum import Enum

from tree_sitter import Node

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.syntax.tokens import BESIDE
from reviewer.source import Source

DEEPEST = 80
"""Levels of expressions and blocks in each other that are lowered. None of 18,000 functions of public code came to 40."""
LONGEST = 40
"""Links of a chain, or operands, that make one expression; then a temporary holds it, so that no expression is very deep."""
TOGETHER = 64
"""Visits that are taken from the budget at once."""
TOO_DEEP = "nested too deeply"
EXITS = (ir.Return, ir.Raise, ir.Break, ir.Continue)


class ValueUse(Enum):
    """What becomes of a value that no variable takes."""

    DISCARDED = "discarded"
    RETURNED = "returned"


Destination = ir.Variable | ValueUse
ModulePath = tuple[str, ...]
Name = ir.Variable | ModulePath
"""What a name in scope stands for: a variable, or the path that a `use` gives it."""


class JumpTarget:
    """What a `break` or `continue` may mean: a loop, or a block with a name. `value` is where the value of a `break` goes."""

    __slots__ = ("is_loop", "label", "name", "value")

    def __init__(self, name: str, label: ir.JumpLabel, value: Destination, *, is_loop: bool) -> None:
        self.name = name
        self.label = label
        self.value = value
        self.is_loop = is_loop


class RustFrame:
    """One body that is being lowered."""

    __slots__ = (
        "_log",
        "_visits",
        "code",
        "data",
        "depth",
        "items",
        "names",
        "out",
        "referenced",
        "referents",
        "scope",
        "source",
        "statement",
        "targets",
    )

    def __init__(self, code: ir.Code, source: Source, names: dict[str, Name], items: frozenset[str]) -> None:
        self.code = code
        self.source = source
        self.data = source.data
        self.names = names
        self.items = items
        """The names of functions, constants and imports: what an inner function sees of those around."""
        self.out: list[ir.Statement] = []
        self.targets: list[JumpTarget] = []
        self.referenced: set[ir.Variable] = set()
        """Variables of which a `&mut` was taken: a call that is given one may change it."""
        self.referents: dict[ir.Variable, ir.Expression] = {}
        """The places that variables were given a `&mut` of."""
        self.scope: ir.Site | None = None
        """The block, or the branch that binds names, at whose end names end."""
        self.statement: ir.Site | None = None
        """The statement, or the condition, at whose end what nothing takes is freed."""
        self.depth = 0
        self._log: list[tuple[str, Name | None]] = []
        self._visits = 0

    # Names.

    def bind(self, name: str, meaning: Name) -> None:
        """Let a name mean something from here to the end of its block."""
        self._log.append((name, self.names.get(name)))
        self.names[name] = meaning
        if isinstance(meaning, ir.Variable):
            meaning.scope = self.scope

    def mark(self) -> int:
        """Return the state of the names, for `undo`."""
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Let names mean what they meant at a mark."""
        while len(self._log) > mark:
            name, before = self._log.pop()
            if before is None:
                del self.names[name]
            else:
                self.names[name] = before

    def decode_text(self, node: Node) -> str:
        """Return the source of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name(self, node: Node) -> str:
        """Return the name that a node is, without `r#`."""
        return self.decode_text(node).removeprefix("r#")

    # Statements.

    def bind_temporary(self, value: ir.Expression) -> ir.Expression:
        """Put a value into a temporary."""
        variable = ir.Variable()
        self.out.append(ir.Assign(value.at, variable, value))
        return ir.Read(value.at, variable)

    def place(self, value: ir.Expression) -> ir.Expression:
        """Return a value that may be read several times: it is small, or a temporary."""
        if isinstance(value, ir.Sequence) and value.kind == "tuple":
            return ir.Sequence(value.at, "tuple", tuple(self.place(each) for each in value.elements))
        if isinstance(value, (ir.Constant, ir.Global)):
            return value
        base, links = value, 0
        while isinstance(base, ir.Field) and links < LONGEST:
            base, links = base.owner, links + 1
        return value if isinstance(base, ir.Read) else self.bind_temporary(value)

    def give(self, value: ir.Expression, destination: Destination) -> None:
        """Put a value where it is wanted, unless it is never there because the code before leaves."""
        if self.out and isinstance(self.out[-1], EXITS):
            return
        if isinstance(destination, ir.Variable):
            self.out.append(ir.Assign(value.at, destination, value))
        elif destination is ValueUse.RETURNED:
            self.out.append(ir.Return(value.at, value))
        elif not (isinstance(value, ir.Constant) or (isinstance(value, ir.Read) and not value.variable.name)):
            if not (isinstance(value, ir.Sequence) and not value.elements):
                self.out.append(ir.Evaluate(value.at, value))

    def leaves(self) -> bool:
        """Return whether the code so far never comes to its end."""
        return bool(self.out) and isinstance(self.out[-1], EXITS)

    def emit_unit(self, at: ir.Site, destination: Destination) -> None:
        """Give the `()` that a statement gives, if anybody takes it. The end of a function gives nothing."""
        if isinstance(destination, ir.Variable):
            self.give(ir.Sequence(at, "tuple", ()), destination)

    # Expressions.

    def lower_expression(self, node: Node) -> ir.Expression:
        """Lower an expression: put what it does into the body, and return what it gives."""
        kind = node.type
        spine: list[tuple[str, Node]] = []
        while (below := CHAINS.get(kind)) is not None:
            inner = below(node)
            if inner is None:
                break
            spine.append((kind, node))
            node = inner
            kind = node.type
        if not self.afford(len(spine) + 1):
            return self.lower_unknown(node if not spine else spine[0][1], REASONS["visits"])
        if not spine:
            return self._lower_first(kind, node)
        if self.depth >= DEEPEST:
            return self.lower_unknown(spine[0][1], TOO_DEEP)
        self.depth += 1
        leaving = LEAVING.get(kind)
        if leaving is not None:
            while spine and spine[0][1].start_byte != node.start_byte:
                spine.pop(0)
            result = leaving(self, node, spine[0][1]) if spine else self._lower_first(kind, node)
            spine = []
        else:
            result = self._lower_first(kind, node)
        for index in range(len(spine) - 1, -1, -1):
            kind, node = spine[index]
            result = LINKS[kind](self, node, result)
            if index and index % LONGEST == 0 and not isinstance(result, ir.Read):
                if spine[index - 1][0] not in CALLING:
                    result = self.bind_temporary(result)
        self.depth -= 1
        return result

    def _lower_first(self, kind: str, node: Node) -> ir.Expression:
        handler = VALUES.get(kind)
        if handler is not None and kind in LEAVES:
            return handler(self, node)
        if self.depth >= DEEPEST:
            return self.lower_unknown(node, TOO_DEEP)
        if handler is not None:
            self.depth += 1
            result = handler(self, node)
            self.depth -= 1
            return result
        branching = BRANCHES.get(kind)
        if branching is None:
            return self.lower_unknown(node, kind, self.lower_parts(node))
        variable = ir.Variable()
        self.depth += 1
        branching(self, node, variable)
        self.depth -= 1
        return ir.Read(to_site(node), variable)

    def lower_into(self, node: Node, destination: Destination) -> None:
        """Lower an expression, and give what it gives to a destination."""
        branching = BRANCHES.get(node.type)
        if branching is None:
            self.give(self.lower_expression(node), destination)
        elif self.depth >= DEEPEST:
            self.give(self.lower_unknown(node, TOO_DEEP), destination)
        elif not self.afford(1):
            self.give(self.lower_unknown(node, REASONS["visits"]), destination)
        else:
            self.depth += 1
            branching(self, node, destination)
            self.depth -= 1

    def lower_body(self, node: Node, destination: Destination) -> None:
        """Lower the body of a branch, a loop or a function, whose names and values end with what it is the body of."""
        handler = BODIES.get(node.type)
        if handler is None or self.depth >= DEEPEST:
            self.lower_into(node, destination)
        else:
            self.depth += 1
            handler(self, node, destination)
            self.depth -= 1

    def afford(self, visits: int) -> bool:
        """Take visits from the budget; return whether there were so many left."""
        if self._visits < visits:
            if not get_budget().affords("visits", visits + TOGETHER):
                return False
            self._visits += visits + TOGETHER
        self._visits -= visits
        return True

    def lower_unknown(self, node: Node, reason: str, parts: tuple[ir.Expression, ...] = ()) -> ir.Expression:
        """Return the expression for syntax that is not lowered."""
        found = ir.Unknown(to_site(node), parts, reason)
        self.code.unknown.append(found)
        return found

    def lower_parts(self, node: Node) -> tuple[ir.Expression, ...]:
        """Lower what of a node can be lowered."""
        if self.depth >= DEEPEST:
            return ()
        self.depth += 1
        found = tuple(self.lower_expression(each) for each in node.named_children if is_expression(each.type))
        self.depth -= 1
        return found


def is_expression(kind: str) -> bool:
    """Return whether nodes of a kind can be lowered to a value."""
    return kind in VALUES or kind in BRANCHES or kind in CHAINS or kind == "ERROR"


VALUES: dict[str, Callable[[RustFrame, Node], ir.Expression]] = {}
"""What lowers a kind of syntax to a value."""
BRANCHES: dict[str, Callable[[RustFrame, Node, Destination], None]] = {}
"""What lowers a kind of syntax that gives its value in several places, or none."""
BODIES: dict[str, Callable[[RustFrame, Node, Destination], None]] = {}
"""What lowers a block as the body of something."""
CHAINS: dict[str, Callable[[Node], Node | None]] = {}
"""The kinds of which long chains are written: what of them is lowered first, or None if it is none of a chain."""
LINKS: dict[str, Callable[[RustFrame, Node, ir.Expression], ir.Expression]] = {}
"""What lowers a link of a chain, with the value of what is lowered first."""
LEAVING: dict[str, Callable[[RustFrame, Node, Node], ir.Expression]] = {}
"""What lowers `break (a, b)` and its like, which the grammar takes for a call of `break`; the second node has the value too."""
CALLING = frozenset({"call_expression", "generic_function"})
"""The links that want the place of a method, and not its value."""
LEAVES = frozenset(
    {
        "identifier", "self", "crate", "super", "scoped_identifier", "integer_literal", "float_literal", "string_literal",
        "raw_string_literal", "char_literal", "boolean_literal", "unit_expression",
    }
)  # fmt: skip
"""The kinds with no expression in them."""


def list_children(node: Node) -> list[Node]:
    """Return the named nodes directly below one, without comments and attributes."""
    return [each for each in node.named_children if each.type not in BESIDE]


def find_first_child(node: Node) -> Node | None:
    """Return the first named node directly below one that is no comment."""
    return next((each for each in node.named_children if each.type not in BESIDE), None)
