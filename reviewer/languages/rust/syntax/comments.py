"""Suppression comments in Rust and what they cover."""

from collections.abc import Iterator
from dataclasses import field

from tree_sitter import Node

from reviewer.facts import Ignore
from reviewer.languages import ignores as syntax
from reviewer.languages.nodes import iter_matches, iter_next_siblings, iter_previous_siblings, locate_text
from reviewer.languages.rust.macros import as_written
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.syntax.tokens import ATTRIBUTES, COMMENTS
from reviewer.records import dataclass
from reviewer.source import Source, Span

MENTION = b"mcp-review:"


def iter_suppressions(items: RustItems) -> Iterator[Ignore]:
    """Find the suppressions of the project's files."""
    for path, read in items.sources.items():
        if MENTION not in as_written(read).data:
            continue
        source, root = items.parse_unexpanded(path)
        around = _Around()
        for found in iter_matches(root, "rust", "comments"):
            text = locate_text(source, found["comment"])
            parts = None if _is_documentation(found["comment"]) else syntax.parse(text)
            if parts is not None:
                yield Ignore(*parts, text.span, _find_covered_span(source, found["comment"], around))


def _is_documentation(comment: Node) -> bool:
    return any(part.type.endswith("_doc_comment_marker") for part in comment.children)


@dataclass(slots=True)
class _Around:
    """What stands around the comments of a file, by the identity of each; those of one run share it."""

    following: dict[int, Node | None] = field(default_factory=dict)
    attributes: dict[int, Node | None] = field(default_factory=dict)

    def find_next_code(self, comment: Node) -> Node | None:
        """Find what begins on the next line of code."""
        run, found = [comment.id], None
        if comment.id in self.following:
            return self.following[comment.id]
        for each in iter_next_siblings(comment):
            if each.type not in COMMENTS:
                found = each
                break
            run.append(each.id)
        self.following |= dict.fromkeys(run, found)
        return found

    def find_first_attribute(self, comment: Node) -> Node | None:
        """Find the first attribute among the attributes and comments right before a comment."""
        found = None
        for each in iter_previous_siblings(comment):
            if each.id in self.attributes:
                found = self.attributes[each.id] or found
                break
            if each.type == "attribute_item":
                found = each
            elif each.type not in COMMENTS:
                break
        self.attributes[comment.id] = found
        return found


def _find_covered_span(source: Source, comment: Node, around: _Around) -> Span:
    """Return the line that a comment ends, or the item that it stands over."""
    line = source.find_line_span(comment.start_point[0] + 1)
    start = source.data.rfind(b"\n", 0, comment.start_byte) + 1
    if source.data[start : comment.start_byte].strip():
        return line
    first = around.find_next_code(comment)
    if first is None:
        return line
    begin = around.find_first_attribute(comment) or first
    return source.to_span(begin.start_point, _end(first).end_point)


def _end(first: Node) -> Node:
    """Return the end of an item that begins with attributes, or with a name among a macro's tokens."""
    last = first
    while last.type in ATTRIBUTES and last.next_named_sibling is not None:
        last = last.next_named_sibling
    if last.parent is not None and last.parent.type == "token_tree":
        while last.next_sibling is not None and last.next_sibling.type not in (",", ";", "]", ")", "}"):
            last = last.next_sibling
    return last
