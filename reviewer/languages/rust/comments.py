"""Suppression comments in Rust and what they cover."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Ignore
from reviewer.languages import ignores as syntax
from reviewer.languages.nodes import matches, text_of
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.macros import as_written
from reviewer.languages.rust.tokens import COMMENTS
from reviewer.source import Source, Span

MENTION = b"mcp-review:"
ATTRIBUTES = frozenset({"attribute_item", "inner_attribute_item"})


def ignores(items: Items) -> Iterator[Ignore]:
    """Find the suppressions of the project's files."""
    for path, read in items.sources.items():
        if MENTION not in as_written(read).data:
            continue
        source, root = items.written(path)
        for found in matches(root, "rust", "comments"):
            text = text_of(source, found["comment"])
            parts = None if _documents(found["comment"]) else syntax.parse(text)
            if parts is not None:
                yield Ignore(*parts, text.span, _covered(source, found["comment"]))


def _documents(comment: Node) -> bool:
    return any(part.type.endswith("_doc_comment_marker") for part in comment.children)


def _covered(source: Source, comment: Node) -> Span:
    """Give the line that a comment ends, or the item that it stands over."""
    line = source.line_span(comment.start_point[0] + 1)
    start = source.data.rfind(b"\n", 0, comment.start_byte) + 1
    if source.data[start : comment.start_byte].strip():
        return line
    first = _following(comment)
    if first is None:
        return line
    return source.span(_begin(comment, first).start_point, _end(first).end_point)


def _begin(comment: Node, first: Node) -> Node:
    """Give the first attribute of what a comment stands over, or within the attributes of."""
    before = comment.prev_named_sibling
    while before is not None and (before.type in COMMENTS or before.type == "attribute_item"):
        first = before if before.type == "attribute_item" else first
        before = before.prev_named_sibling
    return first


def _end(first: Node) -> Node:
    """Give the end of an item that begins with attributes, or with a name among a macro's tokens."""
    last = first
    while last.type in ATTRIBUTES and last.next_named_sibling is not None:
        last = last.next_named_sibling
    if last.parent is not None and last.parent.type == "token_tree":
        while last.next_sibling is not None and last.next_sibling.type not in (",", ";", "]", ")", "}"):
            last = last.next_sibling
    return last


def _following(comment: Node) -> Node | None:
    """Find what begins on the next line of code."""
    found = comment.next_named_sibling
    while found is not None and found.type in COMMENTS:
        found = found.next_named_sibling
    return found
