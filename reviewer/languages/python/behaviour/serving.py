"""Functions that choose by a tool's name, as the function under `@server.call_tool()` does."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Flag, Handler, Server
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.pages import PAGING
from reviewer.languages.python.behaviour import exits
from reviewer.languages.python.behaviour.following import below, enclosing, own, scope, text
from reviewer.languages.python.behaviour.requests import Arms
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text

CHOOSING = re.compile(r"name|tool")


def by_tool(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Handler]:
    """Give the branches on the names of tools of which nothing else tells the code."""
    names = {str(tool.name) for server in servers for tool in server.tools if tool.handler is None and tool.name}
    signs = [quote + name.encode() + quote for name in names for quote in (b'"', b"'")]
    for module in own(run, *signs) if names else ():
        found: dict[int, list[tuple[Text, Node]]] = {}
        for node in below(module.root):
            for name, body in _branch(run, module, node):
                unit = enclosing(node)
                if name in names and unit is not None:
                    found.setdefault(unit.start_byte, []).append((name, body))
        for branches in found.values():
            if len({str(name) for name, _ in branches}) >= min(2, len(names)):
                yield from (_handler(run, module, name, body) for name, body in branches)


def _handler(run: Evaluator, module: Module, name: Text, body: Node) -> Handler:
    around, within = enclosing(body), scope(run, module)
    capped = Flag(lambda: around is None or Arms(run, around, within, PAGING).look(body))
    return Handler(name, module.span(body), exits.of_block(run, body, within), capped)


def _branch(run: Evaluator, module: Module, node: Node) -> Iterator[tuple[Text, Node]]:
    """Give what `if name == "..":` or `case "..":` asks for, and its code."""
    body = child(node, "consequence")
    if body is None:
        return
    if node.type in ("if_statement", "elif_clause"):
        test = child(node, "condition")
        sides = children(test) if test is not None and test.type == "comparison_operator" else []
        same = test is not None and any(string_of(part) == "==" for part in test.children)
        if len(sides) == 2 and same and any(CHOOSING.search(string_of(side)) for side in sides):
            for side in sides:
                said = (
                    text(run, side, scope(run, module)) if side.type in ("string", "attribute", "identifier") else None
                )
                if said is not None:
                    yield Text(said, module.span(side)), body
    elif node.type == "case_clause":
        for part in children(node):
            for each in below(part) if part.type == "case_pattern" else ():
                said = text(run, each, scope(run, module)) if each.type == "string" else None
                if said is not None:
                    yield Text(said, module.span(each)), body
