"""Maps that statements fill: `map.insert("id", value)` and `schema["id"] = value`."""

from dataclasses import replace

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import find_held_name, iter_changes, list_arguments
from reviewer.source import Opaque, Text


def apply_insertions(folder: Folder, name: str, value: Folded, block: Node, place: ExpressionPlace) -> Folded:
    """Follow the statements of a block that put something into a map by its name; any other change hides the value."""
    for change in iter_changes(name, block):
        inside = _find_taken(folder, change, block, place)
        if inside is None:
            continue
        entry = _find_entry(folder, name, change, inside) if not isinstance(inside, Opaque) else None
        made = _insert_entry(value, *entry) if entry is not None else None
        if made is None:
            return folder.build_unknown(change, place)
        value = made
    return value


def _find_taken(folder: Folder, change: Node, block: Node, place: ExpressionPlace) -> ExpressionPlace | Opaque | None:
    """Return whether a run comes by a statement, and with which names; None if it surely does not.

    `if let Some(name) = given` is known to be taken where what is given is.
    """
    statement = change.parent
    if statement is None or statement.type != "expression_statement":
        return folder.build_unknown(change, place)
    if statement.parent == block:
        return place
    branch = statement.parent.parent if statement.parent is not None else None
    branch = branch.parent if branch is not None and branch.type == "else_clause" else branch
    around = branch.parent if branch is not None else None
    outer = around.parent if around is not None and around.type == "expression_statement" else around
    condition = find_child(branch, "condition")
    if branch is None or branch.type != "if_expression" or outer != block or condition is None:
        return folder.build_unknown(change, place)
    return _evaluate_condition(folder, condition, find_child(branch, "consequence") == statement.parent, place)


def _evaluate_condition(
    folder: Folder, condition: Node, consequence: bool, place: ExpressionPlace
) -> ExpressionPlace | Opaque | None:
    """Read a condition whose answer is known: `given`, or `let Some(name) = given`."""
    name = find_held_name(find_child(condition, "pattern")) if condition.type == "let_condition" else None
    asked = folder.fold(find_child(condition, "value") if name is not None else condition, place)
    known = isinstance(asked, bool) if name is None else not isinstance(asked, Opaque)
    if not known or (name is not None and decode_node(condition).split("(")[0].split()[-1] != "Some"):
        return folder.build_unknown(condition, place)
    taken = asked is not None if name is not None else asked
    if not taken or not consequence:
        return place if not taken and not consequence else None
    return replace(place, names={**place.names, name: asked}) if name is not None else place


def _find_entry(folder: Folder, name: str, change: Node, place: ExpressionPlace) -> tuple[list[Folded], Folded] | None:
    """Return the keys, outermost first, and the value that a change puts there."""
    if change.type == "assignment_expression":
        keys: list[Folded] = []
        left = find_child(change, "left")
        while left is not None and left.type == "index_expression":
            left, key = left.named_children
            keys.insert(0, folder.fold(key, place))
        plain = left is not None and decode_node(left) == name
        return (keys, folder.fold(find_child(change, "right"), place)) if plain else None
    arguments = list_arguments(change)
    if decode_node(find_child(find_child(change, "function"), "field") or change) != "insert" or len(arguments) != 2:
        return None
    return [folder.fold(arguments[0], place)], folder.fold(arguments[1], place)


def _insert_entry(value: Folded, keys: list[Folded], given: Folded) -> dict[str, Folded] | None:
    """Return a map with something put into it; None if it is no map, or a key is not known."""
    if not keys or not isinstance(value, dict) or not isinstance(keys[0], Text):
        return None
    inner = given if len(keys) == 1 else _insert_entry(value.get(keys[0]), keys[1:], given)
    return None if inner is None and len(keys) > 1 else {**value, keys[0]: inner}
