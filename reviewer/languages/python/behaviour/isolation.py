"""Where the tool calls of a Python server come in, and what keeps a handler's exception from leaving as it is."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Entry, Server
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import (
    Place,
    arguments,
    below,
    called,
    callee,
    enclosing,
    near,
    own,
    receiver,
    scope,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function, Scope
from reviewer.source import Opaque, Span, Text

SIGNS = (b"call_tool", b"tools/call", b"dispatch_tool")
BY_NAME = frozenset({"call_tool", "handle_call_tool", "handle_tool_call", "handle_tools_call", "dispatch_tool"})
NAMING = (b"call_tool", b"tool_call", b"tools_call", b"dispatch_tool")
BROAD = frozenset({"Exception", "BaseException"})
LONGEST = 12
DEPTH = 2
OWN = frozenset({"function_definition", "lambda", "class_definition"})
UNWORKED = frozenset(
    "get str int float bool dict list tuple set len sorted isinstance dumps loads model_validate model_dump model_dump_json "
    "json print items keys values pop copy strip lower split format join append type repr max min info debug warning error "
    "exception log_action getattr hasattr elicit report_progress send_log_message".split()
)
"""What runs no handler, whatever it is given."""


class Flow(NamedTuple):
    """What is known of a function's answers: whether some come about outside of a `try`, and what catches for others."""

    bare: bool
    by: tuple[tuple[Node, Module], ...] = ()


def with_entries(run: Evaluator, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Give the servers, each with the function that takes its tool calls."""
    found = list(dispatchers(run))
    return tuple(_with_entry(run, server, found, servers) for server in servers)


def _with_entry(run: Evaluator, server: Server, found: list[Place], servers: tuple[Server, ...]) -> Server:
    if server.language != "python" or server.entry is not None:
        return server
    here = [place for place in found if place.module.path == server.span.path]
    chosen = here or (found if len([each for each in servers if each.language == "python"]) == 1 else [])
    place = chosen[0] if len(chosen) == 1 else _acting(run, server) if not chosen else None
    return replace(server, entry=entry_of(run, place)) if place is not None else server


def entry_of(run: Evaluator, place: Place) -> Entry | None:
    """Tell of a dispatcher what catches in it; None if it runs nothing that could fail."""
    name = child(place.node, "name") or place.node
    span = place.module.span(place.node)
    flow = flow_of(run, place)
    if not flow.bare and not flow.by:
        return None
    by = Text(_line(flow.by[0][0]), flow.by[0][1].span(flow.by[0][0])) if flow.by and not flow.bare else None
    return Entry(Text(string_of(name), place.module.span(name)), span, (by,) if by is not None else ())


def _line(clause: Node) -> str:
    return string_of(clause).partition("\n")[0]


def dispatchers(run: Evaluator) -> Iterator[Place]:
    """Find the functions that take tool calls: decorated for it, handed to a server, or named for it in a server's class."""
    for module in own(run, *SIGNS):
        if not module.speaks_mcp:
            continue
        for each in near(module, NAMING, "decorator", "keyword_argument", "function_definition"):
            if each.type == "decorator" and b".call_tool" in (each.text or b""):
                function = child(each.parent, "definition")
                if function is not None and function.type == "function_definition":
                    yield Place(function, module)
            elif each.type == "keyword_argument" and string_of(child(each, "name") or each) == "on_call_tool":
                yield from _named(run, child(each, "value"), module)
            elif (
                each.type == "function_definition"
                and string_of(child(each, "name") or each) in BY_NAME
                and _serves(each)
            ):
                yield Place(each, module)


def _named(run: Evaluator, value: Node | None, module: Module) -> Iterator[Place]:
    """Give the function that a name stands for where it is handed to a server."""
    if value is None or value.type != "identifier":
        return
    found = run.lookup(string_of(value), scope(run, module), value)
    if isinstance(found, Function):
        yield Place(found.node, found.scope.module, found)


def _serves(function: Node) -> bool:
    """Tell whether a function named for it is a server's own: of a class that descends from one, and not decorated."""
    around = enclosing(function, "class_definition")
    bases = child(around, "superclasses")
    is_plain = function.parent is None or function.parent.type != "decorated_definition"
    if b"super().call_tool" in (function.text or b""):
        return False  # the SDK's own dispatch is behind it, with what that catches
    return (
        is_plain and bases is not None and any(name in string_of(bases) for name in ("FastMCP", "MCPServer", "Server"))
    )


def _acting(run: Evaluator, server: Server) -> Place | None:
    """Give the first tool of a server whose every tool takes an action's name and dispatches by it."""
    acting = [
        not isinstance(tool.parameters, Opaque) and "action" in {str(each.name) for each in tool.parameters}
        for tool in server.tools
    ]
    handler = server.tools[0].handler if acting and all(acting) else None
    span = handler.span if handler is not None else None
    return place_at(run, span) if span is not None else None


def place_at(run: Evaluator, span: Span) -> Place | None:
    """Give the function that begins at a place."""
    module = run.modules.by_path.get(span.path)
    start = module.source.reach(span)[0] if module is not None else 0
    node = module.root.descendant_for_byte_range(start, start + 1) if module is not None else None
    while node is not None and node.type not in ("function_definition", "decorated_definition"):
        node = parent_of(node)
    node = child(node, "definition") if node is not None and node.type == "decorated_definition" else node
    return (
        Place(node, module) if node is not None and module is not None and node.type == "function_definition" else None
    )


def flow_of(run: Evaluator, place: Place, depth: int = DEPTH) -> Flow:
    """Follow the answers of a function to the calls that make them."""
    body = child(place.node, "body")
    if body is None:
        return Flow(False)
    wrapped = tuple(_decorating(run, place))
    if wrapped:
        return Flow(False, wrapped)
    within = scope(run, place.module)
    work = {call.id: call for value in returned(body) for call in _made_by(value, body)}
    ways = [_way(run, call, place, within, depth) for call in work.values()]
    return Flow(any(way.bare for way in ways), tuple(each for way in ways for each in way.by))


def _made_by(value: Node, body: Node) -> Iterator[Node]:
    """Give the calls that a value is made by, through the names of the function, nearest first."""
    seen: set[str] = set()
    waiting = [value]
    for _ in range(LONGEST):
        if not waiting:
            return
        current = waiting.pop()
        for part in below(current, OWN):
            if part.type == "call" or (part.type == "await" and children(part)[0].type == "identifier"):
                yield part
            elif part.type == "identifier" and string_of(part) not in seen:
                seen.add(string_of(part))
                waiting += _assigned(body, string_of(part))


def _assigned(body: Node, name: str) -> list[Node]:
    found = []
    for each in below(body, OWN):
        left, right = (child(each, "left"), child(each, "right")) if each.type == "assignment" else (None, None)
        if left is not None and right is not None:
            if any(part.type == "identifier" and string_of(part) == name for part in below(left)):
                found.append(right)
    return found


def _way(run: Evaluator, call: Node, place: Place, within: Scope, depth: int) -> Flow:
    """Tell whether one call is caught around, or in what it calls, or runs no handler."""
    clause, is_future = catching(call, place.node), call.type == "await"
    if clause is not None:
        return Flow(False, ((clause, place.module),)) if is_future or _is_work(call, place.node) else Flow(False)
    if is_future:
        return Flow(False)
    if _inside_other(call):
        return Flow(False)
    target = callee(run, call, within) if depth > 0 else None
    if target is not None and target.node != place.node:
        inner = flow_of(run, target, depth - 1)
        return inner if inner.by and not inner.bare else Flow(inner.bare or _hands_on(call, target, place.node))
    return Flow(target is None and _is_work(call, place.node))


def _hands_on(call: Node, target: Place, dispatcher: Node) -> bool:
    """Tell whether a function of the project takes what the dispatcher was asked, and does its work with it."""
    awaited = call.parent is not None and call.parent.type == "await"
    body = child(target.node, "body")
    works = body is not None and any(
        each.type in ("await", "raise_statement")
        or (each.type == "call" and called(each) not in UNWORKED and not called(each)[:1].isupper())
        for each in below(body)
    )
    return works and (awaited or _is_work(call, dispatcher)) and _is_given(call, dispatcher)


def _inside_other(call: Node) -> bool:
    """Tell whether a call is only an argument of one that catches for it, which is judged itself."""
    above = call.parent
    while above is not None and above.type in (
        "argument_list",
        "keyword_argument",
        "list",
        "tuple",
        "parenthesized_expression",
    ):
        above = parent_of(above)
    return above is not None and above.type == "call" and called(above)[:1].islower() and called(above) not in UNWORKED


def _is_work(call: Node, function: Node) -> bool:
    """Tell whether a call may run a handler: it is awaited or unknown, and is given what the dispatcher was asked."""
    name, on = called(call), receiver(call)
    if name in UNWORKED or name[:1].isupper() or (on is not None and "session" in string_of(on)):
        return False
    return _is_given(call, function)


def _is_given(call: Node, function: Node) -> bool:
    """Tell whether a call is given the arguments that the dispatcher was called with, or what was made of them."""
    asked = set(_parameters(function)[1:] or _parameters(function))
    positional, keywords = arguments(call)
    given = {
        string_of(part)
        for each in (*positional, *keywords.values())
        for part in below(each)
        if part.type == "identifier"
    }
    body = child(function, "body")
    made = {
        name
        for name in given
        if body is not None
        and any(_mentions(value, asked) and not _is_answer(value, function) for value in _assigned(body, name))
    }
    return bool(given & asked or made)


def _is_answer(value: Node, function: Node) -> bool:
    """Tell whether a value is what a handler gave that was awaited where its failure is caught."""
    return value.type == "await" and catching(value, function) is not None


def _mentions(value: Node, names: set[str]) -> bool:
    return any(part.type == "identifier" and string_of(part) in names for part in below(value))


def _parameters(function: Node) -> list[str]:
    listed = child(function, "parameters")
    heads = (
        [child(part, "name") or next(iter(children(part)), part) for part in children(listed)]
        if listed is not None
        else []
    )
    return [string_of(head) for head in heads if string_of(head) not in ("self", "cls", "ctx", "context")]


def catching(node: Node, function: Node) -> Node | None:
    """Give the broad `except` around a node within a function, if it answers and does not raise anew what it caught."""
    inner, current = node, node.parent
    while current is not None and inner != function:
        if current.type == "try_statement" and child(current, "body") == inner:
            for clause in children(current):
                if clause.type == "except_clause" and is_broad(clause) and not raises_on(clause):
                    return clause
        inner, current = current, parent_of(current)
    return None


def is_broad(clause: Node) -> bool:
    """Tell whether a clause catches whatever a handler may raise."""
    kinds = [part for part in children(clause) if part.type != "block"]
    if not kinds:
        return True
    names = {string_of(part).rpartition(".")[2] for part in below(kinds[0]) if part.type in ("identifier", "attribute")}
    return bool(names & BROAD)


def raises_on(clause: Node) -> bool:
    """Tell whether a clause ends in a bare `raise`, or raises the name of what it caught."""
    body = next((part for part in children(clause) if part.type == "block"), None)
    last = children(body)[-1] if body is not None and children(body) else None
    if last is None or last.type != "raise_statement":
        return False
    parts = children(last)
    return not parts or (parts[0].type == "identifier" and string_of(parts[0]) == caught_name(clause))


def caught_name(clause: Node) -> str | None:
    """Give the name that a clause gives to what it caught."""
    for part in children(clause):
        if part.type == "as_pattern":
            target = children(part)[-1]
            return string_of(target)
    return None


def _decorating(run: Evaluator, place: Place) -> Iterator[tuple[Node, Module]]:
    """Find what decorators of the project catch around a function; one from outside may, and is taken to."""
    above = place.node.parent
    for decorator in children(above) if above is not None and above.type == "decorated_definition" else ():
        if decorator.type != "decorator" or any(sign in (decorator.text or b"") for sign in (b".call_tool", b".tool")):
            continue
        name = next(iter(children(decorator)), None)
        name = child(name, "function") if name is not None and name.type == "call" else name
        found = (
            run.lookup(string_of(name), scope(run, place.module), name)
            if name is not None and name.type == "identifier"
            else None
        )
        if isinstance(found, Function):
            for clause in below(found.node):
                if clause.type == "except_clause" and is_broad(clause) and not raises_on(clause):
                    yield clause, found.scope.module
        elif name is not None and name.type == "identifier":
            yield decorator, place.module
