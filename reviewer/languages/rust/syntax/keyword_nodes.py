"""Nodes that begin with a keyword: bytes are searched far quicker than trees, and most files hold few of them."""

import re

from tree_sitter import Node

from reviewer.caching import cache
from reviewer.languages.nodes import find_descendants, find_parents_at

KEYWORDS = {
    "function_item": b"fn",
    "struct_item": b"struct",
    "enum_item": b"enum",
    "impl_item": b"impl",
    "type_item": b"type",
    "use_declaration": b"use",
    "use_as_clause": b"as",
}
MOST = 1_000
"""Keywords in one file. Looking for each of more of them takes longer than going through the tree."""


def find_keyword_nodes(root: Node, data: bytes, kinds: tuple[str, ...]) -> list[Node]:
    """Find a file's nodes of some kinds, in order."""
    if all(kind in KEYWORDS for kind in kinds):
        places = [found.span() for each in _collect_keywords(kinds) for found in each.finditer(data)]
        if len(places) <= MOST:
            return find_parents_at(root, places, frozenset(kinds))
    return find_descendants(root, "rust", *kinds)


@cache
def _collect_keywords(kinds: tuple[str, ...]) -> list[re.Pattern[bytes]]:
    return [re.compile(KEYWORDS[kind] + rb"\b", re.ASCII) for kind in kinds]
