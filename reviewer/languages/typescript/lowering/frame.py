"""What is known while one body is lowered: where its statements go, what its names mean, and how deep the syntax is nested.

The modules beside this one lower each kind of syntax in a function of their own, which they enter into `EXPRESSIONS` or
`STATEMENTS` by the type of its node.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import CUT, NESTED, TOO_DEEP, TOO_LONG, StatementFrame, to_site
from reviewer.languages.typescript.lowering.files import BESIDE, File, TypeScriptCode, list_children
from reviewer.languages.typescript.lowering.scopes import DECLARED, LoweredScope, declare_block

LowerExpression = Callable[["TypeScriptFrame", Node], ir.Expression]
LowerStatement = Callable[["TypeScriptFrame", Node], None]
EXPRESSIONS: dict[str, LowerExpression] = {}
STATEMENTS: dict[str, LowerStatement] = {}


def register_expression(*kinds: str) -> Callable[[LowerExpression], LowerExpression]:
    """Let a function lower the expressions of some types of node."""

    def enter(lower: LowerExpression) -> LowerExpression:
        EXPRESSIONS.update(dict.fromkeys(kinds, lower))
        return lower

    return enter


def register_statement(*kinds: str) -> Callable[[LowerStatement], LowerStatement]:
    """Let a function lower the statements of some types of node."""

    def enter(lower: LowerStatement) -> LowerStatement:
        STATEMENTS.update(dict.fromkeys(kinds, lower))
        return lower

    return enter


class Target(NamedTuple):
    """What `break` leaves and what `continue` goes on with; None where `continue` means another. `name` is its label."""

    leaves: ir.JumpLabel
    goes_on: ir.JumpLabel | None
    name: str = ""
    is_block: bool = False
    """Whether going on leaves a block in the loop, behind which the loop counts on."""


class TypeScriptFrame(StatementFrame):
    """The lowering of one body."""

    __slots__ = ("code", "file", "label", "scope", "targets")

    def __init__(self, file: File, code: TypeScriptCode | None, scope: LoweredScope) -> None:
        super().__init__()
        self.file = file
        self.code = code
        self.scope = scope
        self.targets: list[Target] = []
        self.label = ""
        """The label before the statement that is lowered next."""

    # Statements.

    def block(self, node: Node | None) -> None:
        """Lower a block, or a statement that stands for one, with names of its own."""
        if node is None:
            return
        outer = self.scope
        self.scope = LoweredScope("block", outer)
        if node.type == "statement_block":
            self.lower_statements(node)
        else:
            self.lower_statement(node)
        self.scope = outer

    def lower_statements(self, block: Node) -> None:
        """Lower the statements of a block in the scope that holds now: first the functions in it, which are there at once."""
        declare_block(self.scope, block, self.file.data)
        nodes = list_children(block)
        first = [each for each in nodes if _is_function(each)]
        for each in (*first, *(each for each in nodes if not _is_function(each))):
            self.lower_statement(each)

    def lower_statement(self, node: Node) -> None:
        """Lower a statement."""
        kind, file = node.type, self.file
        lower = STATEMENTS.get(kind)
        file.allowance -= 1
        if file.allowance < 0 and not file.try_refill():
            self.emit(ir.Evaluate(to_site(node), self.lower_unknown(node, TOO_LONG)))
        elif self.depth >= NESTED:
            self.emit(ir.Evaluate(to_site(node), self.lower_unknown(node, TOO_DEEP)))
        elif lower is not None:
            self.depth += 1
            lower(self, node)
            self.depth -= 1
        elif node.is_named and kind not in BESIDE:
            self.evaluate(self.lower_expression(node))

    # Expressions.

    def lower_expression(self, node: Node) -> ir.Expression:
        """Lower an expression: emit what it does, and return what gives its value, to be used before anything else is emitted."""
        file = self.file
        file.allowance -= 1
        if file.allowance < 0 and not file.try_refill():
            return self.lower_unknown(node, TOO_LONG)
        if node.type == "identifier":
            return self.read(node)
        lower = EXPRESSIONS.get(node.type)
        if lower is None:
            return self.lower_unsupported(node)
        if self.depth >= NESTED:
            return self.lower_unknown(node, TOO_DEEP)
        self.depth += 1
        value = lower(self, node)
        self.depth -= 1
        return self.cut(value) if self.depth >= CUT else value

    def cut(self, value: ir.Expression) -> ir.Expression:
        """Return a value, from a temporary at each tenth level of syntax."""
        if self.depth % CUT or isinstance(value, ir.Constant | ir.Read | ir.Global | ir.Spread | ir.Unknown):
            return value
        return self.assign(value)

    def read(self, node: Node) -> ir.Expression:
        """Return the value of a name."""
        if node.start_byte == node.end_byte:
            return self.lower_unknown(node, "missing")
        return self.lower_name(self.file.decode_text(node), to_site(node))

    def lower_name(self, name: str, at: ir.Site) -> ir.Expression:
        """Return the value of a name that stands somewhere."""
        if name == "undefined":
            return ir.Global(at, (name,))
        variable = self.scope.find(name)
        return ir.Global(at, (name,)) if variable is None else ir.Read(at, variable)

    def lower_unknown(self, node: Node, reason: str, parts: tuple[ir.Expression, ...] = ()) -> ir.Unknown:
        """Return the placeholder for syntax that is not lowered."""
        found = ir.Unknown(to_site(node), parts, reason)
        if self.code is not None:
            self.code.unknown.append(found)
        return found

    def lower_unsupported(self, node: Node) -> ir.Unknown:
        """Lower the parts of a node that is not lowered itself: of broken source, or of a new kind of syntax."""
        if self.depth >= NESTED:
            return self.lower_unknown(node, TOO_DEEP)
        self.depth += 1
        parts = []
        for each in list_children(node):
            if each.type in STATEMENTS:
                self.block(each)
            elif each.type not in NO_VALUE:
                parts.append(each)
        found = self.lower_unknown(node, node.type, tuple(self.lower_operands(parts)))
        self.depth -= 1
        return found

    # The order of evaluation.

    def lower_operands(self, nodes: Iterable[Node]) -> list[ir.Expression]:
        """Lower some expressions that are evaluated one after the other; return their values, to be used together."""
        values: list[ir.Expression] = []
        kept = 0
        for node in nodes:
            at, effects = len(self.out), self.effects
            value = self.lower_expression(node)
            if self.effects != effects:
                values[kept:] = self.keep(values[kept:], at)
                kept = len(values)
            values.append(value)
        return values

    def pair(self, left: Node, right: Node) -> tuple[ir.Expression, ir.Expression]:
        """Lower two expressions that are evaluated one after the other."""
        return self.lower_after(self.lower_expression(left), right)

    def lower_after(self, first: ir.Expression, node: Node) -> tuple[ir.Expression, ir.Expression]:
        """Lower an expression after a value that is used with it."""
        at, effects = len(self.out), self.effects
        second = self.lower_expression(node)
        if self.effects != effects:
            first = self.keep([first], at)[0]
        return first, second

    def keep(self, values: list[ir.Expression], at: int) -> list[ir.Expression]:
        """Return some values as they were before the statements from `at` on, which may change what they are read from."""
        made: list[ir.Statement] = []
        kept: list[ir.Expression] = []
        for value in values:
            inner = value.operand if isinstance(value, ir.Spread) else value
            if self.is_stable(inner):
                kept.append(value)
                continue
            target = ir.Variable()
            made.append(ir.Assign(inner.at, target, inner))
            read = ir.Read(inner.at, target)
            kept.append(ir.Spread(value.at, read) if isinstance(value, ir.Spread) else read)
        self.out[at:at] = made
        return kept

    def keep_callee(self, callee: ir.Expression, at: int) -> ir.Expression:
        """Return the callee as it was before the statements from `at` on; a method stays one of its owner."""
        if isinstance(callee, ir.Field):
            owner = self.keep([callee.owner], at)[0]
            return callee if owner is callee.owner else ir.Field(callee.at, owner, callee.name)
        return self.keep([callee], at)[0]

    def is_stable(self, value: ir.Expression) -> bool:
        """Return whether a value stays what it is whatever is called."""
        match value:
            case ir.Constant() | ir.Closure() | ir.Import():
                return True
            case ir.Read(variable=variable):
                return not variable.name or variable.name not in self.file.written
            case ir.Global(path=path):
                return path[0] not in self.file.written
            case ir.Arithmetic() | ir.Comparison(operator="<" | "<=" | "=="):
                pair = value.left, value.right
                return any(isinstance(each, ir.Constant) for each in pair) and all(map(self.is_stable, pair))
            case ir.Not(operand=operand) | ir.Spread(operand=operand):
                return self.is_stable(operand)
            case ir.Sequence(elements=elements):
                return all(map(self.is_stable, elements))
            case ir.Record():
                return all(map(self.is_stable, ir.iter_operands(value)))
            case _:
                return False

    def make_repeatable(self, value: ir.Expression) -> ir.Expression:
        """Return a value that may be read again after other statements: what it is, or a temporary that holds it."""
        is_plain = isinstance(value, ir.Constant) or (isinstance(value, ir.Read | ir.Global) and self.is_stable(value))
        return value if is_plain else self.assign(value)


NO_VALUE = frozenset(
    {
        "type_annotation", "type_arguments", "type_parameters", "property_identifier", "type_identifier", "predefined_type",
        "statement_identifier", "jsx_text", "jsx_closing_element", "string_fragment", "escape_sequence", "generic_type",
        "asserts_annotation", "accessibility_modifier", "override_modifier", "html_character_reference", "jsx_namespace_name",
    }
)  # fmt: skip
"""Nodes that are no expression and hold none that runs."""


def _is_function(statement: Node) -> bool:
    if statement.type == "export_statement":
        inner = statement.child_by_field_name("declaration")
        return inner is not None and _is_function(inner)
    return statement.type in DECLARED and "function" in statement.type
