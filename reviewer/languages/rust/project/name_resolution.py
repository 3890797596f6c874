"""What a name or a call means in the project: its last segment, the functions it may reach, the constant it gives."""

import re
from collections.abc import Iterator
from itertools import islice

from tree_sitter import Node

from reviewer.caching import cache_latest
from reviewer.languages.nodes import (
    decode_node,
    find_child,
    find_nearest_of_kinds,
    find_parent,
    list_field_children,
    walk_without,
)
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.source import Span

MOST = 8
"""Functions of one name.

If more have it, a call is left unresolved: which one is meant would be a guess. 40 servers had one where nothing else told.
"""

KEPT_BELOW = 12_000
"""Bytes. What larger pieces of code hold is not kept in memory."""

# What is named stands within these, beside the type arguments.
GENERIC = frozenset({"generic_function", "generic_type", "generic_type_with_turbofish"})
# From a name up to the call of it there are only these.
WITHIN_CALLED = frozenset(
    "identifier field_identifier scoped_identifier type_identifier field_expression generic_function".split()
)
# A path as an expression and as a type; the grammar has no common kind.
SCOPED = frozenset({"scoped_identifier", "scoped_type_identifier"})


def find_enclosing_function(node: Node) -> Node | None:
    """Return the function that a node stands in."""
    return find_nearest_of_kinds(node.parent, "function_item")


def list_parameters(function: Node | None) -> list[Node]:
    """Return the parameters of a function, without `self`."""
    return [part for part in list_field_children(function, "parameters") if part.type == "parameter"]


def read_last_segment(name: Node) -> str:
    """Return the last name of a path: `respond` of `core::respond`, `Service` of `Service::<T>`."""
    while name.type in GENERIC or name.type in SCOPED:
        inner = find_child(name, "function") or find_child(name, "type") or find_child(name, "name")
        if inner is None:
            break
        name = inner
    return decode_node(name)


def _find_function(call: Node) -> Node | None:
    """Return the expression that is called, its type arguments left out."""
    function = find_child(call, "function") if call.type == "call_expression" else None
    return (
        find_child(function, "function") if function is not None and function.type == "generic_function" else function
    )


def read_callee_name(call: Node) -> str | None:
    """Return the last name of what is called, of a function as of a method."""
    function = _find_function(call)
    if function is None:
        return None
    if function.type == "field_expression":
        field = find_child(function, "field")
        return decode_node(field) if field is not None else None
    return read_last_segment(function) if function.type in ("identifier", "scoped_identifier") else None


def find_receiver(call: Node) -> Node | None:
    """Return the expression that a method is called on."""
    function = _find_function(call)
    return find_child(function, "value") if function is not None and function.type == "field_expression" else None


def iter_descendants(node: Node, stop: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Return a node and all it holds, in order; what lies in nodes of the types `stop` is left out."""
    large = node.end_byte - node.start_byte > KEPT_BELOW
    return walk_without(node, stop) if large else iter(_collect_held(node, stop))


@cache_latest(maxsize=1024)
def _collect_held(node: Node, stop: frozenset[str]) -> tuple[Node, ...]:
    """Walk a node once: the same functions are looked through for many things, one after the other."""
    return tuple(walk_without(node, stop))


def find_calls(items: RustItems, name: str, path: str) -> list[Node]:
    """Find a file's calls of a function or a method of a name, in order."""
    found: dict[int, Node] = {}
    for hit in re.finditer(rb"\b" + re.escape(name.encode()) + rb"\b", items.sources[path].data):
        above: Node | None = items.parse_root(path).descendant_for_byte_range(*hit.span())
        while above is not None and above.type in WITHIN_CALLED:
            above = find_parent(above)
        if above is not None and above.type == "call_expression" and read_callee_name(above) == name:
            found[above.id] = above
    return sorted(found.values(), key=lambda each: (each.start_byte, -each.end_byte))


def resolve_callees(items: RustItems, call: Node, path: str) -> list[RustItem]:
    """Find the functions of the project that a call may reach: the ones in the same file if there are any."""
    on, function = find_receiver(call), _find_function(call)
    if function is None or (on is not None and decode_node(on) not in ("self", "Self")):
        return []
    return (
        resolve_function(items, function, path)
        if on is None
        else _collect_near(items, read_callee_name(call) or "", path, of_type=True)
    )


def resolve_function(items: RustItems, function: Node, path: str) -> list[RustItem]:
    """Find the functions that a name or a path such as `helpers::page` means."""
    name = read_last_segment(function)
    before = find_child(function, "path") if function.type == "scoped_identifier" else None
    module = read_last_segment(before) if before is not None else "self"
    if module in ("Self", "self", "crate", "super"):
        return _collect_near(items, name, path, of_type=module == "Self")
    inside = [each for each in items.find_declaring(name, "fn") if module in _collect_modules(each)]
    files = {*inside, *items.find_declaring(name, "fn", owner=module)}
    found = (item for each in items.sources if each in files for item in items.find_declared_in(each, name, "fn"))
    return list(
        islice((each for each in found if module in (find_owner(each.node), *_collect_modules(each.path))), MOST)
    )


def _collect_near(items: RustItems, name: str, path: str, *, of_type: bool) -> list[RustItem]:
    """Find the methods or the free functions of a name: those of the same file, or all if there are not too many."""

    def find_within(file: str) -> list[RustItem]:
        found = items.find_declared_in(file, name, "fn")
        return [each for each in found if (find_owner(each.node) is not None) == of_type]

    files = items.find_declaring(name, "fn")
    found = find_within(path) if path in files else []
    if found:
        return found
    for file in files:
        found += find_within(file)
        if len(found) > MOST:
            return []
    return found


def find_owner(function: Node) -> str | None:
    """Name the type or trait that a function is a method of."""
    node = function.parent
    while node is not None and node.type == "declaration_list":
        node = find_parent(node)
    if node is None or node.type not in ("impl_item", "trait_item"):
        return None
    name = find_child(node, "type") or find_child(node, "name")
    return read_last_segment(name) if name is not None else ""


def _collect_modules(path: str) -> list[str]:
    return path.removesuffix(".rs").split("/")[-2:]


def resolve_constant(items: RustItems, name: Node, path: str) -> tuple[Node, str] | None:
    """Find the value of a constant, in the same file if it has one of the name."""
    if name.type not in ("identifier", "scoped_identifier"):
        return None
    found = items.find_constants(decode_node(name).split("::")[-1])
    near = [each for each in found if each.path == path]
    if not near and name.type == "scoped_identifier":
        module = decode_node(name).split("::")[-2]
        near = [each for each in found if module in each.path.removesuffix(".rs").split("/")[-2:]]
    chosen = near[:1] or (found if len(found) == 1 else [])
    value = find_child(chosen[0].node, "value") if chosen else None
    return (value, chosen[0].path) if value is not None else None


def list_arms(match: Node) -> list[Node]:
    """Return the arms of a match."""
    body = find_child(match, "body")
    return [arm for arm in body.named_children if arm.type == "match_arm"] if body is not None else []


def find_function_at(items: RustItems, span: Span) -> RustItem | None:
    """Return the function that stands at a place, or that an attribute there is of."""
    if span.path not in items.sources:
        return None
    start, _ = items.sources[span.path].reach(span)
    node = items.parse_root(span.path).descendant_for_byte_range(start, start)
    while node is not None and node.type != "function_item":
        node = node.parent if node.type != "attribute_item" else node.next_named_sibling
    return RustItem(span.path, node, items.sources[span.path]) if node is not None else None
