"""Texts with places for values: `format!("{} of {total:>5}", n)`."""

import re
from collections.abc import Sequence

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.frame import Frame
from reviewer.languages.rust.lowering.names import named
from reviewer.languages.rust.lowering.order import Operands

PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
NAMED = re.compile(r"(?:r#)?[^\W\d]\w*")
STRINGS = frozenset({"string_literal", "raw_string_literal"})


class Given:
    """The arguments of a macro: values by place and by name, in the order of their evaluation."""

    def __init__(self, frame: Frame, nodes: Sequence[Node]) -> None:
        self._frame = frame
        found = Operands(frame)
        self.names: list[str | None] = []
        for each in nodes:
            name, value = _named_argument(frame, each)
            self.names.append(name)
            found.add(value)
        self.nodes = list(nodes)
        self.values = found.values

    def after(self, count: int) -> "Given":
        """Return those after the first ones."""
        rest = Given(self._frame, ())
        rest.nodes, rest.names, rest.values = self.nodes[count:], self.names[count:], self.values[count:]
        return rest

    def arguments(self) -> tuple[ir.Argument, ...]:
        """Return them as those of a call."""
        return tuple(ir.Argument(value, name) for value, name in zip(self.values, self.names, strict=True))


def _named_argument(frame: Frame, node: Node) -> tuple[str | None, Node]:
    if node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type in ("identifier", "field_expression", *STRINGS):
            return frame.text(left).strip('"').removeprefix("r#"), right
    return None, node


def is_text(node: Node) -> bool:
    """Return whether an expression is the literal of a text."""
    return node.type in STRINGS


def text(frame: Frame, nodes: Sequence[Node], at: ir.Site) -> ir.Expression:
    """Lower a text and what is put into it, where the first expression is the text."""
    if not nodes:
        return ir.Constant(at, "")
    given = Given(frame, nodes)
    first = given.values[0]
    if isinstance(first, ir.Constant) and isinstance(first.value, str):
        return put_together(frame, first.value, first.at, given.after(1), at)
    return first if len(nodes) == 1 else ir.Interpolation(at, tuple(given.values))


def put_together(frame: Frame, written: str, place: ir.Site, given: Given, at: ir.Site) -> ir.Expression:
    """Return a text with the values that its places stand for."""
    parts: list[ir.Expression] = []
    specifiers: list[str] = []
    literal: list[str] = []
    start = count = 0
    by_name = {name: value for name, value in zip(given.names, given.values, strict=True) if name is not None}
    for found in PLACE.finditer(written):
        literal.append(written[start : found.start()])
        start = found.end()
        if found[1] is None:
            literal.append(found[0][0])
            continue
        what, _, specifier = found[1].partition(":")
        what, specifier = what.strip(), specifier.strip()
        if ".*" in specifier:
            count += 1
        if not what:
            value = given.values[count] if count < len(given.values) else None
            count += 1
        elif what.isdecimal():
            value = given.values[int(what[:9])] if int(what[:9]) < len(given.values) else None
        else:
            value = by_name.get(what) or (named(frame, what, place) if NAMED.fullmatch(what) else None)
        _flush(literal, parts, specifiers, place)
        parts.append(value if value is not None else frame_unknown(frame, place, found[0]))
        specifiers.append(f":{specifier}" if specifier else "")
    literal.append(written[start:])
    if not parts:
        return ir.Constant(at, "".join(literal))
    _flush(literal, parts, specifiers, place)
    return ir.Interpolation(at, tuple(parts), tuple(specifiers) if any(specifiers) else ())


def frame_unknown(frame: Frame, at: ir.Site, what: str) -> ir.Expression:
    """Return what stands for a place in a text that no argument is for."""
    found = ir.Unknown(at, (), f"no argument for {what}")
    frame.code.unknown.append(found)
    return found


def _flush(literal: list[str], parts: list[ir.Expression], specifiers: list[str], at: ir.Site) -> None:
    joined = "".join(literal)
    literal.clear()
    if joined:
        parts.append(ir.Constant(at, joined))
        specifiers.append("")


def has_captures(frame: Frame, node: Node) -> bool:
    """Return whether a text has the names of variables in braces, as only a text for formatting does."""
    return is_text(node) and any(
        found[1] and (name := found[1].partition(":")[0].strip()) and (name.isdecimal() or name in frame.names)
        for found in PLACE.finditer(frame.text(node))
    )
