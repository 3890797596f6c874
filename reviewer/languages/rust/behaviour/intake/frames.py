"""The function that code is read in while an input is followed, with what its parameters stand for there."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Optional

from tree_sitter import Node

from reviewer.languages.nodes import child, identifiers, string_of
from reviewer.languages.rust.callees import below
from reviewer.source import Text

AROUND = frozenset(
    "reference_expression parenthesized_expression try_expression await_expression type_cast_expression "
    "unary_expression".split()
)
"""Expressions that give what they hold."""

DEEPEST = 4
"""How many calls into the project are followed with an input in hand: a helper reads by helpers."""

Keys = tuple[Text, ...]


class Frame(NamedTuple):
    """One function on the way of an input: `objects` name it there, `keys` the parameters that stand for keys.

    `call` is where the function `above` calls this one. What lies in `hidden` is not looked at: it runs for other tools.
    """

    function: Node
    path: str
    objects: frozenset[str]
    keys: Mapping[str, Keys] = {}
    call: Node | None = None
    above: Optional["Frame"] = None
    hidden: tuple[Node, ...] = ()

    @property
    def depth(self) -> int:
        """How many calls lead here."""
        return 0 if self.above is None else self.above.depth + 1

    @property
    def body(self) -> Node | None:
        """The code of the function."""
        return child(self.function, "body")

    def nodes(self) -> Iterator[Node]:
        """Give what its code holds, in order."""
        return filter(self._shows, below(self.body) if self.body is not None else ())

    def named(self, name: str) -> Iterator[Node]:
        """Give the identifiers of a name in its code, in order."""
        return filter(self._shows, identifiers(self.body, name) if self.body is not None else ())

    def _shows(self, node: Node) -> bool:
        return not any(each.start_byte <= node.start_byte < each.end_byte for each in self.hidden)

    def runs(self, function: Node) -> bool:
        """Tell whether a function is on the way here already."""
        return self.function.id == function.id or (self.above is not None and self.above.runs(function))


class Taken(NamedTuple):
    """A place where keys are read: the expression that gives the value."""

    keys: Keys
    node: Node
    frame: Frame


def inner_of(node: Node) -> Node | None:
    """Give the expression that another only stands around."""
    return child(node, "value") or next(iter(node.named_children[-1:]), None)


def parameters_of(function: Node) -> list[Node]:
    """Give the parameters of a function without `self`."""
    listed = child(function, "parameters")
    return [part for part in listed.named_children if part.type == "parameter"] if listed is not None else []


def name_of(parameter: Node) -> str | None:
    """Give the name of a parameter that is not taken apart."""
    pattern = child(parameter, "pattern")
    while pattern is not None and pattern.type in ("mut_pattern", "reference_pattern") and pattern.named_children:
        pattern = pattern.named_children[-1]
    return string_of(pattern) if pattern is not None and pattern.type == "identifier" else None
