"""What is known while one body is lowered: where its statements go, what its names mean, and how deep the syntax is nested.

The modules beside this one lower each kind of syntax in a function of their own, which they enter into `EXPRESSIONS` or
`STATEMENTS` by the type of its node.
"""

from collections.abc import Callable, Iterable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import CUT, NESTED, TOO_DEEP, TOO_LONG, StatementFrame, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.files import File, PythonCode, list_children, place_of
from reviewer.languages.python.lowering.scopes import LoweredScope

LowerExpression = Callable[["PythonFrame", Node], ir.Expression]
LowerStatement = Callable[["PythonFrame", Node], None]
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


def strip_star(value: ir.Expression) -> tuple[ir.Expression, bool]:
    """Return the first operand of something, and whether the star before it belongs to the whole.

    The grammar takes `[*a.b]` for `[(*a).b]`.
    """
    return (value.operand, True) if isinstance(value, ir.Spread) else (value, False)


def restore_star(value: ir.Expression, *, is_starred: bool) -> ir.Expression:
    """Return a value with the star that stood before its first operand."""
    return ir.Spread(value.at, value) if is_starred else value


class PythonFrame(StatementFrame):
    """The lowering of one body."""

    __slots__ = ("code", "file", "loops", "scope", "walruses")

    def __init__(self, file: File, code: PythonCode | None, scope: LoweredScope) -> None:
        super().__init__()
        self.file = file
        self.code = code
        self.scope = scope
        self.walruses = 0
        self.loops: list[tuple[ir.JumpLabel, ir.JumpLabel]] = []
        """What `break` leaves and what `continue` goes on with, of the loops around."""

    # Statements.

    def block(self, node: Node | None) -> None:
        """Lower the statements of a block."""
        if node is None:
            return
        if self.depth >= NESTED:
            self.emit(ir.Evaluate(to_site(node), self.lower_unknown(node, TOO_DEEP)))
            return
        self.depth += 1
        file = self.file
        for each in node.children:
            kind = each.type
            lower = STATEMENTS.get(kind)
            if lower is not None:
                file.allowance -= 1
                if file.allowance < 0 and not file.try_refill():
                    self.emit(ir.Evaluate(to_site(each), self.lower_unknown(each, TOO_LONG)))
                    break
                lower(self, each)
            elif each.is_named and kind not in BESIDE:
                self.evaluate(self.lower_expression(each))
        self.depth -= 1

    # Expressions.

    def lower_expression(self, node: Node) -> ir.Expression:
        """Lower an expression: emit what it does, and return what gives its value, to be used before anything else is emitted."""
        file = self.file
        file.allowance -= 1
        if file.allowance < 0 and not file.try_refill():
            return self.lower_unknown(node, TOO_LONG)
        kind = node.type
        if kind == "identifier":
            return self.read(node)
        lower = EXPRESSIONS.get(kind)
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
        if self.depth % CUT or isinstance(value, ir.Constant | ir.Read | ir.Global | ir.Spread | ir.Range | ir.Unknown):
            return value
        return self.assign(value)

    def read(self, node: Node) -> ir.Expression:
        """Return the value of a name."""
        start, end = node.byte_range
        if start == end:
            return self.lower_unknown(node, "missing")
        return self.lower_name(self.file.data[start:end].decode("utf-8", "replace"), place_of(start, end))

    def lower_name(self, name: str, at: ir.Site) -> ir.Expression:
        """Return the value of a name that stands somewhere."""
        variable = self.scope.find(name)
        return ir.Global(at, (name,)) if variable is None else ir.Read(at, variable)

    def lower_unknown(self, node: Node, reason: str, parts: tuple[ir.Expression, ...] = ()) -> ir.Unknown:
        """Return the expression for syntax that is not lowered."""
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
                STATEMENTS[each.type](self, each)
            elif each.type == "block":
                self.block(each)
            else:
                parts.append(each)
        found = self.lower_unknown(node, node.type, tuple(self.lower_operands(parts)))
        self.depth -= 1
        return found

    # The order of evaluation.

    def lower_operands(self, nodes: Iterable[Node]) -> list[ir.Expression]:
        """Lower some expressions that are evaluated one after the other; return their values, to be used together."""
        values: list[ir.Expression] = []
        kept = kept_from_names = 0
        for node in nodes:
            at, effects, walruses = len(self.out), self.effects, self.walruses
            value = self.lower_expression(node)
            if self.effects != effects:
                names = self.walruses != walruses
                first = kept_from_names if names else kept
                if first < len(values):
                    values[first:] = self.keep(values[first:], at, names=names)
                kept = len(values)
                kept_from_names = kept if names else kept_from_names
            values.append(value)
        return values

    def pair(self, left: Node, right: Node) -> tuple[ir.Expression, ir.Expression]:
        """Lower two expressions that are evaluated one after the other."""
        return self.lower_after(self.lower_expression(left), right)

    def lower_after(self, first: ir.Expression, node: Node) -> tuple[ir.Expression, ir.Expression]:
        """Lower an expression after a value that is used with it."""
        at, effects, walruses = len(self.out), self.effects, self.walruses
        second = self.lower_expression(node)
        if self.effects != effects:
            first = self.keep([first], at, names=self.walruses != walruses)[0]
        return first, second

    def keep(self, values: list[ir.Expression], at: int, *, names: bool) -> list[ir.Expression]:
        """Return some values as they were before the statements from `at` on, which may change what they are read from.

        `names` says whether these assign names too.
        """
        made: list[ir.Statement] = []
        kept: list[ir.Expression] = []
        for value in values:
            inner, is_starred = strip_star(value)
            if self.is_stable(inner, names=names):
                kept.append(value)
                continue
            target = ir.Variable()
            made.append(ir.Assign(inner.at, target, inner))
            kept.append(restore_star(ir.Read(inner.at, target), is_starred=is_starred))
        self.out[at:at] = made
        return kept

    def keep_callee(self, callee: ir.Expression, at: int, *, names: bool) -> ir.Expression:
        """Return the callee with its value before the statements from `at` on; a method keeps its owner."""
        if isinstance(callee, ir.Field):
            owner = self.keep([callee.owner], at, names=names)[0]
            return callee if owner is callee.owner else ir.Field(callee.at, owner, callee.name)
        return self.keep([callee], at, names=names)[0]

    def is_stable(self, value: ir.Expression, *, names: bool = False) -> bool:
        """Return whether a value stays what it is whatever is called, and, with `names`, whatever names are assigned."""
        match value:
            case ir.Constant() | ir.Closure() | ir.Import():
                return True
            case ir.Read(variable=variable):
                return not variable.name or (not names and variable.name not in self.file.names.written)
            case ir.Global(path=path):
                return path[0] not in self.file.names.written
            case ir.Field():
                return self._is_of_module(value)
            case (
                ir.Arithmetic(operator="+" | "-") | ir.Comparison(operator="<" | "<=" | "==")
            ):  # of what no call changes
                pair = value.left, value.right
                return any(isinstance(each, ir.Constant) for each in pair) and self._are_stable(pair, names=names)
            case ir.Comparison(operator="is"):
                return self._are_stable((value.left, value.right), names=names)
            case ir.Not(operand=operand) | ir.Spread(operand=operand):
                return self.is_stable(operand, names=names)
            case ir.Sequence(elements=elements):
                return self._are_stable(elements, names=names)
            case ir.Record():
                return self._are_stable(ir.iter_operands(value), names=names)
            case _:
                return False

    def _is_of_module(self, value: ir.Expression) -> bool:
        """Return whether a value is an attribute of what was imported: modules and classes are taken not to change."""
        while isinstance(value, ir.Field):
            value = value.owner
        match value:
            case ir.Read(variable=variable):
                return variable.name in self.file.names.imported
            case ir.Global(path=path):
                return path[0] in self.file.names.imported
            case _:
                return isinstance(value, ir.Import)

    def _are_stable(self, values: Iterable[ir.Expression], *, names: bool) -> bool:
        return all(self.is_stable(each, names=names) for each in values)

    def make_repeatable(self, value: ir.Expression) -> ir.Expression:
        """Return a value that may be read again after other statements: what it is, or a temporary that holds it."""
        return value if isinstance(value, ir.Constant | ir.Read | ir.Global) else self.assign(value)
