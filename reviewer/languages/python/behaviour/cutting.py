"""How code shortens a text: by a slice, by `textwrap.shorten`, by a format's precision, in a function that it calls."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    bound,
    called,
    callee,
    number,
    scope,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.numerals import integer

PRECISION = re.compile(r"\.(\d+)s?$")
LINE = 80
"""Characters that a line is taken for."""

DEPTH = 2
"""How many names or calls are followed from a value to where it is cut."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An expression that shortens a text. `length` is to how many characters, None if the code does not tell."""

    module: Module
    node: Node
    length: int | None
    base: Node | None = None
    certain: bool = False


def cut_at(run: Evaluator, module: Module, node: Node, names: Mapping[str, int]) -> Cut | None:
    """Read one expression that may shorten what it is given."""
    within = scope(run, module)
    if node.type == "subscript":
        span = child(node, "subscript")
        end = _end(span) if span is not None and span.type == "slice" else None
        if end is not None and _is_lines(child(node, "value")):
            lines = number(run, end, within, names)
            return Cut(module, node, lines * LINE if lines is not None else None, child(node, "value"), True)
        return Cut(module, node, number(run, end, within, names), child(node, "value")) if end is not None else None
    if node.type == "format_specifier":
        found = PRECISION.search(string_of(node))
        return (
            Cut(module, node, integer(found[1]), certain=True) if found and not string_of(node).endswith("f") else None
        )
    name = called(node)
    positional, keywords = arguments(node) if node.type == "call" else ([], {})
    if name == "shorten":
        width = keywords.get("width") or (positional[1] if len(positional) > 1 else None)
        return Cut(module, node, number(run, width, within, names), next(iter(positional), None), True)
    if name == "islice" and len(positional) == 2:
        return Cut(module, node, number(run, positional[1], within, names), positional[0])
    return None


def _is_lines(base: Node | None) -> bool:
    """Tell whether a list holds the lines of a text."""
    given = assigned(string_of(base), base) if base is not None and base.type == "identifier" else base
    return given is not None and given.type == "call" and called(given) == "splitlines"


def _end(span: Node) -> Node | None:
    """Give the end of a slice that begins at the beginning: of `[:500]`, of `[0:500]`."""
    written = string_of(span)
    parts = children(span)
    if written.count(":") != 1 or written.rstrip().endswith(":") or not parts:
        return None
    if len(parts) == 2:
        return parts[1] if string_of(parts[0]) == "0" else None
    return None if string_of(parts[0]).startswith("-") else parts[0]


def cut_of(
    run: Evaluator, module: Module, value: Node, names: Mapping[str, int] | None = None, depth: int = 0
) -> Cut | None:
    """Find how a value was cut: in the expression, at the name's assignment, or in the project's function that gives it."""
    cuts = [cut for node in below(value) if (cut := cut_at(run, module, node, names or {})) is not None]
    known = next((cut for cut in cuts if cut.length is not None), None)
    if known is not None or depth >= DEPTH:
        return known or next(iter(cuts), None)
    for node in below(value):
        found = None
        if node.type == "identifier":
            given = assigned(string_of(node), node)
            found = cut_of(run, module, given, names, depth + 1) if given is not None else None
        elif node.type == "call":
            found = next(_of_callee(run, module, node, depth), None)
        if found is not None:
            return found
    return next(iter(cuts), None)


def _of_callee(run: Evaluator, module: Module, call: Node, depth: int) -> Iterator[Cut]:
    within = scope(run, module)
    place = callee(run, call, within)
    body = child(place.node, "body") if place is not None else None
    if place is not None and body is not None:
        found = cut_of(run, place.module, body, bound(run, call, place, within), depth + 1)
        if found is not None:
            yield found
