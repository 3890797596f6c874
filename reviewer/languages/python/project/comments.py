"""Suppression comments and what they cover."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.budget import get_budget
from reviewer.facts import Ignore
from reviewer.languages import ignores as syntax
from reviewer.languages.nodes import estimate_visits, iter_next_siblings, locate_node, locate_text, walk
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span


def iter_suppressions(module: PyModule) -> Iterator[Ignore]:
    """Find the suppressions of a file."""
    if b"mcp-review:" not in module.source.data:
        return
    for comment in walk(module.root):
        if comment.type != "comment":
            continue
        text = locate_text(module.source, comment)
        found = syntax.parse(text)
        if found is not None:
            yield Ignore(*found, text.span, _find_covered_span(module, comment, text.span))


def _find_covered_span(module: PyModule, comment: Node, span: Span) -> Span:
    """Return the line that a comment ends, or the item that it stands over."""
    get_budget().spend("visits", estimate_visits(comment.start_byte))
    before = comment.prev_sibling
    if not _is_alone(module, comment):
        return module.source.find_line_span(span.line)
    following = next(filter(_is_code, iter_next_siblings(comment)), None)
    if following is None and (before is None or before.end_point[0] < comment.start_point[0]):
        parent = comment.parent
        following = parent.next_named_sibling if parent is not None else None
    return locate_node(module.source, following) if following is not None else module.source.find_line_span(span.line)


def _is_code(node: Node) -> bool:
    get_budget().spend("visits")
    return node.type != "comment"


def _is_alone(module: PyModule, comment: Node) -> bool:
    start = module.source.data.rfind(b"\n", 0, comment.start_byte) + 1
    return not module.source.data[start : comment.start_byte].strip()
