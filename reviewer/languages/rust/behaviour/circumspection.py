"""The tests under which code asks the user: whether they are about what is destructive, or about something else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.bindings import local
from reviewer.languages.rust.callees import below, called, constant, targets
from reviewer.languages.rust.items import Item, Items, attributes_before
from reviewer.languages.rust.literals import string_value
from reviewer.languages.vocabulary import ABOUT_LOSS

ABOUT_ASKING = re.compile(r"elicit|support|capab|peer|client|confirm", re.IGNORECASE)
MARK = re.compile(r"(^|[._:])(is_)?destructive$")
TURNED = re.compile(r"==\s*false\b|!=\s*true\b")
DEEPEST = 2
"""How many names and calls are followed from a test."""


@dataclass(frozen=True, slots=True)
class _Test:
    """A condition, and whether what stands under it runs when it holds or when it does not; None is never met.

    One that `leaves` ends the function before.
    """

    node: Node | None
    holds: bool
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Tests:
    """Reads tests with the project at hand: `known` are the names of its actions, `destructive` those marked so."""

    items: Items
    known: frozenset[str]
    destructive: frozenset[str]

    def under(self, steps: list[tuple[Node, Item]]) -> frozenset[str] | None:
        """Name the actions that the tests around some calls ask for: an empty set for all, None if they ask for others."""
        about, other = False, False
        named: frozenset[str] = frozenset()
        for test, path in ((test, function.path) for call, function in steps for test in _around(call, function)):
            node = test.node
            if node is None or _excludes(test):
                return None
            names = self._names(node, path)
            loses = self._mentions(node, path, ABOUT_LOSS) or bool(names & self.destructive)
            if test.holds and names and not loses:
                return None
            about = about or loses
            other = other or not (test.leaves or loses or names or self._is_form(node, path))
            named |= names & self.destructive if test.holds else frozenset()
        return None if other and not about else named

    def _is_form(self, node: Node, path: str) -> bool:
        """Tell whether a test only opens a value, or asks what the client can do."""
        return node.type in ("let_condition", "match_pattern") or self._mentions(node, path, ABOUT_ASKING)

    def _names(self, node: Node, path: str) -> frozenset[str]:
        """Name the actions that a test or the constants in it spell out."""
        found: set[str | None] = set()
        for part in below(node):
            held = constant(self.items, part, path) if part.type in ("identifier", "scoped_identifier") else None
            parts = below(held[0]) if held is not None else [part]
            found.update(text for each in parts if (text := string_value(each)) in self.known)
        return frozenset(name for name in found if name is not None)

    def _mentions(self, node: Node, path: str, about: re.Pattern[str], depth: int = 0) -> bool:
        """Tell whether a test speaks of something, the names and calls in it replaced by what they stand for."""
        return any(about.search(word) is not None for word in self._words(node, path, depth))

    def _words(self, node: Node, path: str, depth: int) -> Iterator[str]:
        if node.type in ("identifier", "scoped_identifier"):
            bound = local(node) if node.type == "identifier" and depth < DEEPEST else None
            held = constant(self.items, node, path) if bound is None and depth < DEEPEST else None
            held = (
                held
                if held is not None and not any(part.type == "struct_expression" for part in below(held[0]))
                else None
            )
            value, where = (bound, path) if bound is not None else held or (None, path)
            yield from self._words(value, where, depth + 1) if value is not None else [string_of(node)]
        elif node.type == "call_expression" and (bodies := self._bodies(node, path, depth)):
            for body, where in bodies:
                yield from self._words(body, where, depth + 1)
        elif node.type in ("line_comment", "block_comment"):
            return
        elif not node.named_children or string_value(node) is not None:
            yield string_of(node)
        else:
            for part in node.named_children:
                yield from self._words(part, path, depth)

    def _bodies(self, call: Node, path: str, depth: int) -> list[tuple[Node, str]]:
        reached = targets(self.items, call, path) if depth < DEEPEST else []
        bodies = [(child(each.node, "body"), each.path) for each in reached]
        return [(body, where) for body, where in bodies if body is not None]


def _excludes(test: _Test) -> bool:
    """Tell whether a test lets nobody through, or only what is not destructive."""
    if test.node is None:
        return True
    if test.holds and any(string_of(part) == "false" or "cfg!" in string_of(part) for part in _joined(test.node)):
        return True
    turned, node = False, test.node
    while node.type in ("parenthesized_expression", "unary_expression") and node.named_children:
        turned = turned != string_of(node).startswith("!")
        node = node.named_children[0]
    if node.type == "binary_expression":
        turned = turned != (TURNED.search(string_of(node)) is not None)
        node = child(node, "left") or node
    name = called(node) if node.type == "call_expression" else string_of(node)
    return MARK.search(name or "") is not None and turned == test.holds


def _joined(node: Node) -> Iterator[Node]:
    """Give the parts that `&&` joins."""
    if node.type == "binary_expression" and string_of(child(node, "operator") or node) == "&&":
        for part in (child(node, "left"), child(node, "right")):
            yield from _joined(part) if part is not None else ()
    else:
        yield node


def _around(call: Node, function: Item) -> Iterator[_Test]:
    """Give the tests that a call stands under in its function, also those that leave before it."""
    node = call
    while node.parent is not None and node != function.node:
        above = node.parent
        if above.type == "if_expression" and child(above, "condition") != node:
            yield from _conditions(above, child(above, "consequence") == node)
        elif above.type == "match_arm" and child(above, "value") == node:
            yield _of_arm(above)
        elif above.type == "binary_expression" and string_of(child(above, "operator") or above) == "&&":
            yield from (_Test(part, True) for part in [child(above, "left")] if part is not None and part != node)
        elif above.type == "let_chain":
            yield from (_Test(each, True) for each in above.named_children if each.end_byte <= node.start_byte)
        elif above.type == "block":
            yield from _leaving(above, node)
            yield from (_Test(None, True) for each in attributes_before(node) if "cfg(" in string_of(each))
        node = above


def _of_arm(arm: Node) -> _Test:
    """Give the pattern of an arm, or what is matched where that is true or false."""
    pattern = child(arm, "pattern")
    matched = child(arm.parent.parent, "value") if arm.parent is not None else None
    if pattern is not None and matched is not None and string_of(pattern) in ("true", "false"):
        return _Test(matched, string_of(pattern) == "true")
    return _Test(pattern, True)


def _conditions(choice: Node, holds: bool) -> Iterator[_Test]:
    condition = child(choice, "condition")
    parts = condition.named_children if condition is not None and condition.type == "let_chain" else [condition]
    yield from (_Test(each, holds) for each in parts if each is not None)


def _leaving(block: Node, before: Node) -> Iterator[_Test]:
    """Give the tests before a statement that end the function if they hold, and what ends it anyway."""
    for statement in block.named_children:
        if statement.start_byte >= before.start_byte:
            return
        part = statement.named_children[0] if statement.type == "expression_statement" else statement
        if part.type == "return_expression":
            yield _Test(None, True)
        body, condition = child(part, "consequence"), child(part, "condition")
        plain = condition is not None and condition.type not in ("let_chain", "let_condition")
        if body is not None and plain and child(part, "alternative") is None and _ends(body):
            yield _Test(condition, False, leaves=True)


def _ends(body: Node) -> bool:
    parts = [part for part in body.named_children if not part.type.endswith("_comment")]
    last = parts[-1] if parts else None
    if last is not None and last.type == "expression_statement":
        last = last.named_children[0]
    return last is not None and last.type == "return_expression"
