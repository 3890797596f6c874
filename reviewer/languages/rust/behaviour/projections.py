"""The `fields` that a client asks for: filtered by hand in a handler, outside of the guard that filters for all of them."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.pages import FIELDS
from reviewer.facts import Dispatch, Guard, Handler, Projection, Server
from reviewer.languages.nodes import child, string_of, text_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.unread_fields import unread
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, receiver, targets
from reviewer.languages.rust.items import Item, Items
from reviewer.languages.rust.literals import string_value
from reviewer.languages.rust.sightings import marks, sighted
from reviewer.source import Span

ASKED = marks(rb"\bfields\b", rb"\bprojection\b")
DEPTH = 2
"""How many calls into the project lead from a handler to its helpers, and from the guard to its own."""

TESTS = frozenset({"contains", "contains_key", "any", "binary_search"})
CHOOSES = frozenset({"filter", "filter_map", "retain", "flat_map", "take_if"})
OPTIONAL = frozenset("map map_or map_or_else is_none_or is_some_and and_then filter inspect".split())
GIVES = frozenset({"map", "filter_map", "flat_map", "for_each", "fold"})
PUTS = re.compile(
    r"(\w+)\s*\.\s*(?:insert|remove|shift_remove|swap_remove|remove_entry|push|retain)\s*\(|(\w+)\s*=\s*(?:None|Value::Null)"
)
TAKES = re.compile(
    r"\.\s*(?:get|get_mut|remove|get_key_value|remove_entry|shift_remove|pointer)\s*\(|\[\s*[&\w]+[^\]]*\]"
)


def projections(
    items: Items,
    servers: tuple[Server, ...],
    dispatches: tuple[Dispatch, ...],
    guards: tuple[Guard, ...],
    handlers: tuple[Handler, ...] = (),
) -> Iterator[Projection]:
    """Find handlers that filter keys themselves, and arguments that nothing reads."""
    if not sighted(items, ASKED):
        return
    inner = _reached(items, [guard.span for guard in guards])
    filters = any(True for each in inner for _ in each.found())
    yield from unread(items, servers, dispatches, guards, [each.item for each in inner] if filters else [])
    central = {each.item.name for each in inner}
    starts = [each.span for each in dispatches]
    if not starts:
        starts = [tool.handler.span for server in servers for tool in server.tools if tool.handler is not None]
        starts += [each.span for each in handlers]
    for each in _reached(items, starts, DEPTH if guards else 0):
        if each.item.name not in central:
            for node in each.found():
                yield Projection(text_of(each.item.source, node), "by hand")


def _reached(items: Items, spans: list[Span], depth: int = DEPTH) -> list["_Filter"]:
    """Give the functions at some places, and those that they call."""
    wanted = set(spans)
    paths = dict.fromkeys(span.path for span in spans if span.path in items.sources)
    fresh = [
        _Filter(each)
        for path in paths
        for (kind, _), found in items.of_file(path).items()
        if kind == "fn"
        for each in found
        if each.span in wanted or any(each.span.holds(span) for span in wanted)
    ]
    known = {each.item.span: each for each in fresh}
    for _ in range(depth):
        fresh = [found for each in fresh for found in each.callees(items) if found.item.span not in known]
        known |= {each.item.span: each for each in fresh}
    return list(known.values())


def _bindings(node: Node) -> Iterator[tuple[Node, Node]]:
    """Give what a construct binds and to what, the parts of a tuple one by one."""
    pattern, value = child(node, "pattern"), child(node, "value")
    if node.type == "match_arm":
        above = node.parent.parent if node.parent is not None else None
        value = child(above, "value")
        pattern = next(iter(pattern.named_children), None) if pattern is not None else None
    elif node.type == "closure_expression":
        call = node.parent.parent if node.parent is not None else None
        pattern = child(node, "parameters")
        value = receiver(call) if call is not None and called(call) in OPTIONAL else None
        value = None if value is not None and "iter()" in string_of(value) else value
    elif node.type not in ("let_declaration", "let_condition"):
        return
    if pattern is None or value is None:
        return
    if pattern.type == "tuple_pattern" and value.type == "tuple_expression":
        yield from zip(pattern.named_children, value.named_children, strict=False)
    else:
        yield pattern, value


class _Filter:
    """Finds where one function chooses keys by the fields that were asked for."""

    def __init__(self, item: Item, known: frozenset[str] = frozenset()) -> None:
        self.item = item
        self._function = function = item.node
        self._names: set[str] = set(known)
        for node in below(function):
            for pattern, value in _bindings(node):
                if self._gives(value) and not self._takes_below(value):
                    self._names |= scopes.names_in(pattern)

    def callees(self, items: Items) -> Iterator["_Filter"]:
        """Give the functions of the project that it calls, with the names by which they take the fields."""
        for call in below(self._function):
            for target in targets(items, call, self.item.path) if call.type == "call_expression" else ():
                listed = child(target.node, "parameters")
                parts = (
                    [each for each in listed.named_children if each.type == "parameter"] if listed is not None else []
                )
                pairs = zip(parts, arguments_of(call), strict=False)
                given = [child(part, "pattern") for part, value in pairs if self._gives(value)]
                yield _Filter(target, frozenset(name for each in given for name in scopes.names_in(each)))

    def _takes_below(self, value: Node) -> bool:
        """Tell whether a value is no longer the fields, but what was taken by them."""
        return any(self._takes(node) for node in below(value) if node.type == "call_expression")

    def _gives(self, node: Node | None) -> bool:
        """Tell whether an expression gives the fields that were asked for, in whatever form."""
        while node is not None:
            match node.type:
                case "identifier":
                    return string_of(node) in self._names or string_of(node) in FIELDS.words
                case "field_expression":
                    return string_of(child(node, "field") or node) in FIELDS.words
                case "call_expression":
                    if any(string_value(each) in FIELDS.words for each in arguments_of(node)):
                        return True
                    node = receiver(node) or next(iter(arguments_of(node)), None)
                case "index_expression":
                    return string_value(node.named_children[-1]) in FIELDS.words
                case _:
                    parts = [part for part in node.named_children if part.type != "mutable_specifier"]
                    node = (child(node, "value") or parts[0]) if parts and node.type in PASSED else None
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
            case "call_expression":
                return self._chooses(node) or self._takes(node)
            case "for_expression":
                pattern, body = child(node, "pattern"), child(node, "body")
                if pattern is None or body is None or not self._gives(child(node, "value")):
                    return False
                return _takes_by(body, scopes.names_in(pattern)) and self._puts(body)
            case "if_expression":
                ways = [child(node, "consequence"), child(node, "alternative")]
                return any(way is not None and self._puts(way) for way in ways) and self._tests(
                    child(node, "condition")
                )
        return False

    def _puts(self, block: Node) -> bool:
        """Tell whether code puts something into an object or takes it out; the list of the fields itself is none."""
        held = ("".join(found) for found in PUTS.findall(string_of(block)))
        return any(name not in self._names and name not in FIELDS.words for name in held)

    def _tests(self, node: Node | None) -> bool:
        """Tell whether code asks for a key among the fields; the star that means all of them is no key."""
        for each in below(node) if node is not None else ():
            if each.type == "call_expression" and called(each) in TESTS and self._gives(receiver(each)):
                if not any(string_of(part) in ('"*"', "'*'") for part in below(each)):
                    return True
        return False

    def _chooses(self, call: Node) -> bool:
        """Tell it of `map.retain(|key, _| fields.contains(key))`, and of a filter over pairs."""
        closures = [each for each in arguments_of(call) if each.type == "closure_expression"]
        if called(call) not in CHOOSES or not closures:
            return False
        parameters = child(closures[0], "parameters")
        pairs = parameters is not None and ("," in string_of(parameters) or ".keys()" in string_of(call))
        return pairs and self._tests(child(closures[0], "body"))

    def _takes(self, call: Node) -> bool:
        """Tell it of `fields.iter().filter_map(|key| object.get(key))`."""
        closures = [each for each in arguments_of(call) if each.type == "closure_expression"]
        if called(call) not in GIVES or not closures or not self._gives(receiver(call)):
            return False
        body = child(closures[-1], "body")
        return body is not None and _takes_by(body, scopes.names_in(child(closures[-1], "parameters")))


PASSED = frozenset(
    "reference_expression parenthesized_expression try_expression await_expression unary_expression".split()
)


def _takes_by(body: Node, names: set[str]) -> bool:
    """Tell whether code takes something out of an object by one of some names."""
    text = string_of(body)
    return TAKES.search(text) is not None and any(
        re.search(rf"(?:\(|\[)\s*[&*]*\s*{re.escape(name)}\b", text) is not None for name in names
    )
