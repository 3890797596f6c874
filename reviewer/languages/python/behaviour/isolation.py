"""Where the tool calls of a Python server come in, and what keeps a handler's exception from leaving as it is."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.behaviour.failures.boundaries import Isolation, isolation, line_of, works
from reviewer.behaviour.values.decorators import Clause, caught, clauses
from reviewer.facts import CallEntry, Lazy, Server
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    enclosing,
    near,
    own,
    scope,
)
from reviewer.languages.python.behaviour.tracing import program_of, trace_near
from reviewer.languages.python.declarations.by_hand import calling
from reviewer.languages.python.declarations.handlers import function_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import PyFunction, Value
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Opaque, Span, Text

SIGNS = (b"call_tool", b"tools/call", b"dispatch_tool")
BY_NAME = frozenset({"call_tool", "handle_call_tool", "handle_tool_call", "handle_tools_call", "dispatch_tool"})
NAMING = (b"call_tool", b"tool_call", b"tools_call", b"dispatch_tool")


def with_entries(run: Evaluator, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Return the servers, each with the function that takes its tool calls."""
    found = list(dispatchers(run))
    return tuple(_with_entry(run, server, found, servers) for server in servers)


def _with_entry(run: Evaluator, server: Server, found: list[FunctionPlace], servers: tuple[Server, ...]) -> Server:
    if server.language != "python" or server.entry is not None:
        return server
    here = [place for place in found if place.module.path == server.span.path]
    chosen = here or (found if len([each for each in servers if each.language == "python"]) == 1 else [])
    place = chosen[0] if len(chosen) == 1 else _find_acting(run, server) if not chosen else None
    return replace(server, entry=entry_of(run, place)) if place is not None else server


def entry_of(run: Evaluator, place: FunctionPlace) -> CallEntry:
    """Return where calls come in, with what answers there for what handlers raise."""
    name = child(place.node, "name") or place.node
    isolations = Lazy(lambda: _get_isolations(run, place))
    return CallEntry(Text(string_of(name), place.module.span(name)), place.module.span(place.node), isolations)


def _get_isolations(run: Evaluator, place: FunctionPlace) -> Isolation:
    around = tuple(
        line_of(each) if isinstance(each, Text) else line_of(each.text) for each in _iter_decorating(run, place)
    )
    found = works(trace_near(run, place), program_of(run))
    unseen = (Opaque("where the answers come from is not seen", place.module.span(place.node)),)
    return around or (isolation(found) if found else unseen)


def caught_around(run: Evaluator, place: FunctionPlace) -> list[Clause]:
    """Return the clauses that answer for whatever the handlers of a dispatcher raise, if there are such for each."""
    places = {each.span for each in _get_isolations(run, place) if isinstance(each, Text)}
    near = trace_near(run, place)
    known = [*decorating(run, place), *(each for trace in near.traces() for each, _ in caught(trace))]
    return list({each.text.span: each for each in known if each.text.span in places}.values())


def dispatchers(run: Evaluator) -> Iterator[FunctionPlace]:
    """Find the functions that take tool calls: decorated for it, handed to a server, or named for it in a server's class.

    Where a server reads requests itself, those that ask whether a client calls a tool.
    """
    found = {(each.module.path, each.node.start_byte): each for each in (*_iter_taking(run), *_iter_written(run))}
    yield from found.values()


def is_bare(run: Evaluator, place: FunctionPlace) -> bool:
    """Return whether a function takes calls as they come, with nothing of an SDK around it that answers for exceptions."""
    key = (place.module.path, place.node.start_byte)
    bare = {
        (each.scope.module.path, each.node.start_byte) for each in map(_find_function, run.bare) if each is not None
    }
    return key in bare or key in calling(run)


def _find_function(handler: Value) -> PyFunction | None:
    taken = function_of(handler)
    return taken.original() if taken is not None else None


def _iter_taking(run: Evaluator) -> Iterator[FunctionPlace]:
    """Yield the functions that a server was seen to be told of, however that is written."""
    for handler in run.callings:
        function = _find_function(handler)
        if function is not None and not function.scope.module.is_aside:
            yield FunctionPlace(function.node, function.scope.module, function)


def _iter_written(run: Evaluator) -> Iterator[FunctionPlace]:
    yield from calling(run).values()
    for module in own(run, *SIGNS):
        if not module.speaks_mcp:
            continue
        for each in near(module, NAMING, "decorator", "keyword_argument", "function_definition"):
            if each.type == "decorator" and b".call_tool" in (each.text or b""):
                function = child(each.parent, "definition")
                if function is not None and function.type == "function_definition":
                    yield FunctionPlace(function, module)
            elif each.type == "keyword_argument" and string_of(child(each, "name") or each) == "on_call_tool":
                yield from _iter_named(run, child(each, "value"), module)
            elif (
                each.type == "function_definition"
                and string_of(child(each, "name") or each) in BY_NAME
                and _serves(each)
            ):
                yield FunctionPlace(each, module)


def _iter_named(run: Evaluator, value: Node | None, module: PyModule) -> Iterator[FunctionPlace]:
    """Yield the function that a name stands for where it is handed to a server."""
    if value is None or value.type != "identifier":
        return
    found = run.lookup(string_of(value), scope(run, module), value)
    if isinstance(found, PyFunction):
        yield FunctionPlace(found.node, found.scope.module, found)


def _serves(function: Node) -> bool:
    """Return whether a function named for it is a server's own: of a class that descends from one, and not decorated."""
    around = enclosing(function, "class_definition")
    bases = child(around, "superclasses")
    is_plain = function.parent is None or function.parent.type != "decorated_definition"
    if b"super().call_tool" in (function.text or b""):
        return False  # the SDK's own dispatch is behind it, with what that catches
    return (
        is_plain and bases is not None and any(name in string_of(bases) for name in ("FastMCP", "MCPServer", "Server"))
    )


def _find_acting(run: Evaluator, server: Server) -> FunctionPlace | None:
    """Return the first tool of a server whose every tool takes an action's name and dispatches by it."""
    acting = [
        not isinstance(tool.parameters, Opaque) and "action" in {str(each.name) for each in tool.parameters}
        for tool in server.tools
    ]
    handler = server.tools[0].handler if acting and all(acting) else None
    span = handler.span if handler is not None else None
    return place_at(run, span) if span is not None else None


DEFINING = frozenset({"function_definition", "decorated_definition"})


def place_at(run: Evaluator, span: Span) -> FunctionPlace | None:
    """Return the function that begins at a place."""
    module = run.modules.by_path.get(span.path)
    start = module.source.reach(span)[0] if module is not None else 0
    node = module.root.descendant_for_byte_range(start, start + 1) if module is not None else None
    while node is not None and node.type not in DEFINING and not _is_lambda(node, start):
        node = parent_of(node)
    node = child(node, "definition") if node is not None and node.type == "decorated_definition" else node
    is_function = node is not None and node.type in ("function_definition", "lambda")
    return FunctionPlace(node, module) if is_function and node is not None and module is not None else None


def _is_lambda(node: Node, start: int) -> bool:
    """Return whether a node is a lambda that begins at a place; its first word is a node of the same type."""
    return node.is_named and node.type == "lambda" and node.start_byte == start


def decorating(run: Evaluator, place: FunctionPlace) -> Iterator[Clause]:
    """Yield what decorators of the project catch around a function."""
    return (each for each in _iter_decorating(run, place) if isinstance(each, Clause))


def _iter_decorating(run: Evaluator, place: FunctionPlace) -> Iterator[Clause | Text]:
    """Yield what answers in the decorators of a function; one from outside may, and is taken to."""
    above, program = place.node.parent, program_of(run)
    for decorator in children(above) if above is not None and above.type == "decorated_definition" else ():
        if decorator.type != "decorator" or any(sign in (decorator.text or b"") for sign in (b".call_tool", b".tool")):
            continue
        name = next(iter(children(decorator)), None)
        name = child(name, "function") if name is not None and name.type == "call" else name
        if name is None or name.type != "identifier":
            continue
        found = run.lookup(string_of(name), scope(run, place.module), name)
        if isinstance(found, PyFunction):
            yield from (each for each in clauses(program.code_of(found), program) if each.answers_any(program))
        else:
            yield Text(string_of(decorator), place.module.span(decorator))
