"""Under which conditions a place in the code is reached: `#[cfg]`, `if`, `match`, and the calls that lead there."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, find_parent, locate_node
from reviewer.languages.rust.project.def_use import format_short
from reviewer.languages.rust.project.items import RustItems, is_in_test
from reviewer.languages.rust.syntax import attributes
from reviewer.source import Source

CALLERS = 3
"""Callers of callers that are searched for the conditions of a registration: `main`, `run`, `register`, to which the tests come.

"""


def collect_conditions(source: Source, node: Node) -> tuple[Condition, ...]:
    """Return the conditions between a node and the function around it, outermost first."""
    found: list[Condition] = []
    inner, around = node, node.parent
    found += reversed(attributes.read_conditions(source, node))
    while around is not None and inner.type != "function_item":
        found += reversed(list(_iter_for_step(source, around, inner)))
        found += reversed(attributes.read_conditions(source, around))
        inner, around = around, find_parent(around)
    return tuple(reversed(found))


def _iter_for_step(source: Source, around: Node, inner: Node) -> Iterator[Condition]:
    if around.type == "if_expression":
        condition = find_child(around, "condition")
        if condition is not None and inner != condition:
            words = "if" if inner == find_child(around, "consequence") else "else of if"
            yield Condition(f"{words} {format_short(condition)}", locate_node(source, condition))
    elif around.type == "match_arm" and inner == find_child(around, "value"):
        pattern = find_child(around, "pattern")
        if pattern is not None and decode_node(pattern) != "_":
            yield Condition(f"match {format_short(pattern)}", locate_node(source, pattern))


def collect_caller_conditions(items: RustItems, node: Node, depth: int = CALLERS) -> tuple[Condition, ...]:
    """Return the conditions of the only call that leads to the function around a node, if there is only one."""
    around = find_nearest_of_kinds(node, "function_item")
    name = decode_node(find_child(around, "name") or around) if around is not None else ""
    if depth == 0 or around is None or len(items.find_functions(name)) != 1:
        return ()
    calls = list(_iter_calls(items, name))
    if len(calls) != 1:
        return ()
    path, call = calls[0]
    return (*collect_caller_conditions(items, call, depth - 1), *collect_conditions(items.sources[path], call))


def collect_module_conditions(items: RustItems, path: str) -> tuple[Condition, ...]:
    """Return the `#[cfg]` over the `mod` declarations that lead to a file."""
    found: list[Condition] = []
    folder, _, file = path.rpartition("/")
    stem = file.removesuffix(".rs")
    while stem and folder.rpartition("/")[2] != "":
        if stem == "mod":
            folder, _, stem = folder.rpartition("/")
        parents = (f"{folder}/mod.rs", f"{folder}.rs", f"{folder}/lib.rs", f"{folder}/main.rs")
        parent = next((name for name in parents if name in items.sources and name != path), None)
        if parent is None:
            break
        declared = re.search(
            rb"(#\[cfg\([^\]]*\])\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+" + re.escape(stem.encode()) + rb"\s*;",
            items.sources[parent].data,
        )
        if declared is not None:
            line = items.sources[parent].data.count(b"\n", 0, declared.start()) + 1
            found.insert(
                0, Condition(declared[1].decode("utf-8", "replace"), items.sources[parent].find_line_span(line))
            )
        if parent.endswith(("lib.rs", "main.rs")):
            break
        path, (folder, _, stem) = parent, folder.rpartition("/")
    return tuple(found)


def _iter_calls(items: RustItems, name: str) -> Iterator[tuple[str, Node]]:
    pattern = re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")
    for path in items.find_matching(pattern):
        for found in pattern.finditer(items.sources[path].data):
            node = items.parse_root(path).descendant_for_byte_range(found.start(), found.start() + len(name))
            around = node.parent if node is not None else None
            while around is not None and around.type in ("scoped_identifier", "field_expression"):
                around = find_parent(around)
            if around is not None and around.type == "call_expression" and not is_in_test(around):
                yield path, around
