"""The names that a stretch of code binds, and the parts of it that something comes of."""

import re
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.pages import is_next_cursor
from reviewer.languages.nodes import child, of_kinds, parent_of, string_of
from reviewer.languages.rust.callees import last_segment

LOGS = frozenset(
    "trace debug info warn error event log print println eprint eprintln dbg span info_span debug_span drop".split()
)
BINDING = frozenset({"let_declaration", "let_condition", "for_expression", "match_arm", "closure_expression"})
NAMES = frozenset({"identifier", "shorthand_field_identifier"})
IN_TEXT = re.compile(r"\{(\w+)[:}]")


def names_in(pattern: Node | None) -> set[str]:
    """Name what a pattern binds."""
    found: set[str] = set()
    waiting = [pattern] if pattern is not None else []
    while waiting:
        node = waiting.pop()
        if node.type in NAMES and not string_of(node)[:1].isupper():
            found.add(string_of(node))
        head = child(node, "type")
        waiting += [part for part in node.named_children if part != head]
    return found - {"_"}


def function_around(node: Node) -> Node | None:
    """Give the function that a node stands in."""
    above = node.parent
    while above is not None and above.type != "function_item":
        above = parent_of(above)
    return above


class Code:
    """Some expressions or blocks, without what lies below the nodes `left_out`, and without what becomes the next cursor.

    Where the next page begins tells nothing of how long this one is: a list given in full may well have a next cursor.
    """

    def __init__(self, nodes: list[Node], left_out: frozenset[int] = frozenset()) -> None:
        self._nodes = nodes
        self._left_out = left_out

    def _walk(self, dead: frozenset[int] = frozenset()) -> Iterator[Node]:
        waiting = list(reversed(self._nodes))
        while waiting:
            node = waiting.pop()
            if node.id in self._left_out or node.id in dead or _is_said(node):
                continue
            yield node
            waiting += reversed(_kept(node))

    @cached_property
    def lets(self) -> list[Node]:
        """The bindings in order: `let`, `if let`, `while let`."""
        return [node for node in self._walk() if node.type in ("let_declaration", "let_condition")]

    @cached_property
    def _bound(self) -> dict[str, int]:
        """The names that the code binds itself, each with the byte from which it means that."""
        found: dict[str, int] = {}
        for node in self._walk():
            pattern = child(node, "parameters" if node.type == "closure_expression" else "pattern")
            if node.type in BINDING and pattern is not None:
                since = node.end_byte if node.type == "let_declaration" else pattern.start_byte
                for name in names_in(pattern):
                    found[name] = min(found.get(name, since), since)
        return found

    def binds(self, name: Node) -> bool:
        """Tell whether the code itself binds what a name means."""
        return name.start_byte >= self._bound.get(string_of(name), name.end_byte)

    @cached_property
    def alive(self) -> list[Node]:
        """What something comes of: all but what logs say and the bindings that nothing uses."""
        dead: frozenset[int] = frozenset()
        while True:
            nodes = list(self._walk(dead))
            used = [name for node in nodes for name in _uses(node)]
            idle = {each.id for each in self.lets if each.id not in dead and self._is_unused(each, used)}
            if not idle:
                return nodes
            dead |= idle

    def _is_unused(self, let: Node, used: list[tuple[str, int]]) -> bool:
        pattern = child(let, "pattern")
        if let.type != "let_declaration" or pattern is None:
            return False
        names = names_in(pattern)
        return not any(name in names and at >= let.end_byte for name, at in used)

    def value_of(self, name: str) -> Node | None:
        """Give what a name is bound to where the code binds it but once; of a tuple its own part."""
        given = [value for each in self.lets if (value := _part_of(each, name)) is not None]
        return given[0] if len(given) == 1 else None

    @cached_property
    def handed_cursors(self) -> bool:
        """Whether what gives the list gives the next cursor with it, as a page does."""
        becoming = {
            string_of(part)
            for node in self._walk()
            for each in _cursors(node)
            for part in of_kinds(each, "rust", "identifier")
        }
        for each in self.lets:
            pattern, value = child(each, "pattern"), child(each, "value")
            if pattern is None or value is None or not _is_call(value):
                continue
            names = names_in(pattern)
            if pattern.type == "tuple_pattern" and any(name in becoming or is_next_cursor(name) for name in names):
                return True
            if pattern.type == "identifier" and self._is_taken_from(string_of(pattern)):
                return True
        return False

    def _is_taken_from(self, name: str) -> bool:
        """Tell whether the next cursor is a field of what a name is bound to."""
        taken = re.compile(rf"\b{re.escape(name)}\s*\.\s*\w+\b(?!\s*\()")
        return any(taken.search("".join(map(string_of, _cursors(node)))) for node in self._walk())


def _part_of(let: Node, name: str) -> Node | None:
    pattern, value = child(let, "pattern"), child(let, "value")
    if pattern is None or value is None:
        return None
    if string_of(pattern) == name:
        return value
    if pattern.type == "tuple_pattern" and value.type == "tuple_expression":
        pairs = zip(pattern.named_children, value.named_children, strict=False)
        return next((part for each, part in pairs if string_of(each) == name), None)
    return None


def _is_call(value: Node) -> bool:
    while value.type in ("try_expression", "await_expression", "reference_expression") and value.named_children:
        value = value.named_children[0]
    return value.type == "call_expression"


def _kept(node: Node) -> list[Node]:
    """Give what a node holds, without the values of the next cursor."""
    parts = node.children if node.type == "token_tree" else node.named_children
    left = {each.id for each in _cursors(node)}
    return [part for part in parts if part.id not in left]


def _cursors(node: Node) -> Iterator[Node]:
    """Find what directly below a node becomes the next cursor: under its key, in its field, by an assignment."""
    match node.type:
        case "token_tree":
            inside = False
            for part in node.children:
                if part.type == ",":
                    inside = False
                elif inside and part.type not in (":", "=>"):
                    yield part
                inside = inside or (part.type == "string_literal" and is_next_cursor(string_of(part)))
        case "field_initializer":
            value, field = child(node, "value"), child(node, "field")
            if value is not None and field is not None and is_next_cursor(string_of(field)):
                yield value
        case "shorthand_field_initializer":
            yield from (part for part in node.named_children if is_next_cursor(string_of(part)))
        case "assignment_expression":
            left, right = child(node, "left"), child(node, "right")
            if left is not None and right is not None and is_next_cursor(string_of(left).rpartition(".")[2]):
                yield right
        case "arguments":
            first = node.named_children[0] if node.named_children else None
            if first is not None and string_of(first).startswith('"') and is_next_cursor(string_of(first)):
                yield from node.named_children[1:]


def _is_said(node: Node) -> bool:
    """Tell whether something is only said to the log, or let go."""
    if node.type in ("line_comment", "block_comment", "attribute_item"):
        return True
    if node.type == "macro_invocation":
        return last_segment(child(node, "macro") or node) in LOGS
    function = child(node, "function") if node.type == "call_expression" else None
    return function is not None and string_of(function) in ("drop", "std::mem::drop")


def _uses(node: Node) -> Iterator[tuple[str, int]]:
    if node.type in NAMES:
        yield string_of(node), node.start_byte
    elif node.type == "string_literal":
        yield from ((name, node.start_byte) for name in IN_TEXT.findall(string_of(node)))
