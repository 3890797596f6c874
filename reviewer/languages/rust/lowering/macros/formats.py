"""Texts with places for values: `format!("{} of {total:>5}", n)`."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.evaluation.literals import STRINGS
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.lowering.names import lower_name
from reviewer.languages.rust.lowering.order import Operands
from reviewer.text.patterns import pattern

# The syntax of `std::fmt`: double braces stand for themselves.
PLACE = pattern(r"\{\{|\}\}|\{([^{}]*)\}")
# `{name}` captures a variable; `{0}` counts arguments.
NAMED = pattern(r"(?:r#)?[^\W\d]\w*")


class FormatArguments:
    """The arguments of a macro: values by place and by name, in the order of their evaluation."""

    def __init__(self, frame: RustFrame, nodes: Sequence[Node]) -> None:
        self._frame = frame
        found = Operands(frame)
        self.names: list[str | None] = []
        for each in nodes:
            name, value = _collect_named_argument(frame, each)
            self.names.append(name)
            found.add(value)
        self.nodes = list(nodes)
        self.values = found.values

    def skip_first(self, count: int) -> "FormatArguments":
        """Return those after the first ones."""
        rest = FormatArguments(self._frame, ())
        rest.nodes, rest.names, rest.values = self.nodes[count:], self.names[count:], self.values[count:]
        return rest

    def build_arguments(self) -> tuple[ir.Argument, ...]:
        """Return them as those of a call."""
        return tuple(ir.Argument(value, name) for value, name in zip(self.values, self.names, strict=True))


def _collect_named_argument(frame: RustFrame, node: Node) -> tuple[str | None, Node]:
    if node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type in ("identifier", "field_expression", *STRINGS):
            return frame.decode_text(left).strip('"').removeprefix("r#"), right
    return None, node


def is_text(node: Node) -> bool:
    """Return whether an expression is the literal of a text."""
    return node.type in STRINGS


def lower_text(frame: RustFrame, nodes: Sequence[Node], at: ir.Site) -> ir.Expression:
    """Lower a text and what is put into it, where the first expression is the text."""
    if not nodes:
        return ir.Constant(at, "")
    given = FormatArguments(frame, nodes)
    first = given.values[0]
    if isinstance(first, ir.Constant) and isinstance(first.value, str):
        return put_together(frame, first.value, first.at, given.skip_first(1), at)
    return first if len(nodes) == 1 else ir.Interpolation(at, tuple(given.values))


def put_together(frame: RustFrame, written: str, place: ir.Site, given: FormatArguments, at: ir.Site) -> ir.Expression:
    """Return a text with the values that its places stand for."""
    texts, places = _parse_placeholders(written)
    if not places:
        return ir.Constant(at, texts[0])
    by_name = {name: index for index, name in enumerate(given.names) if name is not None}
    meant = [int(each.what) if each.what.isdecimal() else by_name.get(each.what) for each in places]
    for index, times in Counter(
        meant
    ).items():  # no value stands twice in the code, because one in that would four times
        if times > 1 and index is not None and index < len(given.values):
            given.values[index] = frame.place(given.values[index])
    parts: list[ir.Expression] = []
    specifiers: list[str] = []
    for text, each, index in zip(texts, places, meant, strict=False):
        if text:
            parts.append(ir.Constant(place, text))
            specifiers.append("")
        parts.append(_lower_value(frame, each.what, index, given, place))
        specifiers.append(each.specifier)
    if texts[-1]:
        parts.append(ir.Constant(place, texts[-1]))
        specifiers.append("")
    return ir.Interpolation(at, tuple(parts), tuple(specifiers) if any(specifiers) else ())


class _Placeholder(NamedTuple):
    """A place for a value in a text: its number or its name, and how it is written."""

    what: str
    specifier: str


def _parse_placeholders(written: str) -> tuple[list[str], list[_Placeholder]]:
    """Cut a text into what stands before, between and after the places for values, and these."""
    texts: list[str] = [""]
    places: list[_Placeholder] = []
    start = count = 0
    for found in PLACE.finditer(written):
        texts[-1] += written[start : found.start()]
        start = found.end()
        if found[1] is None:
            texts[-1] += found[0][0]
            continue
        what, _, specifier = found[1].partition(":")
        what, specifier = what.strip()[:99], specifier.strip()
        count += ".*" in specifier
        places.append(_Placeholder(what or str(count), f":{specifier}" if specifier else ""))
        count += not what
        texts.append("")
    texts[-1] += written[start:]
    return texts, places


def _lower_value(frame: RustFrame, what: str, index: int | None, given: FormatArguments, at: ir.Site) -> ir.Expression:
    if index is not None and index < len(given.values):
        return given.values[index]
    if index is None and NAMED.fullmatch(what):
        return lower_name(frame, what.removeprefix("r#"), at)
    found = ir.Unknown(at, (), "no argument")
    frame.code.unknown.append(found)
    return found


def has_captures(frame: RustFrame, node: Node) -> bool:
    """Return whether a text has the names of variables in braces, as only a text for formatting does."""
    return is_text(node) and any(
        found[1] and (name := found[1].partition(":")[0].strip()) and (name.isdecimal() or name in frame.names)
        for found in PLACE.finditer(frame.decode_text(node))
    )
