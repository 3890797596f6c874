"""Operands in the order in which they are evaluated.

An operand that is only read, and is followed by one that does something, would be read too late. It is put into a temporary, but
only if what is done could change it: it assigns the variable, writes to the field, or is given what the field belongs to.
"""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.frame import RustFrame

ITSELF = "="
WHOLE = "*"
ChangeablePart = tuple[ir.Variable, str]
"""A variable and which part of it: a field by its name, `ITSELF` as it is assigned, `WHOLE` as it is lent."""


class Operands:
    """Values that are lowered one after another, each before what it may be changed by."""

    __slots__ = ("_frame", "_readers", "_seen", "values")

    def __init__(self, frame: RustFrame) -> None:
        self._frame = frame
        self.values: list[ir.Expression] = []
        self._readers: dict[ChangeablePart, list[int]] = {}
        self._seen = 0

    def add(self, node: Node) -> ir.Expression:
        """Lower the next operand."""
        mark = len(self._frame.out)
        value = self._lower(node)
        if len(self._frame.out) > mark and self.values:
            self.settle(mark)
        self.values.append(value)
        return value

    def _lower(self, node: Node) -> ir.Expression:
        return self._frame.lower_expression(node)

    def settle(self, mark: int) -> None:
        """Put into temporaries what the statements since `mark` may change of the values so far."""
        for index in range(self._seen, len(self.values)):
            for key in _iter_keys(self.values[index]):
                self._readers.setdefault(key, []).append(index)
        self._seen = len(self.values)
        if not self._readers:
            return
        out = self._frame.out
        changed = set(_iter_changed_keys(out[mark:], self._frame.referenced))
        late = {index for key in changed if key in self._readers for index in self._readers.pop(key)}
        for index in sorted(late, reverse=True):
            value = self.values[index]
            if not _is_settled(value):
                variable = ir.Variable()
                out.insert(mark, ir.Assign(value.at, variable, value))
                self.values[index] = ir.Read(value.at, variable)


def lower_operands(frame: RustFrame, nodes: Iterable[Node]) -> list[ir.Expression]:
    """Lower expressions that are evaluated one after another."""
    found = Operands(frame)
    for node in nodes:
        found.add(node)
    return found.values


def _is_settled(value: ir.Expression) -> bool:
    return isinstance(value, ir.Constant) or (isinstance(value, ir.Read) and not value.variable.name)


def _iter_keys(value: ir.Expression) -> Iterator[ChangeablePart]:
    """Yield the keys that a value depends on."""
    pending = [value]
    while pending:
        each = pending.pop()
        part, inner = _lower_root(each)
        if part is not None:
            yield part, ITSELF
            if inner is not None:
                yield part, inner
                yield part, WHOLE
        pending += ir.iter_operands(each)


def _lower_root(value: ir.Expression) -> tuple[ir.Variable | None, str | None]:
    """Return the variable that a place belongs to, and the first field on the way to it."""
    step: str | None = None
    while isinstance(value, (ir.Field, ir.Item, ir.Slice)):
        step = value.name if isinstance(value, ir.Field) else WHOLE
        value = value.owner
    return (value.variable, step) if isinstance(value, ir.Read) else (None, None)


def _iter_changed_keys(body: Iterable[ir.Statement], referenced: set[ir.Variable]) -> Iterator[ChangeablePart]:
    """Yield the keys that statements may change."""
    for each in ir.iter_statements(tuple(body)):
        if isinstance(each, ir.Assign):
            yield each.target, ITSELF
        elif isinstance(each, ir.Store):
            variable, step = _lower_root(each.place)
            if variable is not None:
                yield variable, step or ITSELF
        elif isinstance(each, ir.Call):
            callee = each.callee.owner if isinstance(each.callee, ir.Field) else each.callee
            for given in (callee, *(argument.value for argument in each.arguments)):
                yield from _iter_referenced_keys(given, referenced)


def _iter_referenced_keys(value: ir.Expression, referenced: set[ir.Variable]) -> Iterator[ChangeablePart]:
    pending = [value]
    while pending:
        each = pending.pop()
        variable, step = _lower_root(each)
        if variable is None:
            pending += ir.iter_operands(each)
            continue
        yield variable, step or WHOLE
        if variable in referenced:
            yield variable, ITSELF
