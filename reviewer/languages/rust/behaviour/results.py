"""Success results of the protocol that code builds itself, past the guard or around what the handlers give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from reviewer.facts import Answer, Dispatch, Guard
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.written import Reader, Written, expanded, matched, unit_of
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import below, called, last_segment, qualifier
from reviewer.languages.rust.items import Items, attributes_before, in_test
from reviewer.languages.vocabulary import CHOOSING, META_ACTIONS

RESULT = re.compile(rb"CallToolResult|\bcontent\b")
RENAMED = re.compile(rb"\btype\s+(\w+)\s*=\s*(?:\w+::)*CallToolResult\s*;|\bCallToolResult\s+as\s+(\w+)")
MAKERS = frozenset({"success", "structured", "text_content", "new"})
KEYS = frozenset({"content", "structuredContent", "structured_content", "_meta", "isError", "is_error"})
FAILED = re.compile(r"^(?:Some\s*\(\s*true\s*\)|true|true\.into\(\))$")
ENTRIES = frozenset(
    "call_tool handle_call_tool_request dispatch_tool handle_tool_call handle_call_tool handle_tools_call dispatch_tools".split()
)
ASKED = re.compile(r"param|arg|input|request|\breq\b|query|action|\bid\b|self|client|context|\bctx\b")
TOOL = re.compile(r"#\[\s*(?:\w+\s*::\s*)*tool\b")
DEPTH = 3
"""How many names are followed from a value to what it is made of."""


@dataclass(frozen=True, slots=True)
class Made:
    """One result that code builds: what it shows, and what it is made of."""

    path: str
    at: Node
    values: list[Node]
    anchor: Node | None = None

    @property
    def unit(self) -> Node:
        """The function that it stands in."""
        return unit_of(self.anchor or self.at)

    @property
    def function(self) -> str:
        """The name of that function."""
        name = child(self.unit, "name")
        return string_of(name) if name is not None else ""


def answers(items: Items, choices: tuple[Dispatch, ...], bounds: tuple[Guard, ...]) -> Iterator[Answer]:
    """Find where a success result is built, in a project that has a guard; also by a function that only puts it into form."""
    if bounds:
        yield from _Results(items, choices, bounds).answers()


class _Results:
    """Reads the results of one project."""

    def __init__(self, items: Items, choices: tuple[Dispatch, ...], bounds: tuple[Guard, ...]) -> None:
        self.items = items
        self.guards = {str(guard.name) for guard in bounds}
        self.dispatches = {str(dispatch.name) for dispatch in choices} | ENTRIES

    @cached_property
    def aliases(self) -> frozenset[str]:
        """The names that stand for `CallToolResult`."""
        sources = (source.data for source in self.items.sources.values() if b"CallToolResult" in source.data)
        found = {(one or other).decode() for data in sources for one, other in RENAMED.findall(data)}
        return frozenset({"CallToolResult", *found})

    def answers(self) -> Iterator[Answer]:
        made = [
            each for each in self._made() if not in_test(each.anchor or each.at) and each.function not in self.guards
        ]
        forming = {each.function for each in made if self._only_forms(each)}
        yield from (self._answer(each) for each in made)
        yield from (self._answer(each) for each in self._calls(forming))

    def _answer(self, made: Made) -> Answer:
        text = self.items.text(made.path, made.at)
        return Answer(text, self._passed(made), self._wraps(made), made.function)

    def _made(self) -> Iterator[Made]:
        names = re.compile(b"|".join([RESULT.pattern, *(name.encode() for name in self.aliases)]))
        for path in self.items.mentioning(names):
            root = self.items.root(path)
            for node, anchor in expanded(self.items, path, root):
                if node.type == "call_expression" and qualifier(node) in self.aliases and called(node) in MAKERS:
                    yield Made(path, node, arguments_of(node), anchor)
                elif node.type == "struct_expression":
                    yield from self._of_struct(path, node, anchor)
            for written in Reader(self.items, path).read(root) if b'"content"' in self.items.sources[path].data else ():
                if _is_result(written):
                    yield Made(path, written.anchor or written.at, [written.given["content"].node], written.anchor)

    def _of_struct(self, path: str, node: Node, anchor: Node | None) -> Iterator[Made]:
        name, body = child(node, "name"), child(node, "body")
        if name is None or body is None or last_segment(name) not in self.aliases:
            return
        given = {string_of(child(part, "field") or part): child(part, "value") or part for part in body.named_children}
        failed = given.get("is_error")
        if "content" in given and (failed is None or not FAILED.match(string_of(failed))):
            yield Made(path, node, [given[key] for key in ("content", "structured_content") if key in given], anchor)

    def _only_forms(self, made: Made) -> bool:
        """Tell whether a function does nothing but put what it is given into a result's form."""
        return self._wraps(made) and made.function not in self.dispatches and made.unit.type == "function_item"

    def _calls(self, names: set[str]) -> Iterator[Made]:
        """Find the calls of the functions that form results."""
        wanted = (
            re.compile(rb"\b(?:" + b"|".join(sorted(re.escape(name.encode()) for name in names)) + rb")\s*\(")
            if names
            else None
        )
        for path in self.items.mentioning(wanted) if wanted is not None else ():
            for node, anchor in expanded(self.items, path, self.items.root(path)):
                if node.type == "call_expression" and called(node) in names and not in_test(anchor or node):
                    made = Made(path, node, arguments_of(node), anchor)
                    if made.values and made.function not in (names | self.guards):
                        yield made

    def _passed(self, made: Made) -> tuple[str, ...]:
        """Name every function that the value passes, or a part of it."""
        found: list[str] = []
        for value in made.values:
            found += outcomes.through(self.items, value, made.path)
            for node, _ in self._parts(made.path, value, made.anchor):
                name = called(node)
                found += [name] if name is not None else []
                if name is not None and name not in self.guards:
                    found += outcomes.through(self.items, node, made.path)
                found += [last_segment(node)] if node.type == "scoped_identifier" else []
                found += [string_of(node)] if node.type == "identifier" and string_of(node) in self.guards else []
        return tuple(dict.fromkeys(found))

    def _parts(self, path: str, value: Node, anchor: Node | None, depth: int = 0) -> Iterator[tuple[Node, Node | None]]:
        """Give the nodes of a value and of what its names are bound to."""
        for node, inner in expanded(self.items, path, value):
            place = inner or anchor
            yield node, place
            if node.type == "identifier" and depth < DEPTH:
                local = binding(string_of(node), node, place)
                if local is not None and local[0] is not None:
                    yield from self._parts(path, local[0], place, depth + 1)
                elif local is not None:
                    for source in matched(string_of(node), place or node):
                        yield from self._parts(path, source, place, depth + 1)

    def _wraps(self, made: Made) -> bool:
        """Tell whether a result is made around what the handlers give, or what a caller hands in to be put into form."""
        here = made.anchor or made.at
        if _in_meta_arm(here):
            return True
        if self.dispatches.intersection(self._passed(made)):
            return True
        if _in_named_arm(here) or _is_tool(made.unit):
            return False
        names = [part for value in made.values for part in self._parts(made.path, value, made.anchor)]
        inside = made.function in self.dispatches or any(
            called(node) in (self.dispatches | {"catch_unwind"}) for node in below(made.unit)
        )
        handed = [node for node, anchor in names if node.type == "identifier" and self._is_handed(node, anchor)]
        return bool(handed) and (inside or not any(called(node) == "await" or _is_fetch(node) for node, _ in names))

    def _is_handed(self, node: Node, anchor: Node | None) -> bool:
        local = binding(string_of(node), node, anchor)
        return local is not None and local[0] is None and not ASKED.search(string_of(node))


def _is_fetch(node: Node) -> bool:
    """Tell whether a node gets something from elsewhere: it waits for it."""
    return node.type == "await_expression"


def _is_result(written: Written) -> bool:
    given = written.given
    if "content" not in given or not KEYS.issuperset(given):
        return False
    failed = given.get("isError", given.get("is_error"))
    if failed is not None:
        return not FAILED.match(string_of(failed.node))
    text = string_of(given["content"].node)
    return '"type"' in text and '"text"' in text


def _is_tool(unit: Node) -> bool:
    return any(TOOL.match(string_of(each)) for each in attributes_before(unit))


def _arms(node: Node) -> Iterator[tuple[str, str]]:
    """Give the pattern and the scrutinee of each match, and the tests of each `if`, that a node stands in."""
    current: Node | None = node
    while current is not None and current.type != "function_item":
        above = current.parent
        pattern = child(current, "pattern") if current.type == "match_arm" else None
        if pattern is not None and above is not None:
            yield string_of(pattern), string_of(child(above.parent, "value") or above)
        condition = child(current, "condition") if current.type == "if_expression" else None
        if condition is not None and condition.type == "binary_expression":
            yield string_of(child(condition, "right") or condition), string_of(child(condition, "left") or condition)
        current = above


def _names(node: Node) -> Iterator[str]:
    """Give the names of actions or tools under which a node is reached."""
    for pattern, scrutinee in _arms(node):
        if CHOOSING.search(scrutinee):
            yield from re.findall(r'"([\w.\-:]+)"', pattern)
            yield from re.findall(r"\b([A-Z][A-Z0-9_]+)\b", pattern)


def _in_named_arm(node: Node) -> bool:
    return any(name not in META_ACTIONS for name in _names(node))


def _in_meta_arm(node: Node) -> bool:
    names = list(_names(node))
    return bool(names) and all(name.lower() in META_ACTIONS for name in names)
