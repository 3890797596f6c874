"""Cursors: the expressions that make one, and what in them differs between two identical calls."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.facts import Cursor
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.pages import is_next_cursor, makes_cursor
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.bare_cursors import Bare
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.scopes import IN_TEXT, LOGS, function_around
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import called, last_segment, owner, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

CURSORS = re.compile(
    rb"cursor|next_page_token|next_token|continuation_token|nextPageToken|nextCursor|nextToken", re.IGNORECASE
)
NAMES = re.compile(rb"cursor|token", re.IGNORECASE)
"""What the name of a cursor holds."""

UNSTABLE = re.compile(
    r"\bnew_v[1467]\s*\(|\bnow_v\d\s*\(|\b(?:Utc|Local|SystemTime|Instant|OffsetDateTime|Timestamp|Zoned|DateTime)\s*::\s*now\w*\s*\("
    r"|\brand::\s*(?:random|rng|thread_rng|distr)|\b(?:thread_rng|random|getrandom)\s*(?:::\s*<[^>]*>\s*)?\(|\bfastrand\s*::"
    r"|\bnanoid\s*[!:]|\bUlid::(?:new|generate)\s*\(|\bOsRng\b|\.\s*fetch_(?:add|sub)\s*\(|\bprocess::id\s*\("
    r"|\bthread::current\s*\(|\bas_ptr\s*\(|\bRandomState\b|\bfrom_entropy\s*\(|\bunix_now\s*\(|\bnow_(?:ms|millis|secs)\s*\("
)
ADDRESS = re.compile(r"\{\w*:#?p\}")
CHOOSING = frozenset(
    "filter retain take_while skip_while any all position sort_by sort_by_key find partition_point".split()
)
UNORDERED = re.compile(r"\bHash(?:Map|Set)\b")
ORDERING = re.compile(r"\bsort\w*\s*\(|\bBTree(?:Map|Set)\b|\bsorted\w*\s*\(|\.(?:min|max)(?:_by\w*)?\(")
WALKS = frozenset("keys values iter into_iter into_keys into_values drain".split())
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
DEPTH = 4
"""How many names and calls are followed from a cursor to what it is made of."""


def cursors(items: Items) -> Iterator[Cursor]:
    """Find where a cursor is made, in the code that tool calls run through; a source that several share is told once."""
    told: set[object] = set()
    run = handling(items)
    for path in run.files:
        if not mentions(items.sources[path].data, CURSORS):
            continue
        for made, anchor in _made(items, path):
            found = _Sources(items, anchor).unstable(made, path)
            if (found is not None and found.span in told) or not run.holds(path, anchor):
                continue
            told.add(found.span if found is not None else None)
            yield Cursor(text_of(items.sources[path], made), found, Bare(items, anchor).of(made, path))


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


class _Sources:
    """Follows a cursor back to what it is made of."""

    def __init__(self, items: Items, anchor: Node) -> None:
        self._items = items
        self._anchor = anchor
        self._seen: set[tuple[str, int, int]] = set()

    def unstable(self, node: Node, path: str, depth: int = 0) -> Text | None:
        """Find what differs between two identical calls."""
        key = (path, node.start_byte, node.end_byte)
        if key in self._seen or depth > DEPTH:
            return None
        self._seen.add(key)
        for part in _parts(node):
            if self._differs(part, path):
                return text_of(self._items.sources[path], part)
            found: Text | None = None
            if part.type == "string_literal" and part.parent is not None and part.parent.type == "token_tree":
                found = self._of_text(part, path, depth)
            elif part.type == "identifier":
                found = self._of_name(part, path, depth)
            elif part.type == "call_expression":
                found = self._of_call(part, path, depth)
            if found is not None:
                return found
        return None

    def _differs(self, node: Node, path: str) -> bool:
        if node.type == "call_expression":
            function = child(node, "function")
            return (function is not None and UNSTABLE.search(_end_of(function) + "(") is not None) or self._wanders(
                node, path
            )
        if node.type == "macro_invocation" or (node.type == "token_tree" and node.parent is not None):
            text = string_of(node)
            return UNSTABLE.search(text) is not None or ADDRESS.search(text) is not None
        return node.type == "type_cast_expression" and "*const" in string_of(child(node, "type") or node)

    def _of_text(self, text: Node, path: str, depth: int) -> Text | None:
        """Follow the names that a format string holds."""
        for name in IN_TEXT.findall(string_of(text)):
            found = binding(name, text, self._anchor)
            given = found[0] if found is not None else None
            inner = self.unstable(given, path, depth + 1) if given is not None else None
            if inner is not None:
                return inner
        return None

    def _of_name(self, name: Node, path: str, depth: int) -> Text | None:
        after = name.next_sibling
        if (
            name.parent is not None
            and name.parent.type == "token_tree"
            and after is not None
            and after.type == "token_tree"
        ):
            near = self._items.declared_in(path, string_of(name), "fn")
            return self._of_functions(near, depth)
        found = binding(string_of(name), name, self._anchor)
        given = found[0] if found is not None else None
        if given is None or given.start_byte <= name.start_byte < given.end_byte:
            return None
        return self.unstable(given, path, depth + 1)

    def _of_functions(self, found: list[Item], depth: int) -> Text | None:
        bodies = [(body, each.path) for each in found if (body := child(each.node, "body")) is not None]
        ways = (self.unstable(body, path, depth + 2) for body, path in bodies)
        return next((way for way in ways if way is not None), None)

    def _of_call(self, call: Node, path: str, depth: int) -> Text | None:
        """Follow a call into the project: a function, or a method that only one type has."""
        found = targets(self._items, call, path)
        name = called(call) or ""
        if not found and receiver(call) is not None and len(name) > 3:
            methods = self._items.functions(name)
            found = methods if len(methods) == 1 and owner(methods[0].node) is not None else []
        return self._of_functions(found, depth)

    def _wanders(self, call: Node, path: str) -> bool:
        """Tell whether a call walks a hash map in the map's own order, which changes from run to run."""
        on = receiver(call)
        if on is None or called(call) not in WALKS:
            return False
        function = function_around(call)
        if function is None or ORDERING.search(string_of(function)) is not None:
            return False
        if on.type == "identifier":
            let = re.search(rf"\blet\s+(?:mut\s+)?{re.escape(string_of(on))}\b[^;]*;", string_of(function))
            typed = re.search(
                rf"\b{re.escape(string_of(on))}\s*:\s*[^,)=;]*", string_of(child(function, "parameters") or on)
            )
            return any(found is not None and UNORDERED.search(found[0]) is not None for found in (let, typed))
        return self._is_unordered_field(on, function, path)

    def _is_unordered_field(self, access: Node, function: Node, path: str) -> bool:
        value, field = child(access, "value"), child(access, "field")
        if access.type != "field_expression" or value is None or field is None or string_of(value) != "self":
            return False
        struct = self._items.resolve((owner(function) or "",), path, "struct")
        text = string_of(struct.node) if isinstance(struct, Item) else ""
        typed = re.search(rf"\b{re.escape(string_of(field))}\s*:\s*([^\n]*)", text)
        return typed is not None and UNORDERED.search(typed[1]) is not None


def _end_of(function: Node) -> str:
    """Give the end of a called path: of a method its name with the dot, of a function its path."""
    if function.type == "field_expression":
        return "." + string_of(child(function, "field") or function)
    return string_of(function)


def _parts(node: Node) -> Iterator[Node]:
    """Give what a value is made of: not what is logged, nor by what elements are chosen, nor what a query was asked."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "macro_invocation" and last_segment(child(current, "macro") or current) in LOGS:
            continue
        if current.type in ("line_comment", "block_comment"):
            continue
        yield current
        below_it = current.named_children
        if current.type == "call_expression" and called(current) in CHOOSING:
            chosen = arguments_of(current)
            below_it = [part for part in below_it if part.type != "arguments" or not chosen]
        if current.type == "await_expression" and current.named_children[:1]:
            asked = current.named_children[0]
            below_it = [part for part in asked.named_children if part.type != "arguments"]
        waiting += reversed(below_it)
