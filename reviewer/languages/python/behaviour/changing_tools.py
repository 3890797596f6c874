"""Tools that come and go while the server runs: where handlers, callbacks and background tasks change the list."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.list_changes import Changes, held_by
from reviewer.code.events import Trace
from reviewer.code.values import Term
from reviewer.facts import Server, ToolChange
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.pace import CHANGE_HANDLER
from reviewer.languages.python.behaviour.following import called, own
from reviewer.languages.python.behaviour.leading import HANDLING, FunctionKey, entered, is_registered
from reviewer.languages.python.behaviour.surroundings import Site, function_of
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function, Method
from reviewer.source import Span

SIGNS = (b"add_tool", b"remove_tool", b"_tools", b".tool(", b"list_tools")
STARTING = frozenset("create_task ensure_future start_soon Thread Timer call_later run_coroutine_threadsafe".split())


class _Root(NamedTuple):
    """What a function does that runs for a client, or `beside` the calls of clients."""

    trace: Trace
    reached: frozenset[FunctionKey]
    beside: bool


def changes(run: Evaluator, servers: tuple[Server, ...], sends: list[Site]) -> Iterator[ToolChange]:
    """Find where the list of tools changes in what runs for a client, and whether clients are told.

    Of the standalone fastmcp, whose older releases tell them by themselves, nothing is said.
    """
    if any(server.framework == "fastmcp" for server in servers) or not any(True for _ in own(run, *SIGNS)):
        return
    roots = list(_roots(run, servers))
    sending = {_key(function_of(site.node), site.module) for site in sends}
    elsewhere = any(not any(key in root.reached for root in roots if not root.beside) for key in sending)
    found = Changes(program_of(run), _held(run))
    told: dict[Span, ToolChange] = {}
    for change in (change for root in roots for change in found.of(root.trace)):
        if change.text.span not in told or change.announced is False:
            told[change.text.span] = change
    for change in told.values():
        yield ToolChange(change.text, None) if elsewhere and change.announced is False else change


def _held(run: Evaluator) -> Iterator[Term]:
    """Yield what the handlers of `tools/list` give their tools from."""
    for _, handler, _, _ in run.listings:
        function = handler.function if isinstance(handler, Method) else handler
        if isinstance(function, Function):
            yield from held_by(trace_of(run, function.scope.module, function.node))


def _key(function: Node | None, module: Module) -> FunctionKey:
    return module.path, function.start_byte if function is not None else -1


def _roots(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[_Root]:
    """Yield the functions that answer clients: those that are registered, and those under a decorator that says so."""
    spans = {tool.span for server in servers for tool in server.tools}
    for module in own(run, *(b"." + name.encode() for name in HANDLING), b"on_call_tool", *SIGNS):
        passed = _passed(module)
        for node in of_kinds(module.root, "python", "function_definition"):
            name = string_of(child(node, "name") or node)
            answers = name in passed or is_registered(node, module, spans)
            if answers or _runs_beside(node, name, module):
                trace = trace_of(run, module, node)
                yield _Root(trace, frozenset((_key(node, module), *entered(trace))), not answers)


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
