"""Where the tool calls of a Rust server come in, and what keeps a handler's panic from leaving them unanswered."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.behaviour.failures.boundaries import AnswerWork, Isolation, collect_works, determine_isolation
from reviewer.behaviour.failures.panicking import may_panic
from reviewer.code.events import Called, Entered
from reviewer.code.program import Program
from reviewer.facts import CallEntry, Lazy, Server
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, locate_node, locate_text
from reviewer.languages.rust.behaviour.aborts import find_abort_setting
from reviewer.languages.rust.behaviour.tracing import get_program, trace_near, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, iter_attributes_before
from reviewer.languages.rust.project.name_resolution import find_function_at, read_last_segment
from reviewer.languages.rust.syntax.prefilter import find_files_with
from reviewer.source import Opaque, Span, Text
from reviewer.text.patterns import pattern

# Both names of `TRAITS` begin with it.
SERVING = pattern(rb"ServerHandler")
# rmcp and rust-mcp-sdk call their trait `ServerHandler`; the second has `ServerHandlerCore` for servers that take
# messages as they come.
TRAITS = pattern(r"^(ServerHandler|ServerHandlerCore)$")
# The method that takes calls: rmcp's name, then rust-mcp-sdk's.
METHODS = ("call_tool", "handle_call_tool_request")
# Where no SDK's trait is implemented, a function of the server's own file is taken for the way in: the first of these
# names that there is.
FUNCTIONS = tuple("dispatch_tool handle_tool_call handle_call_tool handle_tools_call call_tool dispatch_tools".split())
# rmcp's attribute writes the method where none stands, and what it writes catches nothing.
HERE = pattern(r"\btool_handler\b")
# The function of `std::panic`, and the future that the `futures` crate wraps around another.
CATCHING = pattern(rb"catch_unwind|CatchUnwind")
LAYER = pattern(rb"\bCatchPanic\w*|\.catch_panics?\s*\(")
"""What lays a catch around every call of a router, as tower does it."""


def with_entries(items: RustItems, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Return the servers, each with the place where its tool calls come in."""
    return tuple(_with_entry(items, server) for server in servers)


def _with_entry(items: RustItems, server: Server) -> Server:
    entry = server.entry or _find_entry(items, server)
    if entry is None:
        return replace(server, entry=None)
    isolations = Lazy(lambda: _get_isolations(items, server, entry))
    return replace(server, entry=replace(entry, isolation=isolations, abort=find_abort_setting(items, entry.span.path)))


def _get_isolations(items: RustItems, server: Server, entry: CallEntry) -> Isolation:
    """Return the isolation of panics: in the function that receives calls, in every tool, or around either."""
    function = find_function_at(items, entry.span)
    if function is not None:
        found = collect_works(trace_near(items, function), get_program(items))
        own = (
            determine_isolation(found)
            if found
            else (Opaque("where the answers come from is not seen", entry.name.span),)
        )
    else:
        own = ()
    if any(isinstance(each, Text) for each in own):
        return own
    return _get_for_tools(items, server) or tuple(_iter_around(items, entry)) or own


def _iter_around(items: RustItems, entry: CallEntry) -> Iterator[Text]:
    """Yield the code that catches panics around an entry point: a layer in its package, or a caller."""
    package = items.find_package_folder(entry.span.path)
    for path in find_files_with(items, (LAYER,)):
        if items.find_package_folder(path) == package:
            found = LAYER.search(items.sources[path].data)
            node = items.parse_root(path).descendant_for_byte_range(*found.span()) if found is not None else None
            is_import = find_nearest_of_kinds(node, "use_declaration") is not None
            if node is not None and "comment" not in node.type and not is_in_test(node) and not is_import:
                yield locate_text(items.sources[path], node)
    name = "call_tool" if entry.name == "tool_handler" else str(entry.name)
    for path in items.find_matching(CATCHING):
        for node in items.find_nodes(path, "function_item"):
            if CATCHING.search(node.text or b"") and name.encode() in (node.text or b"") and not is_in_test(node):
                trace = trace_near(items, RustItem(path, node, items.sources[path]))
                for each in collect_works(trace, get_program(items)):
                    if each.by is not None and isinstance(each.event, Called) and each.event.path.endswith(f".{name}"):
                        yield each.by


def _get_for_tools(items: RustItems, server: Server) -> Isolation:
    """Return the isolation of each tool by itself; none if one of the tools has none.

    Code of a tool outside its isolated work counts only if it may panic too: functions that format an answer do not.
    """
    first: Isolation = ()
    program = get_program(items)
    for tool in server.tools:
        function = find_function_at(items, tool.handler.span) if tool.handler is not None else None
        done = collect_works(trace_of(items, function), program) if function is not None else ()
        caught = [each for each in done if each.by is not None]
        bare = [each for each in done if each.by is None and _may_panic(each, program)]
        found = determine_isolation([*caught, *bare] if caught else done)
        if not found or not isinstance(found[0], Text):
            return ()
        first = first or found
    return first


def _may_panic(work: AnswerWork, program: Program) -> bool:
    return not isinstance(work.event, Entered) or work.event.trace.reaches(may_panic, program)


def _find_entry(items: RustItems, server: Server) -> CallEntry | None:
    path = server.span.path
    if path not in items.sources:
        return None
    implementations = _collect_implementations(items, path)
    near = [each for each in implementations if locate_node(items.sources[path], each["impl"]) == server.span]
    for found in near or implementations:
        entry = _find_for_implementation(items, found, path)
        if entry is not None:
            return entry
    return _find_for_type(items, server) or _find_for_function(items, path)


def _collect_implementations(items: RustItems, path: str) -> list[dict[str, Node]]:
    whole = [
        {"impl": block, "trait": trait, "type": type_, "body": body}
        for block in items.find_nodes(path, "impl_item")
        if (trait := find_child(block, "trait"))
        and (type_ := find_child(block, "type"))
        and (body := find_child(block, "body"))
    ]
    return [each for each in whole if TRAITS.match(read_last_segment(each["trait"])) and not is_in_test(each["impl"])]


def _find_for_implementation(items: RustItems, found: dict[str, Node], path: str) -> CallEntry | None:
    """Return the method that takes the calls, or the attribute that writes one."""
    source = items.sources[path]
    for method in found["body"].named_children:
        name = find_child(method, "name") if method.type == "function_item" else None
        if name is not None and decode_node(name) in METHODS:
            return _build_for_definition(RustItem(path, method, source), name)
    mark = next((each for each in iter_attributes_before(found["impl"]) if HERE.search(decode_node(each))), None)
    if mark is None or not mark.named_children:
        return None
    attribute = mark.named_children[0]
    name_only = attribute.named_children[0] if attribute.named_children else attribute
    return CallEntry(locate_text(source, name_only), locate_node(source, found["impl"]), generated=True)


def _find_for_type(items: RustItems, server: Server) -> CallEntry | None:
    """Return the implementation in another file, by the type that the server's own file implements; None if there is
    none.
    """
    types = _collect_types_at(items, server.span)
    for path in items.find_matching(SERVING) if types else ():
        for found in _collect_implementations(items, path):
            if read_last_segment(found["type"]) in types:
                return _find_for_implementation(items, found, path)
    return None


def _collect_types_at(items: RustItems, span: Span) -> set[str]:
    """Name the types implemented or declared at a place."""
    node = items.parse_root(span.path).descendant_for_point_range((span.line - 1, 0), (span.end_line - 1, 0))
    name = find_child(find_nearest_of_kinds(node, "impl_item"), "type")
    return {read_last_segment(name)} if name is not None else set()


def _find_for_function(items: RustItems, path: str) -> CallEntry | None:
    for name in FUNCTIONS:
        for item in items.find_functions(name):
            written = find_child(item.node, "name")
            if item.path == path and written is not None:
                return _build_for_definition(item, written)
    return None


def _build_for_definition(item: RustItem, name: Node) -> CallEntry:
    return CallEntry(locate_text(item.source, name), locate_node(item.source, item.node))
