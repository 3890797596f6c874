"""Where the tool calls of a Rust server come in, and what keeps a handler's panic from leaving them unanswered."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Entry, Server
from reviewer.languages.nodes import child, matches, parent_of, span_of, string_of, text_of
from reviewer.languages.rust.behaviour.aborts import abort
from reviewer.languages.rust.behaviour.catching import BARE, Flow, answers
from reviewer.languages.rust.behaviour.domain import attributes
from reviewer.languages.rust.callees import below, called, last_segment
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.sightings import sighted
from reviewer.source import Span, Text

SERVING = re.compile(rb"ServerHandler")
TRAITS = re.compile(r"^(ServerHandler|ServerHandlerCore)$")
METHODS = ("call_tool", "handle_call_tool_request")
FUNCTIONS = (
    "dispatch_tool",
    "handle_tool_call",
    "handle_call_tool",
    "handle_tools_call",
    "call_tool",
    "dispatch_tools",
)
HERE = re.compile(r"\btool_handler\b")
CATCHING = re.compile(rb"catch_unwind|CatchUnwind")
LAYER = re.compile(rb"\bCatchPanic\w*|\.catch_panics?\s*\(")
"""What lays a catch around every call of a router, as tower does it."""


def with_entries(items: Items, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Give the servers, each with the place where its tool calls come in."""
    return tuple(_with_entry(items, server) for server in servers)


def _with_entry(items: Items, server: Server) -> Server:
    entry = server.entry or _entry(items, server)
    if entry is not None:
        isolation = entry.isolation or _of_tools(items, server) or _around(items, entry)
        entry = replace(entry, isolation=isolation, abort=abort(items, entry.span.path))
    return replace(server, entry=entry)


def _around(items: Items, entry: Entry) -> Text | None:
    """Find what catches around the calls of an entry: a layer in its package, a caller that catches what it lets out."""
    package = items.package_folder(entry.span.path)
    for path in sighted(items, (LAYER,)):
        if items.package_folder(path) == package:
            found = LAYER.search(items.sources[path].data)
            node = items.root(path).descendant_for_byte_range(*found.span()) if found is not None else None
            if node is not None and "comment" not in node.type and not in_test(node) and not _is_import(node):
                return text_of(items.sources[path], node)
    name = "call_tool" if entry.name == "tool_handler" else str(entry.name)
    calling = re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")
    for path in items.mentioning(CATCHING):
        if calling.search(items.sources[path].data):
            for found_call in isolating(items.root(path)):
                if not in_test(found_call) and any(
                    called(each) == name for each in below(found_call) if each.type == "call_expression"
                ):
                    return text_of(items.sources[path], found_call)
    return None


def _is_import(node: Node) -> bool:
    above: Node | None = node
    while above is not None and above.type != "use_declaration":
        above = parent_of(above)
    return above is not None


def _of_tools(items: Items, server: Server) -> Text | None:
    """Find what isolates each tool for itself; None if one of them is bare."""
    found = []
    for tool in server.tools:
        function = function_at(items, tool.handler.span) if tool.handler is not None else None
        isolation = isolation_of(items, function) if function is not None else None
        if isolation is None:
            return None
        found.append(isolation)
    return found[0] if found else None


def function_at(items: Items, span: Span) -> Item | None:
    """Give the function that stands at a place, or that an attribute there is of."""
    if span.path not in items.sources:
        return None
    start, _ = items.sources[span.path].reach(span)
    node = items.root(span.path).descendant_for_byte_range(start, start)
    while node is not None and node.type != "function_item":
        node = node.parent if node.type != "attribute_item" else node.next_named_sibling
    return Item(span.path, node, items.sources[span.path]) if node is not None else None


def _entry(items: Items, server: Server) -> Entry | None:
    path = server.span.path
    if path not in items.sources:
        return None
    implementations = _implementations(items, path)
    near = [each for each in implementations if span_of(items.sources[path], each["impl"]) == server.span]
    for found in near or implementations:
        entry = _of_implementation(items, found, path)
        if entry is not None:
            return entry
    return _of_type(items, server) or _of_function(items, path)


def _implementations(items: Items, path: str) -> list[dict[str, Node]]:
    whole = [
        {"impl": block, "trait": trait, "type": type_, "body": body}
        for block in items.of_kinds(path, "impl_item")
        if (trait := child(block, "trait")) and (type_ := child(block, "type")) and (body := child(block, "body"))
    ]
    return [each for each in whole if TRAITS.match(last_segment(each["trait"])) and not in_test(each["impl"])]


def _of_implementation(items: Items, found: dict[str, Node], path: str) -> Entry | None:
    """Give the method that takes the calls, or the attribute that writes one."""
    source = items.sources[path]
    for method in found["body"].named_children:
        name = child(method, "name") if method.type == "function_item" else None
        if name is not None and string_of(name) in METHODS:
            return _of_definition(items, Item(path, method, source), name)
    mark = next((each for each in attributes(found["impl"]) if HERE.search(string_of(each))), None)
    if mark is None or not mark.named_children:
        return None
    attribute = mark.named_children[0]
    name_only = attribute.named_children[0] if attribute.named_children else attribute
    return Entry(text_of(source, name_only), span_of(source, found["impl"]))


def _of_type(items: Items, server: Server) -> Entry | None:
    """Look for the implementation in other files, by the type that the server's own file implements."""
    types = _types_at(items, server.span)
    for path in items.mentioning(SERVING) if types else ():
        for found in _implementations(items, path):
            if last_segment(found["type"]) in types:
                return _of_implementation(items, found, path)
    return None


def _types_at(items: Items, span: Span) -> set[str]:
    """Name the types implemented or declared at a place."""
    node = items.root(span.path).descendant_for_point_range((span.line - 1, 0), (span.end_line - 1, 0))
    found: Node | None = node
    while found is not None and found.type != "impl_item":
        found = parent_of(found)
    name = child(found, "type")
    return {last_segment(name)} if name is not None else set()


def _of_function(items: Items, path: str) -> Entry | None:
    for name in FUNCTIONS:
        for item in items.functions(name):
            written = child(item.node, "name")
            if item.path == path and written is not None:
                return _of_definition(items, item, written)
    return None


def _of_definition(items: Items, item: Item, name: Node) -> Entry:
    return Entry(text_of(item.source, name), span_of(item.source, item.node), isolation_of(items, item))


def isolation_of(items: Items, item: Item) -> Text | None:
    """Find what keeps a panic in, in a function or in those it calls; None if one of its answers comes about without."""
    way = Flow(items).of_function(item)
    if way.by is not None or way is BARE:
        return way.by
    body = child(item.node, "body")
    found = next(isolating(body), None) if body is not None and not any(answers(body)) else None
    return text_of(item.source, found) if found is not None else None


def isolating(body: Node) -> Iterator[Node]:
    """Find the expressions that catch panics: a spawned task only if its end is awaited and its failure handled."""
    for found in matches(body, "rust", "isolation"):
        name = string_of(found["name"]) if "name" in found else None
        if name is None or name == "catch_unwind" or any(_handled(each) for each in awaited(found["call"])):
            yield found["call"]


def awaited(call: Node) -> Iterator[Node]:
    """Find where the end of a task is awaited: at once, or by the name that the task is bound to."""
    above = call.parent
    if above is not None and above.type == "await_expression":
        yield above
    elif above is not None and above.type == "arguments" and above.parent is not None:
        yield from _awaited_in(above.parent)
    name = child(above, "pattern") if above is not None and above.type == "let_declaration" else None
    if name is not None and above is not None and above.parent is not None:
        yield from (each for each in _awaits(above.parent, string_of(name).removeprefix("mut ")))


def _awaited_in(call: Node) -> Iterator[Node]:
    """Find the wait around a call that takes the task: `timeout(limit, spawn(..)).await`."""
    if (
        called(call) in ("timeout", "timeout_at", "new")
        and call.parent is not None
        and call.parent.type == "await_expression"
    ):
        yield call.parent


def _awaits(node: Node, name: str) -> Iterator[Node]:
    wanted = re.compile(rf"(^|\W){re.escape(name)}(\W|$)")
    yield from (each for each in below(node) if each.type == "await_expression" and wanted.search(string_of(each)))


def _handled(wait: Node) -> bool:
    """Tell whether the failure of a task is answered, not thrown on or dropped."""
    above = wait.parent
    if above is None or above.type == "expression_statement":
        return above is not None and above.children[-1].type != ";"
    if above.type == "let_declaration":
        return string_of(child(above, "pattern") or above) != "_"
    if above.type == "field_expression":
        return string_of(child(above, "field") or above) not in ("unwrap", "expect")
    return True
