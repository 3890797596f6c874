"""Rows of a catalog that functions make: `row("item.get", ..)`, `ActionSpec::new("item.get").destructive(true)`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, named_in, string_of
from reviewer.languages.rust.project.def_use import arguments_of, result_of
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.name_resolution import below, last_segment, owner, parameters_of
from reviewer.languages.rust.project.uses import segments
from reviewer.text.patterns import pattern

TYPE = pattern(r"^(\w*ActionSpec|Self)$")
OWNER = pattern(r"ActionSpec$")
DEEPEST = 12
"""How many calls may be chained, or stand one in another."""

Given = dict[str, Node]


def fields(items: RustItems, call: Node, path: str, depth: int = 0) -> Given | None:
    """Return the fields of the row that a call makes, or None if it is none that can be read."""
    function = child(call, "function") if call.type == "call_expression" else None
    if function is None or depth > DEEPEST:
        return None
    if function.type == "field_expression":
        value = child(function, "value")
        before = fields(items, value, path, depth + 1) if value is not None else None
        return before | _set(items, string_of(child(function, "field") or call), call) if before is not None else None
    item = items.resolve(segments(function), path, "fn", near=call)
    body = child(item.node, "body") if isinstance(item, RustItem) else None
    made = result_of(body) if body is not None else None
    if not isinstance(item, RustItem) or made is None:
        return None
    if made.type == "struct_expression" and TYPE.match(last_segment(child(made, "name") or made)):
        return _bound(item.node, call, _get_literal(items, made, item.path, depth))
    inner = fields(items, made, item.path, depth + 1)
    return _bound(item.node, call, inner) if inner is not None else None


def literal_fields(literal: Node) -> Given:
    """Map the names of a struct literal's fields to their values."""
    found = {}
    for part in named_in(literal, "body"):
        name = child(part, "field") if part.type == "field_initializer" else None
        value = child(part, "value")
        if name is not None and value is not None:
            found[string_of(name)] = value
        elif part.type == "shorthand_field_initializer" and part.named_children:
            found[string_of(part.named_children[-1])] = part.named_children[-1]
    return found


def rest_of(literal: Node) -> Node | None:
    """Return the expression from which a struct literal takes the fields that it does not name."""
    parts = named_in(literal, "body")
    rest = next((part for part in parts if part.type == "base_field_initializer"), None)
    return rest.named_children[0] if rest is not None and rest.named_children else None


def _get_literal(items: RustItems, literal: Node, path: str, depth: int) -> Given:
    rest = rest_of(literal)
    base = fields(items, rest, path, depth + 1) if rest is not None else None
    return (base or {}) | literal_fields(literal)


def _set(items: RustItems, method: str, call: Node) -> Given:
    """Return the fields that a builder's method sets."""
    for item in items.functions(method):
        if OWNER.search(owner(item.node) or "") is None:
            continue
        body = child(item.node, "body")
        return _bound(item.node, call, dict(_iter_assigned(body))) if body is not None else {}
    return {}


def _iter_assigned(body: Node) -> Iterator[tuple[str, Node]]:
    for part in below(body):
        left, right = child(part, "left"), child(part, "right")
        if part.type == "assignment_expression" and left is not None and right is not None:
            if string_of(left).startswith("self."):
                yield string_of(left).removeprefix("self."), right
        elif part.type == "struct_expression":
            yield from literal_fields(part).items()


def _bound(function: Node, call: Node, given: Given) -> Given:
    """Put what a call hands over in the place of the function's parameters."""
    names = [string_of(child(part, "pattern") or part) for part in parameters_of(function)]
    handed = dict(zip(names, arguments_of(call), strict=False))
    return {name: handed.get(_get_plain(value), value) for name, value in given.items()}


def _get_plain(value: Node) -> str:
    """Return the text of a value without `Some(..)` around it."""
    found = re.fullmatch(r"Some\((\w+)\)", string_of(value))
    return found[1] if found is not None else string_of(value)
