"""Whether a value is one text, and not a list of things: by what makes it, by how it is declared, by its name."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.cutting import LISTS, declaration
from reviewer.languages.rust.bindings import local
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.vocabulary import names_a_text

MAKING = re.compile(
    r"(?:\w+_)?(?:to|as|into)_(?:markdown|md|html|text|string|str|csv|xml|json|yaml|owned)|to_string_pretty|join|concat|format"
    r"|from_utf8(?:_lossy)?|read_to_string|text|trim(?:_\w+)?|to_(?:lower|upper)case|replace"
)
PASSING = frozenset(
    "unwrap expect unwrap_or_default unwrap_or_else unwrap_or clone as_ref context with_context ok map_err".split()
)
OF_A_TEXT = re.compile(
    r":\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?(?:str|String|Cow<[^>]*str>)\s*(?:=|;|$)|String::|collect::<String>"
)
AROUND = frozenset(
    {"reference_expression", "try_expression", "await_expression", "parenthesized_expression", "unary_expression"}
)
DEPTH = 6
"""How many names and parts are followed from a value to what makes it."""


def is_textual(node: Node, depth: int = DEPTH) -> bool:
    """Tell whether a value is one text."""
    if depth <= 0:
        return False
    if node.type in ("string_literal", "raw_string_literal"):
        return True
    if node.type == "macro_invocation":
        return string_of(child(node, "macro") or node) == "format"
    if node.type in AROUND:
        inner = child(node, "value") or next(
            (part for part in node.named_children if part.type != "mutable_specifier"), None
        )
        return inner is not None and is_textual(inner, depth - 1)
    if node.type == "call_expression":
        on = receiver(node)
        passed = on is not None and called(node) in PASSING and is_textual(on, depth - 1)
        return passed or MAKING.fullmatch(called(node) or "") is not None
    if node.type == "identifier":
        return _is_name_of_a_text(node, depth)
    return node.type == "field_expression" and names_a_text(string_of(child(node, "field") or node))


def _is_name_of_a_text(name: Node, depth: int) -> bool:
    declared = declaration(string_of(name), name, None)
    if declared is None:
        return names_a_text(string_of(name))
    if OF_A_TEXT.search(declared) is not None:
        return True
    if LISTS.search(declared) is not None:
        return False
    given = local(name)
    return names_a_text(string_of(name)) or (given is not None and is_textual(given, depth - 1))
