"""The fixed texts by which a tool's own function says how to get at what was left out of an answer."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.hints import is_hint
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.callees import below
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text


def hints(items: Items, function: Node, path: str) -> Iterator[Text]:
    """Yield the fixed texts by which a function says how to get at what was left out."""
    body = child(function, "body")
    for node in below(body) if body is not None else ():
        said = string_value(node) if node.type in ("string_literal", "raw_string_literal") else None
        if said is not None and is_hint(said) and not _is_refusal(node):
            yield Text(said, items.span(path, node))


def _is_refusal(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in ("function_item", "let_declaration"):
        if above.type == "call_expression" and "rror" in string_of(child(above, "function") or above):
            return True
        above = parent_of(above)
    return False
