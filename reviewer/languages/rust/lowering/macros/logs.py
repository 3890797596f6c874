"""Macros that write a line of a log, with the fields and signs of `tracing`."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.lowering.macros.calls import emit_call, lower_message
from reviewer.languages.rust.lowering.macros.formats import FormatArguments, is_text
from reviewer.languages.rust.syntax import tokens


def lower_log(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower a line of a log: fields by name, and a text; `%` and `?` before a value say how it is written."""
    edits: fragments.Edits = {}
    shorthand: set[int] = set()
    parts = tokens.strip_brackets(tree)
    edits.update((each.start_byte, b",") for each in parts if each.type == ";")
    for part in tokens.split(parts):
        for stretch in tokens.split(part, ";"):
            _plan_field(stretch, edits, shorthand)
    nodes = fragments.parse_expressions(frame, tree, edits)
    if nodes is None:
        return None
    start = next((index for index, each in enumerate(nodes) if is_text(each)), len(nodes))
    fields = FormatArguments(frame, nodes[:start])
    for index, each in enumerate(nodes[:start]):
        if fields.names[index] is None and (
            each.start_byte in shorthand or each.type in ("identifier", "field_expression")
        ):
            fields.names[index] = frame.decode_text(each)
    return emit_call(frame, node, (*fields.build_arguments(), *lower_message(frame, node, nodes[start:])))


def _plan_field(part: list[Node], edits: fragments.Edits, shorthand: set[int]) -> None:
    if part[0].type in ("?", "%"):
        edits[part[0].start_byte] = b" "
        if len(part) > 1:
            shorthand.add(part[1].start_byte)
    elif len(part) > 2 and part[1].type == ":" and part[0].type == "identifier":
        edits[part[1].start_byte] = b"="
    equals = next((index for index, each in enumerate(part) if each.type == "="), None)
    if equals is not None and equals + 1 < len(part) and part[equals + 1].type in ("?", "%"):
        edits[part[equals + 1].start_byte] = b" "
