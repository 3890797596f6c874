"""Maps that statements fill: `map.insert("id", value)` and `schema["id"] = value`."""

import re
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
        if _get_method(change) == LENDING and isinstance(value, dict):
            keys = _read_keys(folder, name, find_child(find_child(change, "function"), "value"), place)
            inner = _find_inner(value, keys) if keys is not None else None
            if inner is None:
                return folder.build_unknown(change, place)
            filled = _fill_by_reference(folder, change, inner, block, place)
            made = _insert_entry(value, keys, filled) if keys else filled
            if isinstance(filled, Opaque) or made is None:
                return folder.build_unknown(change, place)
            value = made
            continue
        inside = _find_taken(folder, change, block, place)
        if inside is None:
            continue
        entry = _find_entry(folder, name, change, inside) if not isinstance(inside, Opaque) else None
        made = _insert_entry(value, *entry) if entry is not None else None
        if made is None and not isinstance(inside, Opaque):
            made = _extend(folder, value, change, inside)
        if made is None:
            return folder.build_unknown(change, place)
        value = made
    return value


LENDING = "as_object_mut"
"""The method that gives the map of a JSON object to change it in place; of an object it surely gives one."""

# What leaves the map that is lent as it is.
UNWRAPPING = frozenset({"unwrap", "expect", "as_mut"})


def _get_method(call: Node) -> str:
    return decode_node(find_child(find_child(call, "function"), "field") or call)


def _fill_by_reference(folder: Folder, reference: Node, value: Folded, block: Node, place: ExpressionPlace) -> Folded:
    """Follow what is put into the map that an object lends: at once, by a name, or where `if let` gives it one."""
    outer = reference
    while (step := _find_next(outer)) is not None and _get_method(step) in UNWRAPPING:
        outer = step
    above = outer.parent
    if step is not None and step.parent is not None and step.parent.type == "expression_statement":
        arguments = [folder.fold(each, place) for each in list_arguments(step)]
        made = _put(value, _get_method(step), arguments) if step.parent.parent == block else None
        return made if made is not None else folder.build_unknown(reference, place)
    if above is not None and above.type == "let_declaration" and above.parent == block:
        own = decode_node(find_child(above, "pattern") or above)
        return _apply_by_name(folder, own, value, block, place)
    pairs = _pair_condition(outer)
    branch = pairs[0].parent if pairs is not None else None
    taken = find_child(branch, "consequence") if branch is not None and branch.type == "if_expression" else None
    statement = branch.parent if branch is not None else None
    at = statement.parent if statement is not None and statement.type == "expression_statement" else statement
    if pairs is None or taken is None or at != block:
        return folder.build_unknown(reference, place)
    names = {name: folder.fold(given, place) for name, given in pairs[1].items() if given != outer}
    if any(not isinstance(each, dict) for each in names.values()):
        return folder.build_unknown(reference, place)
    own = next(name for name, given in pairs[1].items() if given == outer)
    return _apply_by_name(folder, own, value, taken, replace(place, names={**place.names, **names}))


def _apply_by_name(folder: Folder, name: str, value: Folded, block: Node, place: ExpressionPlace) -> Folded:
    """Follow what is put into a map by the name that it is lent under; where that is handed on, anything may be."""
    handed = re.search(rf"(?<!let )(?<!let mut )\b{re.escape(name)}\b(?!\s*[.\[])", decode_node(block))
    return apply_insertions(folder, name, value, block, place) if handed is None else folder.build_unknown(block, place)


def _find_next(call: Node) -> Node | None:
    """Return the method call on the result of a call."""
    field = call.parent
    around = field.parent if field is not None and field.type == "field_expression" else None
    return around if around is not None and around.type == "call_expression" else None


def _pair_condition(given: Node) -> tuple[Node, dict[str, Node]] | None:
    """Return the `let` in a condition that gives names to what maps lend, with these: also to several at once."""
    above = given.parent
    condition = above.parent if above is not None and above.type == "tuple_expression" else above
    pattern, value = find_child(condition, "pattern"), find_child(condition, "value")
    if condition is None or condition.type != "let_condition" or pattern is None or value is None:
        return None
    parts = (pattern.named_children, value.named_children) if value.type == "tuple_expression" else ([pattern], [value])
    names = [find_held_name(each) for each in parts[0]]
    found = {name: each for name, each in zip(names, parts[1], strict=False) if name is not None}
    return (condition, found) if len(found) == len(parts[1]) == len(names) else None


def _extend(folder: Folder, value: Folded, change: Node, place: ExpressionPlace) -> dict[str, Folded] | None:
    """Return a map with all that another one holds: `map.extend(more)`."""
    given = list_arguments(change) if change.type == "call_expression" else []
    return _put(value, _get_method(change), [folder.fold(each, place) for each in given])


def _put(value: Folded, method: str, given: list[Folded]) -> dict[str, Folded] | None:
    if method == "insert" and len(given) == 2:
        return _insert_entry(value, [given[0]], given[1])
    is_known = isinstance(value, dict) and len(given) == 1 and isinstance(given[0], dict)
    return {**value, **given[0]} if method == "extend" and is_known else None


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
        keys = _read_keys(folder, name, find_child(change, "left"), place)
        return (keys, folder.fold(find_child(change, "right"), place)) if keys is not None else None
    arguments = list_arguments(change)
    if decode_node(find_child(find_child(change, "function"), "field") or change) != "insert" or len(arguments) != 2:
        return None
    return [folder.fold(arguments[0], place)], folder.fold(arguments[1], place)


def _read_keys(folder: Folder, name: str, node: Node | None, place: ExpressionPlace) -> list[Folded] | None:
    """Return the keys, outermost first, under which an entry of a map is read by its name; None if it is of another value."""
    keys: list[Folded] = []
    while node is not None and node.type == "index_expression":
        node, key = node.named_children
        keys.insert(0, folder.fold(key, place))
    return keys if node is not None and decode_node(node) == name else None


def _find_inner(value: Folded, keys: list[Folded]) -> Folded | None:
    """Return the map that lies under some keys, None if none is known to."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) and isinstance(key, Text) else None
    return value if isinstance(value, dict) else None


def _insert_entry(value: Folded, keys: list[Folded], given: Folded) -> dict[str, Folded] | None:
    """Return a map with something put into it; None if it is no map, or a key is not known."""
    if not keys or not isinstance(value, dict) or not isinstance(keys[0], Text):
        return None
    inner = given if len(keys) == 1 else _insert_entry(value.get(keys[0]), keys[1:], given)
    return None if inner is None and len(keys) > 1 else {**value, keys[0]: inner}
