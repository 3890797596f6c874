"""The `fields` that a client asks for: filtered by hand in a handler, outside of the guard that filters for all of them."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import FIELDS
from reviewer.facts import Dispatch, Guard, Handler, Projection, Server
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour import scopes
from reviewer.languages.python.behaviour.following import Place, arguments, below, called, callee, receiver
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.unread_fields import unread
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Span, Text

DEPTH = 2
"""How many calls into the project lead from a handler to its helpers, and from the guard to its own."""

FORMS = frozenset("set list tuple frozenset sorted iter dict".split())
PUTS = re.compile(
    r"^\s*(?:del\s+(\w+)|(\w[\w.]*)\[[^\]]*\]\s*=[^=])|(\w+)\s*\.\s*(?:pop|setdefault|update|append|add)\(",
    re.MULTILINE,
)


def projections(
    run: Evaluator,
    near: list[Module],
    servers: tuple[Server, ...],
    dispatches: tuple[Dispatch, ...],
    guards: tuple[Guard, ...],
    handlers: tuple[Handler, ...] = (),
) -> Iterator[Projection]:
    """Find handlers that filter keys themselves, and arguments that nothing reads."""
    near = [module for module in near if b"fields" in module.source.data]
    if not near:
        return
    inner = _reached(run, near, [guard.name.span for guard in guards], DEPTH)
    filters = any(True for each in inner for _ in each.found())
    yield from unread(run, near, servers, dispatches, guards, [each.place for each in inner] if filters else [])
    central = {each.name for each in inner}
    starts = [each.name.span for each in dispatches] + [arm.span for each in dispatches for arm in each.arms]
    if not starts:
        starts = [tool.handler.name.span for server in servers for tool in server.tools if tool.handler is not None]
        starts += [each.span for each in handlers]
    for each in _reached(run, near, starts, DEPTH if guards else 0):
        if each.name not in central:
            for node in each.found():
                yield Projection(Text(string_of(node), each.place.module.span(node)), "by hand")


def _reached(run: Evaluator, near: list[Module], spans: Iterable[Span], depth: int) -> list["_Filter"]:
    """Give the functions whose names stand at some places, and those that they call."""
    wanted = set(spans)
    fresh = [
        _Filter(Place(node, module))
        for module in near
        for node in below(module.root)
        if node.type == "function_definition" and _is_at(module, node, wanted)
    ]
    known = {each.key: each for each in fresh}
    for _ in range(depth):
        fresh = [found for each in fresh for found in each.callees(run) if found.key not in known]
        known |= {each.key: each for each in fresh}
    return list(known.values())


def _is_at(module: Module, function: Node, wanted: set[Span]) -> bool:
    """Tell whether a function's name stands at one of some places, or one lies within the function."""
    place = module.span(function)
    return module.span(child(function, "name") or function) in wanted or any(place.holds(span) for span in wanted)


class _Filter:
    """Finds where one function chooses keys by the fields that were asked for."""

    def __init__(self, place: Place, known: frozenset[str] = frozenset()) -> None:
        self.place = place
        self.key = (place.module.path, place.node.start_byte)
        self.name = string_of(child(place.node, "name") or place.node)
        self._function = function = place.node
        self._names: set[str] = set(known)
        for node in below(function):
            value = scopes.value_of(node) if node.type in scopes.ASSIGNING else None
            if value is not None and self._gives(value):
                self._names |= scopes.names_in(scopes.target_of(node))

    def callees(self, run: Evaluator) -> Iterator["_Filter"]:
        """Give the functions of the project that it calls, with the names by which they take the fields."""
        for call in below(self._function):
            target = callee(run, call, scope_of(run, self.place.module)) if call.type == "call" else None
            if target is None:
                continue
            listed = child(target.node, "parameters")
            parts = [
                string_of(child(part, "name") or (children(part) or [part])[0]) for part in children(listed or call)
            ]
            names = [name for name in parts if name not in ("self", "cls")]
            positional, keywords = arguments(call)
            given = {name for name, value in zip(names, positional, strict=False) if self._gives(value)}
            yield _Filter(target, frozenset(given | {name for name, value in keywords.items() if self._gives(value)}))

    def _gives(self, node: Node | None) -> bool:
        """Tell whether an expression gives the fields that were asked for, in whatever form."""
        while node is not None:
            match node.type:
                case "identifier":
                    return string_of(node) in self._names or string_of(node) in FIELDS.words
                case "attribute":
                    return string_of(child(node, "attribute") or node) in FIELDS.words
                case "subscript":
                    key = child(node, "subscript")
                    return key is not None and string_value(key) in FIELDS.words
                case "boolean_operator":
                    node = child(node, "left")
                case "conditional_expression":
                    node = children(node)[0]
                case "binary_operator":
                    return any(self._gives(child(node, side)) for side in ("left", "right"))
                case "parenthesized_expression" | "set_comprehension" | "list_comprehension":
                    clause = next((part for part in children(node) if part.type == "for_in_clause"), None)
                    node = child(clause, "right") if clause is not None else children(node)[0]
                case "call":
                    given, _ = arguments(node)
                    if any(string_value(each) in FIELDS.words for each in given if each.type == "string"):
                        return True
                    node = given[0] if called(node) in FORMS and given else receiver(node)
                case _:
                    node = None
        return False

    def found(self) -> Iterator[Node]:
        """Give the filters, those within another left out."""
        end = 0
        for node in below(self._function):
            if node.start_byte >= end and self._is_filter(node):
                end = node.end_byte
                yield node

    def _is_filter(self, node: Node) -> bool:
        match node.type:
            case "dictionary_comprehension":
                clauses = [part for part in children(node) if part.type == "for_in_clause"]
                by_name = any(self._gives(child(part, "right")) for part in clauses)
                tested = any(self._tests(part) for part in children(node) if part.type == "if_clause")
                return tested or (by_name and _takes_by(children(node)[0], scopes.names_in(child(clauses[0], "left"))))
            case "for_statement":
                body = child(node, "body")
                if body is None or not self._gives(child(node, "right")):
                    return False
                taken = _takes_by(body, scopes.names_in(child(node, "left")))
                return taken and self._puts(body)
            case "if_statement" | "elif_clause":
                ways = [child(node, "consequence"), *node.children_by_field_name("alternative")]
                return any(way is not None and self._puts(way) for way in ways) and self._tests(
                    child(node, "condition")
                )
            case "keyword_argument":
                return string_of(child(node, "name") or node) == "include" and self._gives(child(node, "value"))
            case "call":
                given, _ = arguments(node)
                pairs = called(node) == "filter" and bool(given) and given[0].type == "lambda"
                return (pairs and self._tests(given[0])) or (
                    called(node) == "itemgetter" and any(self._gives(child_of(each)) for each in given)
                )
        return False

    def _puts(self, block: Node) -> bool:
        """Tell whether code puts something into an object or takes it out; the list of the fields itself is none."""
        held = ("".join(part or "" for part in found) for found in PUTS.findall(string_of(block)))
        return any(name not in self._names and name not in FIELDS.words for name in held)

    def _tests(self, node: Node | None) -> bool:
        """Tell whether code asks for a key among the fields; the star that means all of them is no key."""
        for each in below(node) if node is not None else ():
            sides = children(each) if each.type == "comparison_operator" else []
            signs = {" ".join(string_of(part).split()) for part in each.children if part not in sides}
            if sides and signs & {"in", "not in"} and self._gives(sides[-1]) and string_value(sides[0]) != "*":
                return True
        return False


def child_of(node: Node) -> Node:
    """Give what a splat spreads."""
    return children(node)[0] if node.type == "list_splat" and children(node) else node


def _takes_by(body: Node, names: set[str]) -> bool:
    """Tell whether code takes something out of an object by one of some names."""
    text = string_of(body)
    return any(
        re.search(rf"(?:\[\s*{name}\s*\]|\.(?:get|pop)\(\s*{name}\b|getattr\([^,]+,\s*{name}\b)", text) is not None
        for name in map(re.escape, names)
    )
