"""Rows of a catalog that functions make: `row("item.get", ..)`, `ActionSpec::new("item.get").destructive(true)`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.def_use import find_result, list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.name_resolution import (
    find_owner,
    iter_descendants,
    list_parameters,
    read_last_segment,
)
from reviewer.languages.rust.project.uses import read_segments
from reviewer.text.patterns import pattern

# A function makes a row if it comes to a literal of the type of rows, or of `Self` in a builder of it.
TYPE = pattern(r"^(\w*ActionSpec|Self)$")
# Builders' methods have names that any type may have (`destructive`, `param`); only those of a type of rows set its
# fields.
OWNER = pattern(r"ActionSpec$")
DEEPEST = 12
"""Chained or nested calls: builders of rows have one call for each part, and the tool of rmcp has eight fields."""

RowFields = dict[str, Node]


def resolve_fields(items: RustItems, call: Node, path: str, depth: int = 0) -> RowFields | None:
    """Return the fields of the row that a call makes, or None if it is none that can be read."""
    function = find_child(call, "function") if call.type == "call_expression" else None
    if function is None or depth > DEEPEST:
        return None
    if function.type == "field_expression":
        value = find_child(function, "value")
        before = resolve_fields(items, value, path, depth + 1) if value is not None else None
        return (
            before | _set(items, decode_node(find_child(function, "field") or call), call)
            if before is not None
            else None
        )
    item = items.resolve(read_segments(function), path, "fn", near=call)
    body = find_child(item.node, "body") if isinstance(item, RustItem) else None
    made = find_result(body) if body is not None else None
    if not isinstance(item, RustItem) or made is None:
        return None
    if made.type == "struct_expression" and TYPE.match(read_last_segment(find_child(made, "name") or made)):
        return _bound(item.node, call, _get_literal(items, made, item.path, depth))
    inner = resolve_fields(items, made, item.path, depth + 1)
    return _bound(item.node, call, inner) if inner is not None else None


def map_literal_fields(literal: Node) -> RowFields:
    """Map the names of a struct literal's fields to their values."""
    found = {}
    for part in list_field_children(literal, "body"):
        name = find_child(part, "field") if part.type == "field_initializer" else None
        value = find_child(part, "value")
        if name is not None and value is not None:
            found[decode_node(name)] = value
        elif part.type == "shorthand_field_initializer" and part.named_children:
            found[decode_node(part.named_children[-1])] = part.named_children[-1]
    return found


def find_base_expression(literal: Node) -> Node | None:
    """Return the expression from which a struct literal takes the fields that it does not name."""
    parts = list_field_children(literal, "body")
    rest = next((part for part in parts if part.type == "base_field_initializer"), None)
    return rest.named_children[0] if rest is not None and rest.named_children else None


def _get_literal(items: RustItems, literal: Node, path: str, depth: int) -> RowFields:
    rest = find_base_expression(literal)
    base = resolve_fields(items, rest, path, depth + 1) if rest is not None else None
    return (base or {}) | map_literal_fields(literal)


def _set(items: RustItems, method: str, call: Node) -> RowFields:
    """Return the fields that a builder's method sets."""
    for item in items.find_functions(method):
        if OWNER.search(find_owner(item.node) or "") is None:
            continue
        body = find_child(item.node, "body")
        return _bound(item.node, call, dict(_iter_field_assignments(body))) if body is not None else {}
    return {}


def _iter_field_assignments(body: Node) -> Iterator[tuple[str, Node]]:
    for part in iter_descendants(body):
        left, right = find_child(part, "left"), find_child(part, "right")
        if part.type == "assignment_expression" and left is not None and right is not None:
            if decode_node(left).startswith("self."):
                yield decode_node(left).removeprefix("self."), right
        elif part.type == "struct_expression":
            yield from map_literal_fields(part).items()


def _bound(function: Node, call: Node, given: RowFields) -> RowFields:
    """Put what a call hands over in the place of the function's parameters."""
    names = [decode_node(find_child(part, "pattern") or part) for part in list_parameters(function)]
    handed = dict(zip(names, list_arguments(call), strict=False))
    return {name: handed.get(_get_plain(value), value) for name, value in given.items()}


def _get_plain(value: Node) -> str:
    """Return the text of a value without `Some(..)` around it."""
    found = re.fullmatch(r"Some\((\w+)\)", decode_node(value))
    return found[1] if found is not None else decode_node(value)
