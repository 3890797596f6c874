"""The functions that lead to calls of some names: those of tools, and those that no tool leads to, run as if they were."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.code.events import Entered, Trace
from reviewer.facts import Server
from reviewer.languages.nodes import child, children, of_kinds_at, string_of
from reviewer.languages.python.behaviour.following import Place, enclosing, own
from reviewer.languages.python.behaviour.tracing import trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Span

ROUNDS = 8
"""How many callers are looked for, one above another."""

COMMON = 4
"""Functions of one name. More are methods that every class has, and a call of the name says nothing of them."""

HANDLING = frozenset({"tool", "call_tool", "resource", "prompt", "read_resource", "get_prompt"})
"""The decorators by which a function answers clients."""

FunctionKey = tuple[str, int]


def traces_to(run: Evaluator, servers: Iterable[Server], names: frozenset[str]) -> Iterator[Trace]:
    """Yield what functions do that may come to a call, or a text, of some names.

    Those that answer clients, however far they are from there, and those that say a name and that none of these leads to.
    """
    reached: set[FunctionKey] = set()
    spans = {tool.span for server in servers for tool in server.tools}
    found = _leading(run, names)
    answering = [each for each, _ in reversed(found) if is_registered(each.node, each.module, spans)]
    for place in (*answering, *(each for each, is_near in found if is_near)):
        key = (place.module.path, place.node.start_byte)
        if key not in reached:
            trace = trace_of(run, place.module, place.node)
            reached |= {key, *entered(trace)}
            yield trace


def is_registered(function: Node, module: Module, spans: set[Span]) -> bool:
    """Return whether a function answers clients by its decorators, or is the declaration of a tool."""
    above = function.parent
    if above is None or above.type != "decorated_definition":
        return module.span(function) in spans
    return module.span(above) in spans or any(_mark(each) in HANDLING for each in children(above)[:-1])


def _mark(decorator: Node) -> str:
    named = children(decorator)[0] if children(decorator) else decorator
    named = child(named, "function") or named
    return string_of(child(named, "attribute") or named)


def entered(trace: Trace) -> Iterator[FunctionKey]:
    """Yield the functions that a function calls, and those call, each by its place."""
    for each in trace.occurrences():
        if isinstance(each.event, Entered):
            code = each.event.trace.code
            yield code.source.path, code.at.start


def _leading(run: Evaluator, names: frozenset[str]) -> list[tuple[Place, bool]]:
    """Return the functions that say some names, or names of functions that do, farther ones later, and whether they are near."""
    found: dict[FunctionKey, tuple[Place, bool]] = {}
    asked, fresh = set(names), set(names)
    for number in range(ROUNDS):
        signs = tuple(each.encode() for each in sorted(fresh))
        fresh = set()
        word = re.compile(rb"\b(?:" + b"|".join(map(re.escape, signs)) + rb")\b") if signs else None
        for module in own(run, *signs) if word is not None else ():
            places = (hit.span() for hit in word.finditer(module.source.data)) if word is not None else ()
            for node in of_kinds_at(module.root, "python", places, "function_definition"):
                key = (module.path, node.start_byte)
                if key not in found and not _only_holds(node, word):
                    found[key] = Place(node, module), number == 0
                    fresh |= {name for name in _called_by(node) if name not in asked}
        fresh = {each for each in fresh if _definitions(run, each) < COMMON}
        asked |= fresh
    return list(found.values())


def _only_holds(function: Node, word: re.Pattern[bytes] | None) -> bool:
    """Return whether it is only the name of a function that speaks of itself."""
    body = child(function, "body")
    return body is None or word is None or word.search(body.text or b"") is None


def _called_by(function: Node) -> Iterator[str]:
    """Yield by which names a function is called: its own, or that of the class that it makes objects of."""
    name = string_of(child(function, "name") or function)
    if name.startswith("__"):
        holder = enclosing(function, "class_definition")
        name = string_of(child(holder, "name") or holder) if holder is not None and name == "__init__" else ""
    if name:
        yield name


def _definitions(run: Evaluator, name: str) -> int:
    signs = (b"def " + name.encode() + b"(", b"class " + name.encode())
    return sum(module.source.data.count(sign) for sign in signs for module in own(run, sign))
