"""Cursors: the expressions that make one, and what in them differs between two identical calls."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.made_cursors import made_cursors
from reviewer.behaviour.names import parts_of
from reviewer.behaviour.pages import is_next_cursor, makes_cursor
from reviewer.facts import Cursor
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.bare_cursors import Bare
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.source import Span

CURSORS = re.compile(
    rb"cursor|next_page_token|next_token|continuation_token|nextPageToken|nextCursor|nextToken", re.IGNORECASE
)
GIVING = re.compile(
    rb"next_?(?:page_?token|cursor)\b(?!\s*\()|[\"']next_?token|continuation_?token|fn\s+\w*cursor", re.IGNORECASE
)
"""What a function holds that gives a cursor out."""

NAMES = re.compile(rb"cursor|token", re.IGNORECASE)
"""What the name of a cursor holds."""

APPENDING = frozenset({"push_str", "push", "insert_str", "extend_from_slice"})
OWNED = frozenset({"into", "to_string", "to_owned", "from"})
MAKING = (
    "call_expression",
    "let_declaration",
    "assignment_expression",
    "field_initializer",
    "string_literal",
    "function_item",
)


def cursors(items: Items) -> Iterator[Cursor]:
    """Find where a cursor is made, in the code that tool calls run through; what differs in several is told once."""
    told: set[Span | None] = set()
    run = handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, CURSORS):
            continue
        for function in items.of_kinds_near(path, CURSORS, "function_item"):
            if GIVING.search(function.text or b"") is None or in_test(function) or not run.holds(path, function):
                continue
            for each in made_cursors(
                trace_of(items, Item(path, function, items.sources[path])), program_of(items).models
            ):
                key = each.unstable.span if each.unstable is not None else None
                if key not in told:
                    told.add(key)
                    yield each
        for made, anchor in _made(items, path):
            bare = Bare(items, anchor).of(made, path)
            if bare is not None and run.holds(path, anchor):
                yield Cursor(text_of(items.sources[path], made), bare=bare)


def _made(items: Items, path: str) -> Iterator[tuple[Node, Node]]:
    """Find the values that are given out as cursors, each with the place where a macro's tokens stand."""
    for node in items.of_kinds_near(path, NAMES, *MAKING):
        value: Node | None = None
        match node.type:
            case "let_declaration" | "assignment_expression":
                name = child(node, "pattern") or child(node, "left")
                last = string_of(name).rsplit(".", 1)[-1] if name is not None else ""
                value = child(node, "value") or child(node, "right") if is_next_cursor(last) else None
            case "field_initializer":
                field = child(node, "field")
                value = child(node, "value") if field is not None and is_next_cursor(string_of(field)) else None
            case "call_expression" if called(node) in APPENDING:
                held = receiver(node)
                named = held is not None and held.type == "identifier" and "cursor" in parts_of(string_of(held))
                value = child(node, "arguments") if named else None
            case "string_literal":
                value = _under_key(items, node, path)
            case "function_item":
                name = child(node, "name")
                value = child(node, "body") if name is not None and makes_cursor(string_of(name)) else None
        if value is not None and not in_test(node):
            yield value, node


def _under_key(items: Items, key: Node, path: str) -> Node | None:
    """Give what stands under a cursor's key in the tokens of `json!`, or is inserted under it."""
    if not is_next_cursor(string_value(key) or ""):
        return None
    above, colon = key.parent, key.next_sibling
    while above is not None and (above.type == "field_expression" or called(above) in OWNED):
        key, above = above, parent_of(above)
    if above is None:
        return None
    if above.type == "arguments":
        given = [part for part in above.named_children if part != key]
        return given[-1] if given and above.named_children[0] == key else None
    if above.type != "token_tree" or colon is None or colon.type not in (":", "=>"):
        return None
    parts: list[Node] = []
    while (part := (parts[-1] if parts else colon).next_sibling) is not None and part.type not in (",", "}", ")"):
        parts.append(part)
    return parts[0] if len(parts) == 1 else tokens.expression(items.sources[path], parts)
