"""The source of a place without what it says: strings and comments."""

from tree_sitter import Node

from reviewer.facts import Language
from reviewer.languages.nodes import of_kinds


def without(node: Node | None, language: Language, *said: str) -> str:
    """Return the source of a node without the nodes of some types."""
    if node is None:
        return ""
    text, start = node.text or b"", node.start_byte
    parts, at = [], 0
    for each in of_kinds(node, language, *said):
        if each.start_byte - start >= at:
            parts.append(text[at : each.start_byte - start])
            at = each.end_byte - start
    return b" ".join((*parts, text[at:])).decode("utf-8", "replace")
