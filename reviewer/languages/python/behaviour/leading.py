"""The functions that lead to calls of some names: those of tools, and those that no tool leads to, run as if they were."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.code.events import Trace
from reviewer.facts import Server
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import Place, own
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
    """Yield the functions that a function comes to by calls, each by its place."""
    yield from ((each.source.path, each.at.start) for each in trace.codes())


class _Stretch(NamedTuple):
    """The text from the head of a function up to the next one: the names of the functions and classes around, and its words."""

    module: Module
    start: int
    names: tuple[str, ...]
    words: frozenset[bytes]


HEAD = re.compile(rb"^([ \t]*)(?:(?:async[ \t]+)?(def)|class)[ \t]+(\w+)", re.MULTILINE)
WORD = re.compile(rb"[A-Za-z_]\w+")


def _leading(run: Evaluator, names: frozenset[str]) -> list[tuple[Place, bool]]:
    """Return the functions that say some names, or names of functions that do, farther ones later, and whether they are near."""
    if not any(True for _ in own(run, *(each.encode() for each in sorted(names)))):
        return []
    stretches = [each for module in _modules(run) for each in _stretches(module)]
    known = Counter(name for each in stretches for name in each.names[-1:])
    found: list[tuple[Place, bool]] = []
    asked, fresh = {each.encode() for each in names}, {each.encode() for each in names}
    for number in range(ROUNDS):
        near = [each for each in stretches if not fresh.isdisjoint(each.words)]
        stretches = [each for each in stretches if fresh.isdisjoint(each.words)]
        found += [(place, number == 0) for each in near for place in _function(each)]
        fresh = {name.encode() for each in near for name in each.names if known[name] < COMMON} - asked
        asked |= fresh
    return found


def _modules(run: Evaluator) -> Iterator[Module]:
    return (each for each in run.modules.by_path.values() if not each.is_vendored)


def _stretches(module: Module) -> Iterator[_Stretch]:
    """Yield the functions of a module with the words that they say, in the order of the source."""
    data = module.source.data
    heads = list(HEAD.finditer(data))
    around: list[tuple[int, str]] = []
    for number, head in enumerate(heads):
        indent, name = len(head[1]), head[3].decode("utf-8", "replace")
        around = [*(each for each in around if each[0] < indent), (indent, name)]
        end = heads[number + 1].start() if number + 1 < len(heads) else len(data)
        if head[2] is not None:
            words = frozenset(WORD.findall(data, head.end(), end))
            start = head.start() + indent
            yield _Stretch(module, start, tuple(each for _, each in around if each != "__init__"), words)


def _function(stretch: _Stretch) -> Iterator[Place]:
    node = stretch.module.root.descendant_for_byte_range(stretch.start, stretch.start + 1)
    while node is not None and node.type != "function_definition":
        node = parent_of(node)
    if node is not None and node.start_byte == stretch.start:
        yield Place(node, stretch.module)
