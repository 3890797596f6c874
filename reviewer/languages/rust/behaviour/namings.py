"""Which strings an expression may come to: the arms of a match, the rows of a table, what the callers hand in."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import below, called, calls, constant, receiver, targets
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Text

DEPTH = 3
"""How many names and calls are followed one through another."""

DEFAULTS = frozenset({"unwrap_or", "map_or", "or"})
LOOKING = frozenset({"get", "find", "find_map", "copied", "cloned", "iter", "into_iter", "map"})
WRAPPING = frozenset({"reference_expression", "parenthesized_expression", "try_expression", "await_expression"})


def namings(items: Items, node: Node, place: Place, depth: int = 0) -> Iterator[Text]:
    """Give the strings that an expression may come to, as far as they are written; nothing for what a run makes."""
    said = Folder(items).fold(node, place)
    if isinstance(said, Text):
        yield said
        return
    if depth > DEPTH:
        return
    for end in tails(node):
        yield from _ending(items, end, place, depth)


def _ending(items: Items, node: Node, place: Place, depth: int) -> Iterator[Text]:
    said = Folder(items).fold(node, place)
    if isinstance(said, Text):
        yield said
    elif node.type in WRAPPING:
        for part in node.named_children[:1]:
            yield from namings(items, part, place, depth)
    elif node.type in ("identifier", "scoped_identifier"):
        yield from _of_name(items, node, place, depth)
    elif node.type == "call_expression":
        yield from _of_call(items, node, place, depth)
    elif node.type == "macro_invocation":
        tree = node.named_children[-1]
        read = tokens.expression(items.sources[place.path], tokens.inner(tree)) if tree.type == "token_tree" else None
        if read is not None and not string_of(node).startswith("format"):
            yield from namings(items, read, replace(place, anchor=place.anchor or node), depth + 1)


def _of_name(items: Items, node: Node, place: Place, depth: int) -> Iterator[Text]:
    name = string_of(node)
    local = binding(name, node, place.anchor) if node.type == "identifier" else None
    if local is None:
        found = constant(items, node, place.path)
        if found is not None:
            yield from _rows(items, found[0], found[1])
    elif local[0] is not None:
        yield from namings(items, local[0], place, depth + 1)
    else:
        yield from _of_callers(items, name, place.anchor or node, depth)


def _of_call(items: Items, node: Node, place: Place, depth: int) -> Iterator[Text]:
    on, given, name = receiver(node), arguments_of(node), called(node) or ""
    if on is not None and (name in DEFAULTS or name.startswith(("unwrap", "expect", "to_", "into", "as_", "clone"))):
        yield from namings(items, on, place, depth)
        if name in DEFAULTS and given:
            yield from namings(items, given[0], place, depth)
    elif on is not None and name in LOOKING:
        yield from _table(items, on, place)
    elif on is None and len(given) == 1 and not targets(items, node, place.path):
        yield from namings(items, given[0], place, depth + 1)
    else:
        for target in targets(items, node, place.path):
            body = child(target.node, "body")
            if body is not None:
                yield from namings(items, body, Place(target.path, {}), depth + 1)


def _table(items: Items, node: Node, place: Place) -> Iterator[Text]:
    """Find the table that a search goes through, and give what its rows hold."""
    while node.type == "call_expression" and receiver(node) is not None:
        node = receiver(node) or node
    found = constant(items, node, place.path)
    if found is not None:
        yield from _rows(items, found[0], found[1])


def _rows(items: Items, value: Node, path: str) -> Iterator[Text]:
    """Give the second text of each pair of a table."""
    for each in below(value):
        if each.type == "tuple_expression" and len(each.named_children) == 2:
            said = Folder(items).fold(each.named_children[1], Place(path, {}))
            if isinstance(said, Text):
                yield said


def _of_callers(items: Items, name: str, node: Node, depth: int) -> Iterator[Text]:
    """Give what the calls of the function hand in for a parameter."""
    function: Node | None = node
    while function is not None and function.type != "function_item":
        function = parent_of(function)
    listed = child(function, "parameters")
    if function is None or listed is None or in_test(function):
        return
    patterns = [child(part, "pattern") for part in listed.named_children if part.type == "parameter"]
    names = [string_of(each).removeprefix("mut ") for each in patterns if each is not None]
    called_as = string_of(child(function, "name") or function)
    if name not in names or called_as == "respond":  # what a guard is called with is the action it answers
        return
    for call, path in _calls(items, called_as):
        given = arguments_of(call)
        if len(given) == len(names):
            yield from namings(items, given[names.index(name)], Place(path, {}), depth + 2)


def _calls(items: Items, name: str) -> Iterator[tuple[Node, str]]:
    for path in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")):
        yield from ((each, path) for each in calls(items, name, path) if not in_test(each))
