"""The calls that lead to a place of Rust code, and its source without strings."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.callees import called, calls, owner, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.surroundings import without

Site = tuple[Node, str]
"""A node and the file that it stands in."""

SHORTEST = 4
"""Letters. A method of a shorter name may be anybody's."""


def plain(node: Node | None) -> str:
    """Return the source of a node without its strings and comments."""
    return without(node, "rust", "string_literal", "raw_string_literal", "line_comment", "block_comment")


def names(node: Node | None) -> set[str]:
    """Name every variable that an expression speaks of; also those that stand in the tokens of a macro."""
    return {string_of(each) for each in of_kinds(node, "rust", "identifier")} if node is not None else set()


def callers(items: Items, function: Node, path: str) -> Iterator[Site]:
    """Find the calls of a function in the project."""
    name = string_of(child(function, "name") or function)
    for place in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*(::<[^;]*>)?\(")):
        for each in calls(items, name, place):
            if not in_test(each):
                found = targets(items, each, place)
                is_method = receiver(each) is not None and not found and len(items.functions(name)) == 1
                if is_method or any(target.node == function and target.path == path for target in found):
                    yield each, place


def callees(items: Items, call: Node, path: str) -> list[Item]:
    """Find the functions of the project that a call may enter; a method on anything only if there is one of its name."""
    found = targets(items, call, path)
    name = called(call) or ""
    if found or receiver(call) is None or len(name) < SHORTEST:
        return found
    methods = items.functions(name)
    return methods if len(methods) == 1 and owner(methods[0].node) is not None else []
