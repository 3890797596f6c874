"""What a name or a call means in the project: its last segment, the functions it may reach, the constant it gives."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from tree_sitter import Node

from reviewer.languages.nodes import child, named_in, nearest, parent_of, string_of, walk_without
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.source import Span

MOST = 8
"""A name that more functions bear is not followed."""

KEPT_BELOW = 12_000
"""Bytes. What larger pieces of code hold is not kept in memory."""

GENERIC = frozenset({"generic_function", "generic_type", "generic_type_with_turbofish"})
WITHIN_CALLED = frozenset(
    "identifier field_identifier scoped_identifier type_identifier field_expression generic_function".split()
)
SCOPED = frozenset({"scoped_identifier", "scoped_type_identifier"})


def function_around(node: Node) -> Node | None:
    """Return the function that a node stands in."""
    return nearest(node.parent, "function_item")


def parameters_of(function: Node | None) -> list[Node]:
    """Return the parameters of a function, without `self`."""
    return [part for part in named_in(function, "parameters") if part.type == "parameter"]


def last_segment(name: Node) -> str:
    """Return the last name of a path: `respond` of `core::respond`, `Service` of `Service::<T>`."""
    while name.type in GENERIC or name.type in SCOPED:
        inner = child(name, "function") or child(name, "type") or child(name, "name")
        if inner is None:
            break
        name = inner
    return string_of(name)


def _find_function(call: Node) -> Node | None:
    """Return the expression that is called, its type arguments left out."""
    function = child(call, "function") if call.type == "call_expression" else None
    return child(function, "function") if function is not None and function.type == "generic_function" else function


def called(call: Node) -> str | None:
    """Return the last name of what is called, of a function as of a method."""
    function = _find_function(call)
    if function is None:
        return None
    if function.type == "field_expression":
        field = child(function, "field")
        return string_of(field) if field is not None else None
    return last_segment(function) if function.type in ("identifier", "scoped_identifier") else None


def receiver(call: Node) -> Node | None:
    """Return the expression that a method is called on."""
    function = _find_function(call)
    return child(function, "value") if function is not None and function.type == "field_expression" else None


def below(node: Node, stop: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Return a node and all it holds, in order; what lies in nodes of the types `stop` is left out."""
    large = node.end_byte - node.start_byte > KEPT_BELOW
    return walk_without(node, stop) if large else iter(_collect_held(node, stop))


@lru_cache(maxsize=1024)
def _collect_held(node: Node, stop: frozenset[str]) -> tuple[Node, ...]:
    """Walk a node once: the same functions are looked through for many things, one after the other."""
    return tuple(walk_without(node, stop))


def calls(items: RustItems, name: str, path: str) -> list[Node]:
    """Find a file's calls of a function or a method of a name, in order."""
    found: dict[int, Node] = {}
    for hit in re.finditer(rb"\b" + re.escape(name.encode()) + rb"\b", items.sources[path].data):
        above: Node | None = items.root(path).descendant_for_byte_range(*hit.span())
        while above is not None and above.type in WITHIN_CALLED:
            above = parent_of(above)
        if above is not None and above.type == "call_expression" and called(above) == name:
            found[above.id] = above
    return sorted(found.values(), key=lambda each: (each.start_byte, -each.end_byte))


def targets(items: RustItems, call: Node, path: str) -> list[RustItem]:
    """Find the functions of the project that a call may reach: the ones in the same file if there are any."""
    on, function = receiver(call), _find_function(call)
    if function is None or (on is not None and string_of(on) not in ("self", "Self")):
        return []
    return named(items, function, path) if on is None else _collect_near(items, called(call) or "", path, of_type=True)


def named(items: RustItems, function: Node, path: str) -> list[RustItem]:
    """Find the functions that a name or a path such as `helpers::page` means."""
    name = last_segment(function)
    before = child(function, "path") if function.type == "scoped_identifier" else None
    module = last_segment(before) if before is not None else "self"
    if module in ("Self", "self", "crate", "super"):
        return _collect_near(items, name, path, of_type=module == "Self")
    inside = [each for each in items.declaring(name, "fn") if module in _collect_modules(each)]
    files = {*inside, *items.declaring(name, "fn", owner=module)}
    found = (item for each in items.sources if each in files for item in items.declared_in(each, name, "fn"))
    return list(islice((each for each in found if module in (owner(each.node), *_collect_modules(each.path))), MOST))


def _collect_near(items: RustItems, name: str, path: str, *, of_type: bool) -> list[RustItem]:
    """Find the methods or the free functions of a name: those of the same file, or all if there are not too many."""

    def within(file: str) -> list[RustItem]:
        found = items.declared_in(file, name, "fn")
        return [each for each in found if (owner(each.node) is not None) == of_type]

    files = items.declaring(name, "fn")
    found = within(path) if path in files else []
    if found:
        return found
    for file in files:
        found += within(file)
        if len(found) > MOST:
            return []
    return found


def owner(function: Node) -> str | None:
    """Name the type or trait that a function is a method of."""
    node = function.parent
    while node is not None and node.type == "declaration_list":
        node = parent_of(node)
    if node is None or node.type not in ("impl_item", "trait_item"):
        return None
    name = child(node, "type") or child(node, "name")
    return last_segment(name) if name is not None else ""


def _collect_modules(path: str) -> list[str]:
    return path.removesuffix(".rs").split("/")[-2:]


def constant(items: RustItems, name: Node, path: str) -> tuple[Node, str] | None:
    """Find the value of a constant, in the same file if it has one of the name."""
    if name.type not in ("identifier", "scoped_identifier"):
        return None
    found = items.consts(string_of(name).split("::")[-1])
    near = [each for each in found if each.path == path]
    if not near and name.type == "scoped_identifier":
        module = string_of(name).split("::")[-2]
        near = [each for each in found if module in each.path.removesuffix(".rs").split("/")[-2:]]
    chosen = near[:1] or (found if len(found) == 1 else [])
    value = child(chosen[0].node, "value") if chosen else None
    return (value, chosen[0].path) if value is not None else None


def arms_of(match: Node) -> list[Node]:
    """Return the arms of a match."""
    body = child(match, "body")
    return [arm for arm in body.named_children if arm.type == "match_arm"] if body is not None else []


def function_at(items: RustItems, span: Span) -> RustItem | None:
    """Return the function that stands at a place, or that an attribute there is of."""
    if span.path not in items.sources:
        return None
    start, _ = items.sources[span.path].reach(span)
    node = items.root(span.path).descendant_for_byte_range(start, start)
    while node is not None and node.type != "function_item":
        node = node.parent if node.type != "attribute_item" else node.next_named_sibling
    return RustItem(span.path, node, items.sources[span.path]) if node is not None else None
