"""Where the tool calls of a Python server come in, and what keeps a handler's exception from leaving as it is."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.behaviour.failures.boundaries import Isolation, collect_works, determine_isolation, extract_first_line
from reviewer.behaviour.values.decorators import ExceptionClause, collect_clauses, iter_caught_clauses
from reviewer.facts import CallEntry, Lazy, Server
from reviewer.languages.nodes import decode_node, find_child, find_parent, list_children
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    find_enclosing,
    find_nodes_with,
    iter_own_modules,
    load_scope,
)
from reviewer.languages.python.behaviour.tracing import get_program, trace_near
from reviewer.languages.python.declarations.by_hand import collect_call_handlers
from reviewer.languages.python.declarations.handlers import resolve_function
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyFunction, PyValue
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Opaque, Span, Text

SIGNS = (b"call_tool", b"tools/call", b"dispatch_tool")
# What a server's own class calls the method that takes calls; only in a class that descends from one of a server
# (`_serves`).
BY_NAME = frozenset({"call_tool", "handle_call_tool", "handle_tool_call", "handle_tools_call", "dispatch_tool"})
NAMING = (b"call_tool", b"tool_call", b"tools_call", b"dispatch_tool")


def with_entries(run: Evaluator, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Return the servers, each with the function that takes its tool calls."""
    found = list(iter_dispatchers(run))
    return tuple(_with_entry(run, server, found, servers) for server in servers)


def _with_entry(run: Evaluator, server: Server, found: list[FunctionPlace], servers: tuple[Server, ...]) -> Server:
    if server.language != "python" or server.entry is not None:
        return server
    here = [place for place in found if place.module.path == server.span.path]
    chosen = here or (found if len([each for each in servers if each.language == "python"]) == 1 else [])
    place = chosen[0] if len(chosen) == 1 else _find_action_tool(run, server) if not chosen else None
    return replace(server, entry=build_entry(run, place)) if place is not None else server


def build_entry(run: Evaluator, place: FunctionPlace) -> CallEntry:
    """Return where calls come in, with what answers there for what handlers raise."""
    name = find_child(place.node, "name") or place.node
    isolations = Lazy(lambda: _get_isolations(run, place))
    return CallEntry(Text(decode_node(name), place.module.locate(name)), place.module.locate(place.node), isolations)


def _get_isolations(run: Evaluator, place: FunctionPlace) -> Isolation:
    around = tuple(
        extract_first_line(each) if isinstance(each, Text) else extract_first_line(each.text)
        for each in _iter_decorator_answers(run, place)
    )
    found = collect_works(trace_near(run, place), get_program(run))
    unseen = (Opaque("where the answers come from is not seen", place.module.locate(place.node)),)
    return around or (determine_isolation(found) if found else unseen)


def list_catching_clauses(run: Evaluator, place: FunctionPlace) -> list[ExceptionClause]:
    """Return the clauses that answer for whatever the handlers of a dispatcher raise, if there are such for each."""
    places = {each.span for each in _get_isolations(run, place) if isinstance(each, Text)}
    near = trace_near(run, place)
    known = [
        *iter_decorator_clauses(run, place),
        *(each for trace in near.list_traces() for each, _ in iter_caught_clauses(trace)),
    ]
    return list({each.text.span: each for each in known if each.text.span in places}.values())


def iter_dispatchers(run: Evaluator) -> Iterator[FunctionPlace]:
    """Find the functions that take tool calls: decorated for it, handed to a server, or named for it in a server's class.

    Where a server reads requests itself, those that ask whether a client calls a tool.
    """
    found = {
        (each.module.path, each.node.start_byte): each
        for each in (*_iter_registered_dispatchers(run), *_iter_written(run))
    }
    yield from found.values()


def is_bare(run: Evaluator, place: FunctionPlace) -> bool:
    """Return whether a function takes calls as they come, with nothing of an SDK around it that answers for exceptions."""
    key = (place.module.path, place.node.start_byte)
    bare = {
        (each.scope.module.path, each.node.start_byte) for each in map(_find_function, run.bare) if each is not None
    }
    return key in bare or key in collect_call_handlers(run)


def _find_function(handler: PyValue) -> PyFunction | None:
    taken = resolve_function(handler)
    return taken.unwrap() if taken is not None else None


def _iter_registered_dispatchers(run: Evaluator) -> Iterator[FunctionPlace]:
    """Yield the functions that a server was seen to be told of, however that is written."""
    for handler in run.callings:
        function = _find_function(handler)
        if function is not None and not function.scope.module.is_aside:
            yield FunctionPlace(function.node, function.scope.module, function)


def _iter_written(run: Evaluator) -> Iterator[FunctionPlace]:
    yield from collect_call_handlers(run).values()
    for module in iter_own_modules(run, *SIGNS):
        if not module.speaks_mcp:
            continue
        for each in find_nodes_with(module, NAMING, "decorator", "keyword_argument", "function_definition"):
            if each.type == "decorator" and b".call_tool" in (each.text or b""):
                function = find_child(each.parent, "definition")
                if function is not None and function.type == "function_definition":
                    yield FunctionPlace(function, module)
            elif each.type == "keyword_argument" and decode_node(find_child(each, "name") or each) == "on_call_tool":
                yield from _iter_named_function(run, find_child(each, "value"), module)
            elif (
                each.type == "function_definition"
                and decode_node(find_child(each, "name") or each) in BY_NAME
                and _serves(each)
            ):
                yield FunctionPlace(each, module)


def _iter_named_function(run: Evaluator, value: Node | None, module: PyModule) -> Iterator[FunctionPlace]:
    """Yield the function that a name stands for where it is handed to a server."""
    if value is None or value.type != "identifier":
        return
    found = run.resolve_name(decode_node(value), load_scope(run, module), value)
    if isinstance(found, PyFunction):
        yield FunctionPlace(found.node, found.scope.module, found)


def _serves(function: Node) -> bool:
    """Return whether a function named for it is a server's own: of a class that descends from one, and not decorated."""
    around = find_enclosing(function, "class_definition")
    bases = find_child(around, "superclasses")
    is_plain = function.parent is None or function.parent.type != "decorated_definition"
    if b"super().call_tool" in (function.text or b""):
        return False  # the SDK's own dispatch is behind it, with what that catches
    return (
        is_plain
        and bases is not None
        and any(name in decode_node(bases) for name in ("FastMCP", "MCPServer", "Server"))
    )


def _find_action_tool(run: Evaluator, server: Server) -> FunctionPlace | None:
    """Return the first tool of a server whose every tool takes an action's name and dispatches by it."""
    acting = [
        not isinstance(tool.parameters, Opaque) and "action" in {str(each.name) for each in tool.parameters}
        for tool in server.tools
    ]
    handler = server.tools[0].handler if acting and all(acting) else None
    span = handler.span if handler is not None else None
    return place_at(run, span) if span is not None else None


# Beside these, calls may be taken by a lambda, which the grammar cannot tell from its first word.
DEFINING = frozenset({"function_definition", "decorated_definition"})


def place_at(run: Evaluator, span: Span) -> FunctionPlace | None:
    """Return the function that begins at a place."""
    module = run.modules.by_path.get(span.path)
    start = module.source.reach(span)[0] if module is not None else 0
    node = module.root.descendant_for_byte_range(start, start + 1) if module is not None else None
    while node is not None and node.type not in DEFINING and not _is_lambda(node, start):
        node = find_parent(node)
    node = find_child(node, "definition") if node is not None and node.type == "decorated_definition" else node
    is_function = node is not None and node.type in ("function_definition", "lambda")
    return FunctionPlace(node, module) if is_function and node is not None and module is not None else None


def _is_lambda(node: Node, start: int) -> bool:
    """Return whether a node is a lambda that begins at a place; its first word is a node of the same type."""
    return node.is_named and node.type == "lambda" and node.start_byte == start


def iter_decorator_clauses(run: Evaluator, place: FunctionPlace) -> Iterator[ExceptionClause]:
    """Yield the clauses of the project's decorators around a function."""
    return (each for each in _iter_decorator_answers(run, place) if isinstance(each, ExceptionClause))


def _iter_decorator_answers(run: Evaluator, place: FunctionPlace) -> Iterator[ExceptionClause | Text]:
    """Yield the handlers in the decorators of a function. A decorator from a library is assumed to have one."""
    above, program = place.node.parent, get_program(run)
    for decorator in list_children(above) if above is not None and above.type == "decorated_definition" else ():
        if decorator.type != "decorator" or any(sign in (decorator.text or b"") for sign in (b".call_tool", b".tool")):
            continue
        name = next(iter(list_children(decorator)), None)
        name = find_child(name, "function") if name is not None and name.type == "call" else name
        if name is None or name.type != "identifier":
            continue
        found = run.resolve_name(decode_node(name), load_scope(run, place.module), name)
        if isinstance(found, PyFunction):
            yield from (
                each
                for each in collect_clauses(program.find_function_code(found), program)
                if each.answers_any(program)
            )
        else:
            yield Text(decode_node(decorator), place.module.locate(decorator))
