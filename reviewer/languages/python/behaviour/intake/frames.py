"""A block of code as it is looked through for cuts and hints."""

from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from reviewer.languages.nodes import string_of
from reviewer.languages.python.behaviour.following import below
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text


@dataclass(eq=False)
class Frame:
    """The body of a function, or of a branch of one."""

    run: Evaluator
    module: Module
    body: Node

    @cached_property
    def nodes(self) -> list[Node]:
        """All of it."""
        return list(below(self.body))

    @cached_property
    def names(self) -> dict[str, list[Node]]:
        """Its identifiers, by name."""
        found: dict[str, list[Node]] = {}
        for each in self.nodes:
            if each.type == "identifier":
                found.setdefault(string_of(each), []).append(each)
        return found

    def text(self, node: Node) -> Text:
        """Return a node's source with its place."""
        return Text(string_of(node), self.module.span(node))
