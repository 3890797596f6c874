"""What stands around a place of code, whatever the language: what it lies in, its loops, and whether these are left after it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from reviewer.budget import current
from reviewer.facts import Language
from reviewer.languages.nodes import child, of_kinds, parent_of, reached
from reviewer.languages.pace import PACING


@dataclass(frozen=True)
class Surroundings:
    """A language's kinds of nodes: functions, loops, what leaves a loop when it is passed, and what is said and not run.

    `is_end` tells whether a statement leaves the loop around it.
    """

    language: Language
    functions: frozenset[str]
    rounds: frozenset[str]
    leaving: frozenset[str]
    said: tuple[str, ...]
    is_end: Callable[[Node], bool]

    def above(self, node: Node) -> Iterator[Node]:
        """Give what stands around a node, innermost first, up to and with the function that it stands in."""
        budget, cost = current(), reached(node.start_byte)
        found = node.parent
        while found is not None:
            budget.spend("visits", cost)
            yield found
            if found.type in self.functions:
                return
            found = parent_of(found)

    def loops(self, node: Node) -> list[Node]:
        """Give the loops around a node in its function, innermost first, without one whose head alone it stands in."""
        found, inner = [], node
        for each in self.above(node):
            if each.type in self.rounds and child(each, "body") == inner:
                found.append(each)
            inner = each
        return found

    def is_paced(self, function: Node | None) -> bool:
        """Return whether a function sets a pace for what it sends. Each thing that it sends asks, so the answer is kept."""
        return function is not None and _is_paced(self, function)

    def plain(self, node: Node | None) -> str:
        """Give the source of a node without its strings and comments."""
        if node is None:
            return ""
        text, start = node.text or b"", node.start_byte
        parts, at = [], 0
        for each in of_kinds(node, self.language, *self.said):
            if each.start_byte - start >= at:
                parts.append(text[at : each.start_byte - start])
                at = each.end_byte - start
        return b" ".join((*parts, text[at:])).decode("utf-8", "replace")

    def ends_after(self, node: Node, loop: Node) -> bool:
        """Tell whether a loop is left right after a node, so that it is passed but once."""
        inner = node
        for each in self.above(node):
            if each == loop:
                return False
            after = inner.next_named_sibling
            while each.type == "block" and after is not None:
                if self.is_end(after):
                    return True
                after = after.next_named_sibling
            if inner.type in self.leaving:
                return True
            inner = each
        return False


@lru_cache(maxsize=64)
def _is_paced(around: Surroundings, function: Node) -> bool:
    return PACING.search(around.plain(function)) is not None
