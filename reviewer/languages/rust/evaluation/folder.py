"""What the parts of the reading of constants share: the way to all that an expression may hold.

No part is imported here, so that each may import this; `folding.py` puts them together.
"""

from abc import ABC, abstractmethod

from tree_sitter import Node

from reviewer.languages.nodes import locate_node
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import format_short
from reviewer.languages.rust.project.items import RustItems
from reviewer.source import Opaque, Span


class Folder(ABC):
    """Reads expressions with the declarations of one tree at hand."""

    def __init__(self, items: RustItems) -> None:
        self.items = items

    @abstractmethod
    def fold(self, node: Node | None, place: ExpressionPlace) -> Folded:
        """Read any expression."""

    @abstractmethod
    def fold_json(self, parts: list[Node], place: ExpressionPlace, whole: Node) -> Folded:
        """Read the tokens of `json!`."""

    def build_unknown(self, node: Node, place: ExpressionPlace) -> Opaque:
        """Stand in for what a run would give."""
        return Opaque(f"`{format_short(node)}` is known at run time only", self.get_span(node, place))

    def get_span(self, node: Node, place: ExpressionPlace) -> Span:
        """Return the place of an expression."""
        return locate_node(self.items.sources[place.path], node)
