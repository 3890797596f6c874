"""Whether a value is one text, and not a list of things: by what makes it, by how it is declared, by its name."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.following import assigned, called, enclosing, receiver
from reviewer.languages.python.literals import string_value
from reviewer.languages.vocabulary import names_a_text

MAKING = re.compile(
    r"(?:\w+_)?(?:to|as)_(?:markdown|md|html|text|string|str|csv|xml|json|latex|yaml)"
    r"|dumps|safe_dump|str|repr|read_text|decode|getvalue|model_dump_json|l?strip|rstrip|lower|upper|join|format|prettify|get_text"
    r"|extract_text|dedent|unescape|hexdigest"
)
OF_A_FILE = re.compile(r"\.read\(\)|read_text\(|open\(")
LISTING = frozenset(
    {"list", "sorted", "set", "tuple", "split", "splitlines", "readlines", "rsplit", "findall", "loads"}
)
LITERAL_LISTS = frozenset({"list", "list_comprehension", "tuple", "set", "generator_expression", "dictionary"})
DEPTH = 4
"""How many names and parts are followed from a value to what makes it."""


def is_textual(node: Node, depth: int = DEPTH) -> bool:
    """Tell whether a value is one text, or the lines of one file."""
    if depth <= 0:
        return False
    match node.type:
        case "string" | "concatenated_string":
            return True
        case "call":
            return MAKING.fullmatch(called(node)) is not None or _is_lines_of_a_file(node, depth)
        case "await" | "parenthesized_expression" | "binary_operator":
            return is_textual(children(node)[0], depth - 1)
        case "subscript":
            part, value = child(node, "subscript"), child(node, "value")
            if part is None or value is None or part.type != "slice":
                return part is not None and names_a_text(string_value(part) or "")
            return is_textual(value, depth - 1)
        case "identifier":
            return _is_name_of_a_text(node, depth)
        case "attribute":
            return names_a_text(string_of(child(node, "attribute") or node))
    return False


def _is_name_of_a_text(name: Node, depth: int) -> bool:
    said = string_of(name)
    given = assigned(said, name)
    if given is not None and (given.type in LITERAL_LISTS or called(given) in LISTING):
        return _is_lines_of_a_file(given, depth)
    declared = re.search(
        rf"\b{re.escape(said)}[ \t]*:[ \t]*(?:(?P<text>(?:str|bytes)\b)|(?:list|set|tuple|dict|Sequence)\b)",
        _unit(name),
    )
    if declared is not None:
        return declared["text"] is not None
    return names_a_text(said) or (given is not None and is_textual(given, depth - 1))


def _unit(node: Node) -> str:
    unit = enclosing(node)
    return string_of(unit) if unit is not None else ""


def _is_lines_of_a_file(call: Node, depth: int) -> bool:
    """Tell whether a call gives the lines of what was read from a file: `path.read_text().splitlines()`."""
    if called(call) not in ("readlines", "splitlines", "split"):
        return False
    on = receiver(call)
    given = assigned(string_of(on), on) if on is not None and on.type == "identifier" else on
    return called(call) == "readlines" or (given is not None and OF_A_FILE.search(string_of(given)) is not None)
