"""Tools that come and go while the server runs: where handlers, callbacks and background tasks change the list."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Server, ToolChange
from reviewer.languages.nodes import Nest, child, children, of_kinds, string_of
from reviewer.languages.pace import CHANGE_HANDLER
from reviewer.languages.python.behaviour.following import (
    arguments,
    assignments,
    below,
    called,
    callee,
    is_parameter,
    own,
    receiver,
)
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.surroundings import AROUND, Site, function_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.sdks import framework_of
from reviewer.languages.python.values import Function, Instance, Method
from reviewer.source import Span, Text

SIGNS = (b"add_tool", b"remove_tool", b"_tools", b".tool(", b"list_tools")
CHANGING = frozenset({"add_tool", "remove_tool"})
MUTATING = frozenset("append extend insert remove pop clear update setdefault popitem discard add".split())
HANDLING = frozenset({"tool", "call_tool", "resource", "prompt", "read_resource", "get_prompt"})
SERVERS = frozenset("mcp server app fastmcp mcp_server srv _mcp _server _mcp_server".split())
GIVING = frozenset({"list", "sorted", "tuple", "values", "copy", "deepcopy", "reversed"})
STARTING = frozenset("create_task ensure_future start_soon Thread Timer call_later run_coroutine_threadsafe".split())
DEPTH = 4
"""How many calls into the project are followed from a handler."""

FunctionKey = tuple[str, int]


class _Root(NamedTuple):
    """A function that runs for a client, or `beside` the calls of clients, and all that it calls."""

    reached: frozenset[FunctionKey]
    beside: bool


def changes(run: Evaluator, servers: tuple[Server, ...], sends: list[Site]) -> Iterator[ToolChange]:
    """Find where the list of tools changes in what runs for a client, and whether clients are told.

    Of the standalone fastmcp, whose older releases tell them by themselves, nothing is said.
    """
    if any(server.framework == "fastmcp" for server in servers):
        return
    held = _held(run)
    places = list(_places(run, held))
    roots = _roots(run, servers) if places else []
    sending = {_key(function_of(site.node), site.module) for site in sends}
    elsewhere = any(not any(key in root.reached for root in roots if not root.beside) for key in sending)
    for place in places:
        key = _key(function_of(place.node), place.module)
        through = [root for root in roots if key in root.reached]
        if through:
            told = elsewhere or all(sending & root.reached for root in through)
            yield ToolChange(Text(string_of(place.node), place.module.span(place.node)), told)


def _key(function: Node | None, module: Module) -> FunctionKey:
    return module.path, function.start_byte if function is not None else -1


def _roots(run: Evaluator, servers: tuple[Server, ...]) -> list[_Root]:
    """Find the functions that answer clients: those that are registered, and those under a decorator that says so."""
    found = []
    spans = {tool.span for server in servers for tool in server.tools}
    for module in own(run, *(b"." + name.encode() for name in HANDLING), b"on_call_tool", *SIGNS):
        passed = _passed(module)
        for node in of_kinds(module.root, "python", "function_definition"):
            name = string_of(child(node, "name") or node)
            answers = name in passed or _is_registered(node, module, spans)
            if answers or _runs_beside(node, name, module):
                reached = frozenset(_reached(run, Site(node, module), DEPTH, set()))
                found.append(_Root(reached, not answers))
    return found


def _is_registered(function: Node, module: Module, spans: set[Span]) -> bool:
    """Tell whether a function answers clients by its decorators, or is the declaration of a tool."""
    above = function.parent
    if above is None or above.type != "decorated_definition":
        return module.span(function) in spans
    return module.span(above) in spans or any(_mark(each) in HANDLING for each in children(above)[:-1])


def _mark(decorator: Node) -> str:
    named = children(decorator)[0] if children(decorator) else decorator
    named = child(named, "function") or named
    return string_of(child(named, "attribute") or named)


def _passed(module: Module) -> set[str]:
    """Name the functions that are handed to a server to answer calls: `Server(.., on_call_tool=call)`."""
    is_named = b"on_call_tool" in module.source.data
    given = of_kinds(module.root, "python", "keyword_argument") if is_named else []
    return {
        string_of(child(each, "value") or each).rpartition(".")[2]
        for each in given
        if string_of(child(each, "name") or each) == "on_call_tool"
    }


def _runs_beside(function: Node, name: str, module: Module) -> bool:
    """Tell whether a function is called for every change of something, or goes on in a loop as a task of its own."""
    if CHANGE_HANDLER.match(name) is not None:
        return True
    text = function.text or b""
    if b"async for" not in text and not (b"while" in text and of_kinds(function, "python", "while_statement")):
        return False
    starts = (each for each in of_kinds(module.root, "python", "call") if called(each) in STARTING)
    return any(re.search(rf"\b{re.escape(name)}\b", string_of(child(each, "arguments") or each)) for each in starts)


def _reached(run: Evaluator, site: Site, depth: int, seen: set[FunctionKey]) -> set[FunctionKey]:
    """Give a function, those within it, and those of the project that it calls."""
    seen.add(_key(site.node, site.module))
    body = child(site.node, "body")
    for node in below(body) if body is not None else ():
        if node.type in ("function_definition", "lambda"):
            seen.add(_key(node, site.module))
        if node.type == "call" and depth > 0:
            place = callee(run, node, scope_of(run, site.module))
            if place is not None and _key(place.node, place.module) not in seen:
                _reached(run, Site(place.node, place.module), depth - 1, seen)
    return seen


def _places(run: Evaluator, held: dict[str, set[str]]) -> Iterator[Site]:
    """Find what changes a list of tools, within functions."""
    for module in own(run, *SIGNS, *(name.encode() for listed in held.values() for name in listed)):
        inside = held.get(module.path, set()) | _imported(run, module, held)
        functions = Nest(module.root, "python", *AROUND.functions)
        for node in of_kinds(
            module.root, "python", "call", "assignment", "augmented_assignment", "delete_statement", "decorator"
        ):
            if functions.around(node) is not None and (_registers(run, node, module) or _mutates(node, inside)):
                yield Site(node, module)


def _registers(run: Evaluator, node: Node, module: Module) -> bool:
    """Tell whether something hands a tool to a server, or takes one from it."""
    if node.type == "decorator":
        inner = node.parent.parent if node.parent is not None else None
        return _mark(node) == "tool" and inner is not None and _is_server(run, _owner(node), module)
    if node.type == "call" and called(node) in CHANGING:
        owner = receiver(node)
        manager = owner is not None and string_of(owner).endswith("_tool_manager")
        return manager or _is_server(run, owner, module)
    target = _changed(node)
    return target is not None and "_tool_manager._tools" in string_of(target)


def _owner(decorator: Node) -> Node | None:
    named = children(decorator)[0] if children(decorator) else decorator
    return child(child(named, "function") or named, "object")


def _is_server(run: Evaluator, owner: Node | None, module: Module) -> bool:
    """Tell whether an expression is a server of the SDK: by what it is, or, where that is not known, by its name."""
    if owner is None:
        return False
    value = run.value(owner, scope_of(run, module)) if owner.type in ("identifier", "attribute") else None
    if isinstance(value, Instance):
        return framework_of(value) == "mcp"
    return string_of(owner).rpartition(".")[2] in SERVERS


def _changed(node: Node) -> Node | None:
    """Give what a statement or a call changes."""
    if node.type == "call":
        return receiver(node) if called(node) in MUTATING else None
    if node.type == "delete_statement":
        return children(node)[0] if children(node) else None
    return child(node, "left") if node.type != "decorator" else None


def _mutates(node: Node, inside: set[str]) -> bool:
    """Tell whether something changes one of the collections that a list of tools is given from."""
    target = _changed(node)
    while target is not None and target.type == "subscript":
        target = child(target, "value")
    if target is None or string_of(target) not in inside or _is_local(target):
        return False
    if target.type == "identifier" and node.type == "assignment" and child(node, "left") == target:
        function = function_of(node)
        globals_ = of_kinds(function, "python", "global_statement") if function is not None else []
        return any(string_of(target) in string_of(each) for each in globals_)
    function = function_of(node)
    name = string_of(child(function, "name") or node) if function is not None else ""
    return not name.startswith("__")


def _is_local(name: Node) -> bool:
    """Tell whether a name is the function's own: handed to it, or assigned without being declared global."""
    function = function_of(name)
    if name.type != "identifier" or function is None:
        return False
    if is_parameter(string_of(name), name):
        return True
    shared = of_kinds(function, "python", "global_statement", "nonlocal_statement")
    mine = of_kinds(function, "python", "assignment")
    return any(string_of(child(each, "left") or each) == string_of(name) for each in mine) and not any(
        string_of(name) in string_of(each) for each in shared
    )


def _held(run: Evaluator) -> dict[str, set[str]]:
    """Name, by file, the collections that the handlers of `tools/list` give out as they are."""
    found: dict[str, set[str]] = {}
    for _, handler, _, _ in run.listings:
        function = handler.function if isinstance(handler, Method) else handler
        if isinstance(function, Function):
            for each in of_kinds(function.node, "python", "return_statement"):
                given = children(each)[0] if children(each) else None
                found.setdefault(function.scope.module.path, set()).update(_given(given))
    return {path: {name for name in listed if name != "self"} for path, listed in found.items()}


def _given(node: Node | None) -> set[str]:
    """Name the collections that an answer consists of."""
    if node is None:
        return set()
    if node.type == "identifier" and _is_local(node):
        return {name for value in assignments(string_of(node), node) for name in _given(value)}
    if node.type in ("identifier", "attribute"):
        return {string_of(node)}
    if node.type == "list_comprehension":
        clause = next((each for each in children(node) if each.type == "for_in_clause"), None)
        return _given(child(clause, "right"))
    if node.type == "call":
        positional, keywords = arguments(node)
        if called(node) == "ListToolsResult":
            return _given(keywords.get("tools"))
        if called(node) in GIVING:
            return _given(positional[0] if positional else receiver(node))
    if node.type == "list":
        return {name for each in children(node) if each.type == "list_splat" for name in _given(children(each)[0])}
    return set()


def _imported(run: Evaluator, module: Module, held: dict[str, set[str]]) -> set[str]:
    """Name the collections of other files that a file has by the same name."""
    others = {name for path, listed in held.items() if path != module.path for name in listed if "." not in name}
    text = module.source.data
    return {name for name in others if b"import" in text and name.encode() in text and _imports(module, name)}


def _imports(module: Module, name: str) -> bool:
    return any(
        name in string_of(each).replace(",", " ").split()
        for each in of_kinds(module.root, "python", "import_from_statement")
    )
