"""Cursors: the expressions that make one, what in them differs between two identical calls, and what is a bare place."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.made_cursors import made_cursors
from reviewer.behaviour.pages import is_next_cursor, makes_cursor
from reviewer.facts import Cursor
from reviewer.languages.nodes import child, of_kinds, string_of, walk
from reviewer.languages.python.behaviour.bare_cursors import Bare
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Span, Text

CURSORS = re.compile(rb"cursor|next_page_token|next_token|continuation_token|nextPageToken|nextToken", re.IGNORECASE)

GIVING = re.compile(
    rb"next_?(?:page_?token|cursor)\b(?!\s*\()|[\"']next_?token|continuation_?token|def\s+\w*cursor", re.IGNORECASE
)
"""What a function holds that gives a cursor out."""


def cursors(run: Evaluator, modules: Iterable[Module]) -> Iterator[Cursor]:
    """Find where a cursor is made; what differs in several is told once."""
    told: set[Span | None] = set()
    near = [module for module in modules if CURSORS.search(module.source.data) is not None]
    for module in near:
        for function in of_kinds(module.root, "python", "function_definition"):
            if GIVING.search(function.text or b"") is not None:
                for each in made_cursors(trace_of(run, module, function), program_of(run).models):
                    key = each.unstable.span if each.unstable is not None else None
                    if key not in told:
                        told.add(key)
                        yield each
        for made in _made(module.root):
            bare = Bare(run).of(made, module)
            if bare is not None:
                yield Cursor(Text(string_of(made), module.span(made)), bare=bare)


def _made(root: Node) -> Iterator[Node]:
    """Find the values that are given out as cursors."""
    for node in walk(root):
        name, value = None, None
        match node.type:
            case "assignment":
                name, value = child(node, "left"), child(node, "right")
            case "keyword_argument":
                name, value = child(node, "name"), child(node, "value")
            case "pair":
                key, value = child(node, "key"), child(node, "value")
                if key is not None and value is not None and is_next_cursor(string_value(key) or ""):
                    yield value
            case "function_definition":
                own, value = child(node, "name"), child(node, "body")
                if own is not None and value is not None and makes_cursor(string_of(own)):
                    yield value
        if name is not None and value is not None and is_next_cursor(_last(name)):
            yield value


def _last(name: Node) -> str:
    if name.type == "subscript":
        key = child(name, "subscript")
        return (string_value(key) or "") if key is not None else ""
    return string_of(child(name, "attribute") or name)
