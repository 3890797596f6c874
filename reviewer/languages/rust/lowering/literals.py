"""Literals."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.evaluation.literals import parse_constant
from reviewer.languages.rust.lowering.frame import VALUES, RustFrame


def _lower_literal(frame: RustFrame, node: Node) -> ir.Expression:
    value = parse_constant(frame.data[node.start_byte : node.end_byte].decode("utf-8", "replace"))
    return frame.lower_unknown(node, node.type) if value is None else ir.Constant(to_site(node), value)


for _kind in "integer_literal float_literal string_literal raw_string_literal char_literal boolean_literal".split():
    VALUES[_kind] = _lower_literal
