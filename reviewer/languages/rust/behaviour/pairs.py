"""Handlers that code hands over together with their tools: `registry.register(Lend::tool(), lend)`, `(lend_tool(), lend)`, or
that it keeps under their names: `handlers.insert("lend", Box::new(Lend::new()))`.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Handler, Tool
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, list_field_children
from reviewer.languages.rust.behaviour.argument_use import RustFunctionReading
from reviewer.languages.rust.behaviour.effects import collect_acts
from reviewer.languages.rust.declarations.registries import type_of_value
from reviewer.languages.rust.evaluation.instances import SHARED
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import (
    find_calls,
    find_enclosing_function,
    find_owner,
    iter_descendants,
    list_parameters,
    read_callee_name,
    resolve_function,
)
from reviewer.source import Text

RUNNING = ("run_tool", "call_tool", "call", "execute", "run", "handle", "invoke")
"""What the function is called by which a type that is a tool does its work."""

NAMING = frozenset({"string_content", "string_literal", "field_expression", "call_expression"})
"""What a name stands in where it is made a text of its own: `"lend".to_string()`."""

HOLDERS = frozenset({"arguments", "tuple_expression", "field_initializer_list", "array_expression"})
"""What holds a tool beside the function that answers its calls: the arguments of a call, a tuple, the fields of a struct."""

FORM = frozenset({"try_expression", "parenthesized_expression", "reference_expression", "field_initializer"})
"""What an expression may stand in within such a holder."""


def find_handler_beside(items: RustItems, tool: Tool) -> Handler | None:
    """Return the function that is handed over together with a tool, None if there is none, or more than one."""
    found: dict[int, RustItem] = {}
    for path, made in _iter_mentions(items, tool):
        for each in _iter_beside(items, path, made):
            found[each.node.id] = each
    if len(found) != 1:
        return None
    return _get_handler(items, *found.values())


def find_handler_by_name(items: RustItems, tool: Tool) -> Handler | None:
    """Return the method of the only object that is kept under a tool's name, None if there is none, or more than one."""
    if not isinstance(tool.name, Text):
        return None
    types = {
        type_
        for path, value in _iter_beside_name(items, tool.name)
        if (type_ := _find_boxed_type(items, path, value)) is not None
    }
    found = [each for method in RUNNING for each in items.find_functions(method) if find_owner(each.node) in types]
    if len(types) != 1 or len(found) != 1:
        return None
    return _get_handler(items, found[0])


def _iter_beside_name(items: RustItems, name: str) -> Iterator[tuple[str, Node]]:
    """Yield the arguments or tuple elements that follow a tool's name."""
    literal = re.compile(rb'"' + re.escape(name.encode()) + rb'"')
    for path in items.find_matching(literal):
        for hit in literal.finditer(items.sources[path].data):
            node = items.parse_root(path).descendant_for_byte_range(*hit.span())
            while node is not None and node.type in NAMING and node.parent is not None:
                node = node.parent
            if node is None or node.type not in ("arguments", "tuple_expression") or is_in_test(node):
                continue
            first, *others = node.named_children
            if first.start_byte <= hit.start() < first.end_byte and decode_node(first).strip().startswith(
                ('"', "String")
            ):
                yield from ((path, each) for each in others[:1])


def _find_boxed_type(items: RustItems, path: str, value: Node) -> str | None:
    """Return the type of an object that is made in a box: `Box::new(Lend::new())`, `Arc::new(Lend)`."""
    function = find_child(value, "function")
    names = decode_node(function).split("::") if function is not None else []
    inner = (
        list(list_field_children(value, "arguments"))
        if names[-1:] == ["new"] and names[-2:-1] and names[-2] in SHARED
        else []
    )
    return type_of_value(items, path, inner[0]) if len(inner) == 1 else None


def _get_handler(items: RustItems, function: RustItem) -> Handler:
    text = items.locate_text(function.path, find_child(function.node, "name") or function.node)
    taken = RustFunctionReading(items, function.node, function.path)
    acts = collect_acts(items, function.node, function.path)
    return taken.attach_to_handler(Handler(text, items.locate_node(function.path, function.node), acts=acts))


def _iter_mentions(items: RustItems, tool: Tool) -> Iterator[tuple[str, Node]]:
    """Yield the expressions that give a tool: where it is made, or calls of what makes it."""
    path = tool.span.path
    if path not in items.sources:
        return
    root = items.parse_root(path)
    start, end = (tool.span.line - 1, tool.span.column - 1), (tool.span.end_line - 1, tool.span.end_column - 1)
    made = root.descendant_for_point_range(start, end)
    last = find_nearest_of_kinds(root.descendant_for_point_range((end[0], 0), end), "struct_item")
    if last is not None and last.end_point[0] == end[0]:
        type_ = decode_node(find_child(last, "name") or last)
        for other in items.find_matching(re.compile(rb"\b" + re.escape(type_.encode()) + rb"::tool\(\)")):
            for call in find_calls(items, "tool", other):
                function = find_child(call, "function")
                if function is not None and decode_node(function).rpartition("::")[0].endswith(type_):
                    yield other, call
        return
    if made is None:
        return
    yield path, made
    maker = find_enclosing_function(made)
    name = find_child(maker, "name")
    if maker is not None and name is not None and not list_parameters(maker):
        for other in items.find_matching(re.compile(rb"\b" + re.escape(decode_node(name).encode()) + rb"\(\)")):
            yield from (
                (other, call)
                for call in find_calls(items, decode_node(name), other)
                if read_callee_name(call) is not None
            )


def _iter_beside(items: RustItems, path: str, made: Node) -> Iterator[RustItem]:
    """Yield the functions that stand beside an expression where it is handed over, or in the call that it is."""
    if is_in_test(made):
        return
    while made.parent is not None and made.parent.type in FORM:
        made = made.parent
    holders = [made.parent] if made.parent is not None and made.parent.type in HOLDERS else []
    if made.type == "call_expression":
        holders += [each for each in [find_child(made, "arguments")] if each is not None]
    for holder in holders:
        for each in holder.named_children:
            if each != made:
                yield from _iter_functions(items, path, find_child(each, "value") or each)


def _iter_functions(items: RustItems, path: str, value: Node) -> Iterator[RustItem]:
    """Yield the function that a value is, or is a box of: `lend`, `handlers::lend`, `Box::new(|given| lend(given))`."""
    if value.type in ("identifier", "scoped_identifier"):
        found = resolve_function(items, value, path)
        yield from found if len(found) == 1 else ()
    elif value.type == "call_expression" and read_callee_name(value) in ("new", "pin", "from"):
        for each in list_field_children(value, "arguments"):
            yield from _iter_functions(items, path, each)
    elif value.type == "closure_expression":
        body = find_child(value, "body")
        inner = {
            each.node.id: each
            for call in (iter_descendants(body) if body is not None else ())
            if call.type == "call_expression" and (function := find_child(call, "function")) is not None
            if function.type in ("identifier", "scoped_identifier")
            for each in resolve_function(items, function, path)
        }
        yield from inner.values() if len(inner) == 1 else ()
