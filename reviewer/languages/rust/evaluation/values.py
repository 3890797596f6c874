"""What expressions of Rust come to before any run, and where they are read."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from tree_sitter import Node

from reviewer.records import dataclass
from reviewer.source import Opaque, Span


@dataclass(frozen=True, slots=True)
class OfType:
    """The schema that a framework derives from a type, by the way in which it is asked for.

    `type` is rmcp's own as it is, `input` and `output` what it makes of that for a tool, `macro` what schemars gives.
    """

    node: Node
    path: str
    way: Literal["input", "output", "type", "macro"] = "input"


Folded = Any
"""Text, number, bool, None, list, dict with Text keys, OfType, or Opaque."""

FoldedNames = Mapping[str, Folded]


@dataclass(frozen=True, slots=True)
class ExpressionPlace:
    """Where an expression is read: its file, what the arguments around it are, and where a macro's tokens stand."""

    path: str
    names: FoldedNames
    anchor: Node | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True)
class MethodAnswers:
    """What a variable holds of which only the answers to methods without arguments are known."""

    answer: Callable[[str], Any]


def find_unread(value: object, span: Span) -> Opaque | None:
    """Return why a folded value cannot be read in full or is no JSON, at `span`; None if it is complete."""
    if value is None or isinstance(value, Opaque | str | bool | int | float):
        return value if isinstance(value, Opaque) else None
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return next(filter(None, (find_unread(part, span) for part in parts)), None)
    return Opaque("not a value that JSON has", span)
