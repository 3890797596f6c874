"""Answers that cannot grow: what a tool's function cuts itself, or what the code around keeps short."""

from tree_sitter import Node

from reviewer.languages.caps import is_capped, is_kept_short
from reviewer.languages.rust.project.items import RustItems
from reviewer.text.patterns import pattern

HELD = pattern(rb"\bself\s*\.\s*(\w+)(?!\w|\s*\()")
"""A field that a method looks at."""


def is_cut(items: RustItems, function: Node, path: str) -> bool:
    """Return whether a function cuts what it gives, or gives what never holds more than so much."""
    source = items.sources.get(path)
    held = HELD.findall(function.text or b"") if source is not None else []
    return is_capped(function.text) or any(is_kept_short(each.decode(), [source.data]) for each in held if source)
