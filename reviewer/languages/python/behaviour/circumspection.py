"""The tests under which code asks the user: whether they are about what is destructive, or about something else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour import following
from reviewer.languages.python.behaviour.following import Place, assigned, below, called, callee
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Const, Items, Mapping, text_of_value
from reviewer.languages.vocabulary import ABOUT_LOSS

ABOUT_ASKING = re.compile(r"elicit|support|capab|session|client|context|ctx|confirm", re.IGNORECASE)
MARK = re.compile(r"(^|\.)(is_)?destructive$")
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

    run: Evaluator
    known: frozenset[str]
    destructive: frozenset[str]

    def under(self, steps: list[tuple[Node, Place]]) -> frozenset[str] | None:
        """Name the actions that the tests around some calls ask for: an empty set for all, None if they ask for others."""
        about, other = False, False
        named: frozenset[str] = frozenset()
        for test, place in [(each, around) for call, around in steps for each in _around(call, around.node)]:
            node = test.node
            if node is None or _excludes(test):
                return None
            names = self._names(node, place.module)
            loses = self._mentions(node, place.module, ABOUT_LOSS) or bool(names & self.destructive)
            if test.holds and names and not loses:
                return None
            about = about or loses
            form = node.type == "case_pattern" or self._mentions(node, place.module, ABOUT_ASKING)
            other = other or not (test.leaves or loses or names or form)
            named |= names & self.destructive if test.holds else frozenset()
        return None if other and not about else named

    def _names(self, node: Node, module: Module) -> frozenset[str]:
        """Name the actions that a test or the constants in it spell out."""
        found: set[str | None] = set()
        for part in below(node):
            found.add(string_value(part) if part.type == "string" else None)
            if part.type == "identifier":
                found.update(self._held(part, module))
        return frozenset(name for name in found if name in self.known and name is not None)

    def _held(self, name: Node, module: Module) -> list[str]:
        """Give the texts that a constant holds."""
        value = self.run.lookup(string_of(name), following.scope(self.run, module), name)
        items = [value] if isinstance(value, Const) else value.items if isinstance(value, Items) else []
        items = [key for key, _ in value.entries] if isinstance(value, Mapping) else items
        return [str(text) for each in items if (text := text_of_value(each)) is not None]

    def _mentions(self, node: Node, module: Module, about: re.Pattern[str]) -> bool:
        """Tell whether a test speaks of something, the names and calls in it replaced by what they stand for."""
        return any(about.search(word) is not None for word in self._words(node, module, 0))

    def _words(self, node: Node, module: Module, depth: int) -> Iterator[str]:
        if node.type == "identifier":
            value = assigned(string_of(node), node) if depth < DEEPEST else None
            held = self._held(node, module) if value is None else []
            yield from self._words(value, module, depth + 1) if value is not None else held or [string_of(node)]
        elif node.type == "call" and depth < DEEPEST and (place := self._target(node, module)) is not None:
            body = child(place.node, "body")
            for part in children(body) if body is not None else ():
                if not (part.type == "expression_statement" and children(part)[0].type == "string"):
                    yield from self._words(part, place.module, depth + 1)
        elif node.type == "string" or not children(node):
            yield string_of(node)
        else:
            for part in children(node):
                yield from self._words(part, module, depth)

    def _target(self, call: Node, module: Module) -> Place | None:
        return callee(self.run, call, following.scope(self.run, module))


def _excludes(test: _Test) -> bool:
    """Tell whether a test lets nobody through, or only what is not destructive."""
    if test.node is None:
        return True
    if test.holds and any(
        string_of(part) in ("False", "0", "__debug__", "TYPE_CHECKING") for part in _joined(test.node)
    ):
        return True
    turned, node = False, test.node
    while node.type in ("parenthesized_expression", "not_operator") and children(node):
        turned = turned != (node.type == "not_operator")
        node = children(node)[-1]
    if node.type == "comparison_operator":
        turned = turned != (re.search(r"(==|is)\s*False|(!=|is not)\s*True", string_of(node)) is not None)
        node = children(node)[0]
    name = called(node) if node.type == "call" else string_of(node)
    return MARK.search(name) is not None and turned == test.holds


def _joined(node: Node) -> Iterator[Node]:
    """Give the parts that `and` joins."""
    if node.type == "boolean_operator" and string_of(child(node, "operator") or node) == "and":
        for part in children(node):
            yield from _joined(part)
    else:
        yield node


def _around(call: Node, function: Node) -> Iterator[_Test]:
    """Give the tests that a call stands under in its function, also those that leave before it."""
    node = call
    while node.parent is not None and node != function:
        above = node.parent
        condition = (
            child(above, "condition") if above.type in ("if_statement", "elif_clause", "while_statement") else None
        )
        if condition is not None and child(above, "consequence") == node:
            yield _Test(condition, True)
        elif condition is not None and above.type == "if_statement" and condition != node:
            yield _Test(condition, False)
        elif above.type == "case_clause" and child(above, "consequence") == node:
            yield from (_Test(part, True) for part in children(above) if part.type in ("case_pattern", "if_clause"))
        elif above.type == "boolean_operator" and string_of(child(above, "operator") or above) == "and":
            yield from (_Test(part, True) for part in children(above)[:1] if part != node)
        elif above.type == "conditional_expression" and children(above)[0] == node:
            yield _Test(children(above)[1], True)
        elif above.type == "block":
            yield from _leaving(above, node)
        node = above


def _leaving(block: Node, before: Node) -> Iterator[_Test]:
    """Give the tests before a statement that end the function if they hold, and what ends it anyway."""
    for statement in children(block):
        if statement.start_byte >= before.start_byte:
            return
        if statement.type in ("return_statement", "raise_statement"):
            yield _Test(None, True)
        body = child(statement, "consequence") if statement.type == "if_statement" else None
        parts = children(body) if body is not None else []
        if parts and parts[-1].type == "return_statement" and child(statement, "alternative") is None:
            yield _Test(child(statement, "condition"), False, leaves=True)
