"""Reading code as code: what a block comes to, where a name is bound, which impl something stands in."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, find_parent
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax.tokens import BESIDE

SHOWN = 60
"""Characters of an expression that a reason quotes."""

UNCHANGING = frozenset(
    "into to_string to_owned clone cloned unwrap expect as_object as_str as_ref into_owned as_deref to_vec into_iter iter "
    "as_slice collect leak unwrap_or_default try_into copied into_boxed_str borrow deref".split()
)
"""Methods that give what they are called on, as far as JSON goes."""


def format_short(node: Node) -> str:
    """Return the source of a node on one short line."""
    text = " ".join(decode_node(node).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def list_arguments(call: Node) -> list[Node]:
    """Return the arguments of a call."""
    found = find_child(call, "arguments")
    return [part for part in found.named_children if part.type not in BESIDE] if found is not None else []


def find_result(block: Node, fits: Callable[[Node], bool] = lambda _: False) -> Node | None:
    """Return the expression that a block comes to, or None if there are several or none.

    `fits` says of a `let .. else` that its pattern takes the value, so that the `else` is never entered.
    """
    parts = [part for part in block.named_children if part.type not in BESIDE]
    left = [part for part in parts[:-1] if any(True for _ in _iter_returns(part))]
    if not parts or any(find_child(part, "alternative") is None or not fits(part) for part in left):
        return None
    last = parts[-1]
    if last.type == "expression_statement":
        last = last.named_children[0] if last.named_children else last
    if last.type == "return_expression":
        return last.named_children[0] if last.named_children else None
    return None if last.type == "let_declaration" else last


def find_impl_type(node: Node) -> str | None:
    """Name the type of the impl block around a node."""
    type_ = find_child(find_nearest_of_kinds(node, "impl_item"), "type")
    return read_segments(type_)[-1] if type_ is not None else None


def _iter_returns(node: Node) -> Iterator[Node]:
    if node.type == "return_expression":
        yield node
    elif node.type not in ("closure_expression", "function_item"):
        for part in node.named_children:
            yield from _iter_returns(part)


def find_binding(name: str, node: Node, anchor: Node | None) -> tuple[Node | None, Node | None] | None:
    """Find the `let` that a name comes from and, if it may change, its block; (None, None) for what a run binds."""
    found = _find_binder(name, node, anchor)
    if found is None:
        return None
    part, block = found
    if part.type in ("const_item", "static_item"):
        return find_child(part, "value"), None
    if part.type != "let_declaration":
        return None, None
    pattern, value = find_child(part, "pattern"), find_child(part, "value")
    changing = any(each.type == "mutable_specifier" for each in part.named_children)
    plain = pattern is not None and (pattern.type == "identifier" or find_held_name(pattern) == name)
    return (value if plain else None), (block if changing else None)


def find_taken_field(name: str, node: Node, anchor: Node | None) -> tuple[Node, str] | None:
    """Return the value and its field that `let Lamp { name, place: other } = value` gives a name; None for any other binding."""
    found = _find_binder(name, node, anchor)
    pattern = find_child(found[0], "pattern") if found is not None and found[0].type == "let_declaration" else None
    value = find_child(found[0], "value") if found is not None else None
    if pattern is None or value is None or pattern.type != "struct_pattern":
        return None
    for part in pattern.named_children:
        if part.type == "field_pattern" and not any(each.type == "mutable_specifier" for each in part.named_children):
            field, inner = find_child(part, "name"), find_child(part, "pattern")
            if field is not None and decode_node(inner or field) == name:
                return value, decode_node(field)
    return None


def _find_binder(name: str, node: Node, anchor: Node | None) -> tuple[Node, Node] | None:
    """Find what binds a name that is used at a node, and what that stands in."""
    before, current = node.start_byte, node.parent
    while current is not None or anchor is not None:
        if current is None:
            current, anchor = anchor, None
            continue
        if current.type == "block":
            for part in reversed(current.named_children):
                if part.type == "let_declaration" and part.end_byte <= before and _binds(part, name):
                    return part, current
                if part.type in ("const_item", "static_item") and decode_node(find_child(part, "name") or part) == name:
                    return part, current
        if current.type in BINDING and _binds(current, name):
            return current, current
        if current.type in ("function_item", "source_file") and (current.type == "function_item" or anchor is None):
            return None
        current = find_parent(current)
    return None


def bind_names(pattern: Node, value: Any) -> dict[str, Any] | None:
    """Pair the names of `name`, `&name` or `(one, two)` with a value; None for any other pattern."""
    while pattern.type in ("reference_pattern", "parameter", "mut_pattern") and pattern.named_children:
        pattern = pattern.named_children[-1] if pattern.type != "parameter" else pattern.named_children[0]
    if pattern.type == "identifier":
        return {decode_node(pattern): value}
    if pattern.type == "_":
        return {}
    parts = [part for part in pattern.children if part.is_named or part.type == "_"]
    if pattern.type != "tuple_pattern" or not isinstance(value, list) or len(parts) != len(value):
        return None
    found: dict[str, Any] = {}
    for part, held in zip(parts, value, strict=True):
        inner = bind_names(part, held)
        if inner is None:
            return None
        found |= inner
    return found


HOLDING = frozenset({"Object", "Some", "Ok"})
"""Variants that hold what JSON means by them."""


def find_held_name(pattern: Node | None) -> str | None:
    """Return the name that `Value::Object(name)`, `Ok(Value::Object(name))` and the like bind."""
    while pattern is not None and pattern.type == "match_pattern" and len(pattern.named_children) == 1:
        pattern = pattern.named_children[0]
    if pattern is None or pattern.type != "tuple_struct_pattern" or len(pattern.named_children) != 2:
        return None
    type_, inner = pattern.named_children
    if read_segments(type_)[-1] not in HOLDING:
        return None
    return decode_node(inner) if inner.type == "identifier" else find_held_name(inner)


def find_object_branch(node: Node) -> tuple[str, Node] | None:
    """Return the branch that a `match` or `if let` takes for a JSON object, and the name of the object in it."""
    if node.type == "if_expression":
        name, taken = (
            find_held_name(find_child(find_child(node, "condition"), "pattern")),
            find_child(node, "consequence"),
        )
        return (name, taken) if name is not None and taken is not None else None
    for arm in find_child(node, "body").named_children if find_child(node, "body") else ():  # type: ignore[union-attr]
        pattern, taken = find_child(arm, "pattern"), find_child(arm, "value")
        if pattern is None or taken is None:
            continue
        name = find_held_name(pattern)
        if name is not None:
            return name, taken
        if decode_node(pattern) == "_" or pattern.named_children[:1] == [] or "Object" in decode_node(pattern):
            return None
    return None


# Besides `let`, these give a name a value that only a run tells; a name found in one is looked for no further out.
BINDING = frozenset({"function_item", "closure_expression", "for_expression", "match_arm", "if_expression"})


def _binds(node: Node, name: str) -> bool:
    """Return whether a construct binds a name in its pattern or parameters."""
    spot = find_child(node, "pattern") or find_child(node, "parameters")
    if spot is None and node.type == "if_expression":
        spot = find_child(find_child(node, "condition"), "pattern")
    return spot is not None and re.search(rf"\b{re.escape(name)}\b", decode_node(spot)) is not None


def iter_changes(name: str, block: Node) -> Iterator[Node]:
    """Find what may change the value of a name: method calls on it, assignments to it or a part, and borrows to change."""
    for part in block.named_children:
        if part.type == "call_expression":
            function = find_child(part, "function")
            value = (
                find_child(function, "value") if function is not None and function.type == "field_expression" else None
            )
            method = decode_node(find_child(function, "field") or part)
            while value is not None and value.type == "index_expression" and method.endswith("_mut"):
                value = value.named_children[0]  # `schema["properties"].as_object_mut()` lends a part of it
            if value is not None and decode_node(value) == name:
                if method not in UNCHANGING:
                    yield part
                continue
        if _assigns(part, name) or _is_mutable_reference(part, name):
            yield part
            continue
        yield from iter_changes(name, part)


def _assigns(node: Node, name: str) -> bool:
    """Return whether an assignment is to a name, or to a part of what it holds."""
    place = find_child(node, "left") if node.type in ("assignment_expression", "compound_assignment_expr") else None
    while place is not None and place.type in ("index_expression", "field_expression"):
        place = place.named_children[0]
    return place is not None and decode_node(place) == name


def _is_mutable_reference(node: Node, name: str) -> bool:
    """Return whether an expression is `&mut name`."""
    return node.type == "reference_expression" and decode_node(node).split() == ["&mut", name]


def resolve_local(name: Node) -> Node | None:
    """Return the expression that a local name is bound to, if it is never bound to another."""
    found = find_binding(decode_node(name), name, None)
    return found[0] if found is not None else None
