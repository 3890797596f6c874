"""Maps that statements fill: `map.insert("id", value)` and `schema["id"] = value`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.bindings import arguments_of, changes
from reviewer.source import Text

if TYPE_CHECKING:
    from reviewer.languages.rust.folding import Folded, Folder, Place


def filled(folder: Folder, name: str, value: Folded, block: Node, place: Place) -> Folded:
    """Follow the statements of a block that put something into a map by its name; any other change hides the value."""
    for change in changes(name, block):
        plain = (
            change.parent is not None and change.parent.type == "expression_statement" and change.parent.parent == block
        )
        entry = _entry(folder, name, change, place) if plain else None
        value = _put(value, *entry) if entry is not None else None
        if value is None:
            return folder.unknown(change, place)
    return value


def _entry(folder: Folder, name: str, change: Node, place: Place) -> tuple[list[Folded], Folded] | None:
    """Give the keys, outermost first, and the value that a change puts there."""
    if change.type == "assignment_expression":
        keys: list[Folded] = []
        left = child(change, "left")
        while left is not None and left.type == "index_expression":
            left, key = left.named_children
            keys.insert(0, folder.fold(key, place))
        plain = left is not None and string_of(left) == name
        return (keys, folder.fold(child(change, "right"), place)) if plain else None
    arguments = arguments_of(change)
    if string_of(child(child(change, "function"), "field") or change) != "insert" or len(arguments) != 2:
        return None
    return [folder.fold(arguments[0], place)], folder.fold(arguments[1], place)


def _put(value: Folded, keys: list[Folded], given: Folded) -> dict[str, Folded] | None:
    """Give a map with something put into it; None if it is no map, or a key is not known."""
    if not keys or not isinstance(value, dict) or not isinstance(keys[0], Text):
        return None
    inner = given if len(keys) == 1 else _put(value.get(keys[0]), keys[1:], given)
    return None if inner is None and len(keys) > 1 else {**value, keys[0]: inner}
