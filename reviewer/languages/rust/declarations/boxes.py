"""rust-mcp-sdk: `#[mcp_tool(..)]` structs, served in the order of `tool_box!(Enum, [A, B])`.

mcp-utils writes that macro for `setup_tools!(pub Type, [text(A), structured(B)])`.
"""

import re
from collections.abc import Iterator
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Server, Tool
from reviewer.languages.nodes import decode_node, find_child, iter_matches
from reviewer.languages.rust.declarations import associated
from reviewer.languages.rust.declarations.circumstances import collect_caller_conditions, collect_conditions
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded, find_unread
from reviewer.languages.rust.project.def_use import list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.schema.rust import sdk
from reviewer.schema.rust.tools import Input
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# rust-mcp-sdk's macro, and mcp-utils', which writes it.
BOXING = pattern(rb"\b(?:tool_box|setup_tools)!")
# rust-mcp-sdk's derive gives each type a function `tool()`. Code that fills a registry by itself calls it where no box
# lists the types.
ASKING = pattern(rb"\w::tool\(\)")
# The same names as `BOXING`, to ask the macro that the grammar found.
BOXES = frozenset({"tool_box", "setup_tools"})
# The hints that `#[mcp_tool(..)]` takes; clients know them in camel case.
HINTS = ("destructive_hint", "idempotent_hint", "open_world_hint", "read_only_hint")


def iter_tool_boxes(items: RustItems) -> Iterator[Server]:
    """Find the lists of tools."""
    return (_build_server(items, path, macro) for path, macro in _iter_macros(items))


def collect_box_types(items: RustItems) -> frozenset[str]:
    """Name the types that the macros make, whose `tools()` gives the list."""
    named = (parts[0][-1] for _, macro in _iter_macros(items) if (parts := _collect_parts(macro)) and parts[0])
    return frozenset(decode_node(name) for name in named)


def _iter_macros(items: RustItems) -> Iterator[tuple[str, Node]]:
    for path in items.find_matching(BOXING):
        for found in iter_matches(items.parse_root(path), "rust", "boxes"):
            named = decode_node(found["name"]) in BOXES and len(_collect_parts(found["macro"])) > 1
            if named and not is_in_test(found["macro"]):
                yield path, found["macro"]


def iter_requested_tools(items: RustItems, folder: str | None) -> Iterator[Tool]:
    """Yield the tools of a package that code asks the types for: `registry.add(Lend::tool(), lend)`."""
    for path in items.find_matching(ASKING):
        for call in items.find_nodes(path, "call_expression") if items.find_package_folder(path) == folder else ():
            if (call.text or b"").endswith(b"::tool()") and not is_in_test(call):
                conditions = (*collect_caller_conditions(items, call), *collect_conditions(items.sources[path], call))
                made = read_tool_call(items, call, path, conditions)
                if made is not None:
                    yield made


def read_tool_call(items: RustItems, call: Node, path: str, conditions: tuple[Condition, ...]) -> Tool | None:
    """Read `Lend::tool()`, where the type carries `#[mcp_tool(..)]`."""
    function = find_child(call, "function")
    names = read_segments(function) if function is not None and function.type == "scoped_identifier" else ()
    if len(names) < 2 or names[-1] != "tool" or list_arguments(call):
        return None
    found = items.resolve(names[:-1], path, "struct", near=call)
    return _find_tool(items, found, conditions) if isinstance(found, RustItem) else None


def _collect_parts(macro: Node) -> list[list[Node]]:
    tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
    return list(tokens.split(tokens.strip_brackets(tree))) if tree is not None else []


def _build_server(items: RustItems, path: str, macro: Node) -> Server:
    parts = _collect_parts(macro)
    listed = parts[1][0] if len(parts) > 1 and parts[1][0].type == "token_tree" else None
    statement = macro.parent if macro.parent is not None and macro.parent.type == "expression_statement" else macro
    outer = attributes.read_conditions(items.sources[path], statement)
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for part in tokens.split(tokens.strip_brackets(listed)) if listed is not None else ():
        part = tokens.strip_brackets(part[1]) if len(part) == 2 and part[1].type == "token_tree" else part
        names = tuple(decode_node(token) for token in part if token.type != "::")
        found = items.resolve(names, path, "struct", "type", near=macro)
        tool = _find_tool(items, found, outer) if isinstance(found, RustItem) else None
        if tool is not None:
            tools.append(tool)
        else:
            reason = f"the tool `{names[-1]}` is not declared in the reviewed files"
            unreadable.append(Opaque(reason, items.locate_node(path, part[0])))
    return Server(None, "rust", "rust-mcp-sdk", items.locate_node(path, macro), tuple(tools), None, tuple(unreadable))


def _find_tool(items: RustItems, item: RustItem, outer: tuple[Condition, ...]) -> Tool | None:
    mark = attributes.find_named(attributes.read_before(item.node), "mcp_tool")
    if mark is None:
        return None
    name = _get_value(items, item, mark, "name")
    schema, parameters = _get_input(items, item)
    return Tool(
        name=name if isinstance(name, Text | Opaque) else None,
        span=item.source.to_span(attributes.list_preceding(item.node)[0].start_point, item.node.end_point),
        description=_find_text(_get_value(items, item, mark, "description")),
        title=_find_text(_get_value(items, item, mark, "title")),
        input_schema=schema,
        annotations=_find_annotations(items, item, mark),
        parameters=parameters,
        conditions=(*outer, *attributes.read_conditions(item.source, item.node)),
    )


def _get_input(items: RustItems, item: RustItem) -> Input:
    """Return the schema that the SDK's macro makes; with schemars' derive, `json_schema()` is a function of the project."""
    name = find_child(item.node, "name")
    if name is None or not _is_of_schemars(items, item):
        return sdk.read_struct(items, item)
    return associated.derive_input_by_function(items, name, item.path, "json_schema", item.span)


def _is_of_schemars(items: RustItems, item: RustItem) -> bool:
    """Return whether the `JsonSchema` that is derived is that of schemars."""
    used = items.read_uses(item.path)
    for mark in attributes.read_before(item.node):
        for each in mark.arguments if mark.name == "derive" else ():
            path = tuple(
                part for part in ("".join(map(decode_node, each.tokens)) or each.name or "").split("::") if part
            )
            full = (*used.names.get(path[0], path[:1]), *path[1:]) if path else ()
            if full[-1:] == ("JsonSchema",) and "schemars" in full[:-1]:
                return True
    return False


def _find_text(value: Folded) -> Text | Opaque | None:
    return value if isinstance(value, Text | Opaque) else None


def _get_value(items: RustItems, item: RustItem, mark: Attribute, name: str) -> Folded:
    argument = mark.find_argument(name)
    if argument is None or not argument.tokens:
        return None
    return ConstantFolder(items).fold(
        tokens.parse_expression(item.source, argument.tokens), ExpressionPlace(item.path, {}, item.node)
    )


def _find_annotations(items: RustItems, item: RustItem, mark: Attribute) -> dict[str, Any] | Opaque | None:
    found: dict[str, Any] = {}
    for name in HINTS:
        value = _get_value(items, item, mark, name)
        opaque = find_unread(value, items.locate_node(item.path, mark.node))
        if opaque is not None:
            return opaque
        if value is not None:
            found[re.sub(r"_(\w)", lambda hit: hit[1].upper(), name)] = value
    return found or None
