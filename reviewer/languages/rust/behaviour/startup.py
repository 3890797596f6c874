"""What a process writes to the standard output on the way to a server on stdio: prints, and a log that goes there.

The run begins with the function that serves, or with the one that leads there where there is but one.
"""

import re

from tree_sitter import Node

from reviewer.behaviour import startup
from reviewer.code.ir import Site
from reviewer.facts import Act, Lazy
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.callees import calls, function_around
from reviewer.languages.rust.items import Item, Items, in_test

DEPTH = 2
"""Calls that lead to the function that serves."""

MARKS = re.compile(rb"\bprintln!|\bprint!|\bstdout\b|tracing_subscriber|\bfmt\b")
"""What stands in a file that prints or begins a log."""


def printed_before(items: Items, node: Node, path: str) -> Lazy[Act]:
    """Give what is printed before a place that serves on stdio, read when somebody asks."""
    return Lazy(lambda: _printed_before(items, node, path))


def _printed_before(items: Items, node: Node, path: str) -> tuple[Act, ...]:
    function = function_around(node)
    if function is None or in_test(function) or not items.mentioning(MARKS):
        return ()
    first = _first(items, Item(path, function, items.sources[path]))
    found = startup.printed_before(trace_of(items, first), program_of(items), path, Site(*node.byte_range))
    return tuple({act.text.span: act for act in found or ()}.values())


def _first(items: Items, function: Item) -> Item:
    """Return the function with which the way to another begins, as far as one place in the package leads to the next."""
    for _ in range(DEPTH):
        callers = _callers(items, function) if function.name not in ("", "main") else []
        around = function_around(callers[0][1]) if len(callers) == 1 else None
        if around is None:
            break
        function = Item(callers[0][0], around, items.sources[callers[0][0]])
    return function


def _callers(items: Items, function: Item) -> list[tuple[str, Node]]:
    folder = items.package_folder(function.path)
    return [
        (path, call)
        for path in items.mentioning(re.compile(rb"\b" + re.escape(function.name.encode()) + rb"\s*\("))
        if items.package_folder(path) == folder
        for call in calls(items, function.name, path)
        if not in_test(call)
    ]
