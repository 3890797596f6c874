"""The expressions that functions return."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import list_children

BLOCKS = frozenset(
    "block if_statement elif_clause else_clause for_statement while_statement with_statement "
    "try_statement except_clause except_group_clause finally_clause match_statement case_clause".split()
)
"""What a statement may stand in, short of a function or a class of its own."""


def iter_returned_values(node: Node) -> Iterator[Node]:
    """Find the returned expressions below a node, in order, `None` and those of inner functions left out."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.type == "return_statement":
            value = next((each for each in list_children(part) if each.type != "none"), None)
            if value is not None:
                yield value
        elif part.type in BLOCKS or part is node:
            waiting += reversed(list_children(part))
