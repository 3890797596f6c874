"""The fixed texts by which a tool's own code says how to get at what was left out of an answer."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.hints import is_hint
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.python.behaviour.following import below
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Text

PARTS = frozenset({"expression_statement", "concatenated_string", "binary_operator"})
"""Where a string is a docstring, or only a part of what is said."""


def hints(module: Module, body: Node) -> Iterator[Text]:
    """Yield the fixed texts by which some code says how to get at what was left out."""
    for node in below(body):
        above = node.parent.type if node.parent is not None else ""
        whole = node.type in ("string", "concatenated_string") and above not in PARTS
        said = string_value(node) if whole else None
        if said is not None and is_hint(said) and not _is_refusal(node):
            yield Text(said, module.span(node))


def _is_refusal(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in ("block", "function_definition"):
        if above.type == "raise_statement" or (
            above.type == "call" and "rror" in string_of(child(above, "function") or above)
        ):
            return True
        above = parent_of(above)
    return False
