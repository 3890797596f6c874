"""The tokens of a macro as syntax: parsed again as what the macro takes them for, in their place.

Every node has its place in the file, because the parser is told that the file begins there. What must stand before and after
the tokens for them to be syntax is put in their neighbours' place; single bytes that the macro's language has otherwise (`%`, the
`:` of JSON) are written over, and read from the file by whoever wants to know.
"""

from tree_sitter import Node, Parser, Range

from reviewer.languages.nodes import load_grammar
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.syntax.tokens import COMMENTS

PARSED = 8
"""Bytes of source that are parsed in the time of one visit."""

Edits = dict[int, bytes]
"""What stands at some bytes of the file instead."""


def parse_fragment(
    frame: RustFrame, start: int, end: int, before: bytes = b"", after: bytes = b"", edits: Edits | None = None
) -> Node | None:
    """Parse a stretch of a file between two texts; None if there is no room for the first of them, or nothing to parse."""
    first = start - len(before)
    if first < 0 or end <= start or not frame.afford(1 + (end - start) // PARSED):
        return None
    text = frame.data[start:end]
    if edits:
        changed = bytearray(text)
        for place, byte in edits.items():
            changed[place - start : place - start + len(byte)] = byte
        text = bytes(changed)
    text = before + text + after
    parser = Parser(load_grammar("rust"))
    parser.included_ranges = [Range((0, 0), (0, 0), first, first + len(text))]
    tree = parser.parse(lambda offset, _: text[offset - first :])
    return tree.root_node


def descend_to(root: Node | None, *kinds: str) -> Node | None:
    """Go down from a root to the first node of some kinds, through those that have it alone."""
    node = root
    while node is not None and node.type not in kinds:
        node = next((each for each in node.named_children if each.type not in COMMENTS), None)
    return node


def parse_expressions(frame: RustFrame, tree: Node, edits: Edits | None = None) -> list[Node] | None:
    """Parse what is in brackets as expressions with commas between, or None if it is none."""
    start, end = tree.start_byte + 1, tree.end_byte - 1
    if not frame.data[start:end].strip():
        return []
    root = parse_fragment(frame, start, end, b"(", b");", edits)
    if root is None or root.has_error:
        return None
    sole = descend_to(root, "tuple_expression", "parenthesized_expression", "unit_expression")
    if sole is None or sole.end_byte < end:
        return None
    return [each for each in sole.named_children if each.type not in COMMENTS and each.type != "attribute_item"]


def parse_expression(frame: RustFrame, start: int, end: int) -> Node | None:
    """Parse one expression, or None if it is none."""
    root = parse_fragment(frame, start, end, b"(", b");")
    if root is None or root.has_error:
        return None
    sole = descend_to(root, "parenthesized_expression")
    return next((each for each in sole.named_children if each.type not in COMMENTS), None) if sole is not None else None


def parse_arms(frame: RustFrame, start: int, end: int) -> list[Node]:
    """Parse one pattern, perhaps with a guard, as the arm of a `match`."""
    root = parse_fragment(frame, start, end, b"match 0{", b" =>0}")
    if root is None or root.has_error:
        return []
    block = descend_to(root, "match_expression")
    body = block.child_by_field_name("body") if block is not None else None
    return [each for each in body.named_children if each.type == "match_arm"] if body is not None else []


def parse_block(frame: RustFrame, start: int, end: int) -> Node | None:
    """Parse statements in braces, which `start` and `end` have or not."""
    braced = frame.data[start : start + 1] == b"{"
    root = parse_fragment(frame, start, end, b"" if braced else b"{", b"" if braced else b"}")
    return None if root is None or root.has_error else descend_to(root, "block")
