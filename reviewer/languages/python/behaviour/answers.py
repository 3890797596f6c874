"""Success results of the protocol that code builds itself, past the guard or around what the handlers give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.facts import Answer, Dispatch, Guard
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assignments,
    below,
    called,
    callee,
    enclosing,
    is_parameter,
    own,
    scope,
)
from reviewer.languages.python.behaviour.written import Written, read
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.vocabulary import CHOOSING, META_ACTIONS
from reviewer.source import Text

SIGNS = (b"CallToolResult", b"TextContent", b"ToolResult", b'"content"', b"'content'", b"content=")
RESULTS = frozenset({"CallToolResult", "ToolResult"})
CONTENTS = frozenset({"TextContent"})
KEYS = frozenset({"content", "structuredContent", "structured_content", "_meta", "isError", "is_error"})
ENTRY = re.compile(r"(?:^|_)(?:call_tool|dispatch_tool|tool_call|tools_call)$")
ASKED = re.compile(r"param|arg|input|request|\breq\b|query|action|\bid\b|self|cls|client|context|\bctx\b")
DEPTH = 3
"""How many names are followed from a value to what it is made of."""


@dataclass(frozen=True, slots=True)
class Made:
    """One result that code builds: what it shows, and what it is made of."""

    module: Module
    at: Node
    values: list[Node]

    @property
    def unit(self) -> Node | None:
        """The function that it stands in."""
        return enclosing(self.at)

    @property
    def function(self) -> str:
        """The name of that function."""
        unit = self.unit
        return string_of(child(unit, "name") or unit) if unit is not None else ""


def answers(run: Evaluator, choices: tuple[Dispatch, ...], bounds: tuple[Guard, ...]) -> Iterator[Answer]:
    """Find where a success result is built, in a project that has a guard; also by a function that only puts it into form."""
    if bounds:
        yield from _Results(run, choices, bounds).answers()


class _Results:
    """Reads the results of one project."""

    def __init__(self, run: Evaluator, choices: tuple[Dispatch, ...], bounds: tuple[Guard, ...]) -> None:
        self.run = run
        self.guards = {str(guard.name) for guard in bounds}
        self.dispatches = {str(dispatch.name) for dispatch in choices}

    def answers(self) -> Iterator[Answer]:
        made = [each for module in own(self.run, *SIGNS) for each in self._made(module) if self._counts(each)]
        forming = {each.function for each in made if self._wraps(each) and not self._is_entry(each.unit)}
        yield from (self._answer(each) for each in made)
        yield from (self._answer(each) for each in self._calls(forming))

    def _counts(self, made: Made) -> bool:
        return made.unit is not None and made.function not in self.guards

    def _answer(self, made: Made) -> Answer:
        text = Text(string_of(made.at), made.module.span(made.at))
        return Answer(text, self._passed(made), self._wraps(made), made.function)

    def _made(self, module: Module) -> Iterator[Made]:
        for node in below(module.root):
            if node.type == "call" and called(node) in RESULTS and not _has_failed(arguments(node)[1]):
                positional, keywords = arguments(node)
                yield Made(module, node, [*positional, *keywords.values()])
            elif node.type == "list" and children(node) and all(called(each) in CONTENTS for each in children(node)):
                if not _is_inside_result(node):
                    yield Made(
                        module, node, [value for each in children(node) for value in arguments(each)[1].values()]
                    )
        for written in read(self.run, module, module.root) if b"content" in module.source.data else ():
            if written.name is None and not written.declares and _is_result(written):
                yield Made(module, written.at, [written.given["content"]])

    def _calls(self, names: set[str]) -> Iterator[Made]:
        """Find the calls of the functions that form results."""
        for module in own(self.run, *(f"{name}(".encode() for name in names)):
            for node in below(module.root):
                if node.type == "call" and called(node) in names:
                    positional, keywords = arguments(node)
                    made = Made(module, node, [*positional, *keywords.values()])
                    if made.values and self._counts(made) and made.function not in names:
                        yield made

    def _parts(self, value: Node, depth: int = 0) -> Iterator[Node]:
        """Give the nodes of a value and of what its names are bound to."""
        for node in below(value):
            yield node
            if node.type == "identifier" and depth < DEPTH:
                for given in assignments(string_of(node), node):
                    yield from self._parts(given, depth + 1)

    def _passed(self, made: Made) -> tuple[str, ...]:
        """Name every function that the value passes, or a part of it."""
        found: list[str] = []
        for value in made.values:
            for node in self._parts(value):
                name = called(node)
                found += [name] if name else []
                found += [string_of(node)] if node.type == "identifier" and string_of(node) in self.guards else []
                place = callee(self.run, node, scope(self.run, made.module)) if name else None
                body = child(place.node, "body") if place is not None else None
                found += [called(each) for each in below(body) if each.type == "call"] if body is not None else []
        return tuple(dict.fromkeys(found))

    def _is_entry(self, unit: Node | None) -> bool:
        if unit is None:
            return False
        above = unit.parent
        marks = (
            string_of(above).partition("def ")[0] if above is not None and above.type == "decorated_definition" else ""
        )
        name = string_of(child(unit, "name") or unit)
        return "call_tool" in marks or ENTRY.search(name) is not None or name in self.dispatches

    def _wraps(self, made: Made) -> bool:
        """Tell whether a result is made around what the handlers give, or what a caller hands in to be put into form."""
        names = list(_names(made.at))
        if names and all(name in META_ACTIONS for name in names):
            return True
        if any(name not in META_ACTIONS for name in names) or _is_tool(made.unit):
            return False
        parts = [node for value in made.values for node in self._parts(value)]
        if any(called(node) in self.dispatches for node in parts):
            return True
        handed = any(
            node.type == "identifier"
            and not ASKED.search(string_of(node))
            and (is_parameter(string_of(node), node) or _is_pattern(node))
            for node in parts
        )
        if self._is_entry(made.unit):
            return handed or any(node.type == "await" for node in parts)
        return handed and not any(node.type == "await" for node in parts)


def _is_pattern(node: Node) -> bool:
    """Tell whether a name is bound by a loop or a comprehension around it."""
    name, above = string_of(node), node.parent
    while above is not None and above.type != "function_definition":
        for part in (above, *children(above)):
            left = child(part, "left") if part.type in ("for_statement", "for_in_clause") else None
            if left is not None and string_of(left) == name:
                return True
        above = parent_of(above)
    return False


def _has_failed(keywords: dict[str, Node]) -> bool:
    return any(string_of(keywords[name]) == "True" for name in ("isError", "is_error") if name in keywords)


def _is_inside_result(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type in ("keyword_argument", "argument_list", "call", "pair", "dictionary"):
        if called(above) in RESULTS or above.type == "dictionary":
            return True
        above = parent_of(above)
    return False


def _is_result(written: Written) -> bool:
    given = written.given
    if "content" not in given or not KEYS.issuperset(given) or written.open or _has_failed(given):
        return False
    text = string_of(given["content"])
    return "isError" in given or ("type" in text and "text" in text and given["content"].type == "list")


def _is_tool(unit: Node | None) -> bool:
    above = unit.parent if unit is not None else None
    if above is None or above.type != "decorated_definition":
        return False
    return any(
        re.match(r"@(?:\w+\.)*tool\b", string_of(part)) is not None
        for part in children(above)
        if part.type == "decorator"
    )


def _names(node: Node) -> Iterator[str]:
    """Give the names of actions or tools under which a node is reached."""
    current: Node | None = node
    while current is not None and current.type != "function_definition":
        above = current.parent
        if current.type == "case_clause":
            match = above.parent if above is not None else None
            subject = child(match, "subject")
            pattern = next((part for part in children(current) if part.type == "case_pattern"), None)
            if subject is not None and pattern is not None and CHOOSING.search(string_of(subject)):
                yield from re.findall(r"[\"']([\w.\-:]+)[\"']", string_of(pattern))
        elif current.type in ("if_statement", "elif_clause") and _is_way(current, node):
            test = child(current, "condition")
            if test is not None and test.type == "comparison_operator" and CHOOSING.search(string_of(test)):
                yield from re.findall(r"[\"']([\w.\-:]+)[\"']", string_of(test))
        current = above


def _is_way(statement: Node, node: Node) -> bool:
    """Tell whether a node lies where the test holds."""
    body = child(statement, "consequence")
    return body is not None and body.start_byte <= node.start_byte and node.end_byte <= body.end_byte
