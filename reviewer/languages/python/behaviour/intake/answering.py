"""The lists that a tool's own code cuts before it answers with them, and the hints that it gives."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Omission
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.omissions import SMALL, TELLING, is_hint
from reviewer.languages.python.behaviour.following import called, number, scope
from reviewer.languages.python.behaviour.intake.frames import Frame
from reviewer.languages.python.literals import string_value
from reviewer.source import Text

CUTTING = frozenset({"islice", "head", "nlargest", "nsmallest"})
TEXTISH = frozenset("text body content message description summary title name snippet str line token path".split())

PARTS = frozenset({"expression_statement", "concatenated_string", "binary_operator"})
"""Where a string is a docstring, or only a part of what is said."""


def omissions(frame: Frame) -> Iterator[Omission]:
    """Find the lists that some code cuts and answers with."""
    told = None
    for node in frame.nodes:
        if _cuts(frame, node) and _is_given(frame, node):
            told = told or next(_telling(frame), None)
            yield Omission(frame.text(node), told or next(_counting(frame, node), None))


def hints(frame: Frame) -> Iterator[Text]:
    """Find the fixed texts by which some code says how to get at what was left out."""
    for node in frame.nodes:
        above = node.parent.type if node.parent is not None else ""
        whole = node.type in ("string", "concatenated_string") and above not in PARTS
        said = string_value(node) if whole else None
        if said is not None and is_hint(said) and not _is_refusal(node):
            yield Text(said, frame.module.span(node))


def _cuts(frame: Frame, node: Node) -> bool:
    if node.type == "call" and called(node) in CUTTING:
        return True
    part = child(node, "subscript") if node.type == "subscript" else None
    value = child(node, "value")
    if part is None or value is None or part.type != "slice" or value.type not in ("identifier", "attribute", "call"):
        return False
    words = set(string_of(value).lower().replace(".", "_").split("_"))
    ends = children(part)
    if len(ends) != 1 or string_of(part).endswith(":") or words & TEXTISH or not _is_plural(string_of(value)):
        return False
    most = number(frame.run, ends[0], scope(frame.run, frame.module))
    return most is None or most > SMALL


def _is_plural(name: str) -> bool:
    last = name.rpartition(".")[2].rpartition("_")[2].lower()
    return (last.endswith("s") and not last.endswith("ss")) or last in ("found", "data", "list", "all", "children")


def _is_given(frame: Frame, node: Node) -> bool:
    """Tell whether what was cut is given back, or stands in a dict, a model or under a name that does."""
    current = node
    while (above := parent_of(current)) is not None:
        if above.type in ("return_statement", "pair"):
            return True
        if above.type == "assignment":
            name = string_of(child(above, "left") or above)
            uses = frame.names.get(name, ())
            return any(_is_answered(each, above) for each in uses)
        if above.type not in (
            "list_comprehension",
            "for_in_clause",
            "call",
            "argument_list",
            "parenthesized_expression",
            "list",
        ):
            return False
        current = above
    return False


def _is_answered(use: Node, assignment: Node) -> bool:
    above = use.parent
    if use.start_byte < assignment.end_byte or above is None:
        return False
    if above.type in ("pair", "return_statement"):
        return True
    inside = above.type in ("for_in_clause", "list_comprehension", "argument_list") and above.parent is not None
    return inside and any(outer.type in ("return_statement", "pair") for outer in _around(use))


def _around(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None and above.type not in ("block", "function_definition"):
        if above.type == "call" and called(above) == "len":
            return
        yield above
        above = parent_of(above)


def _counting(frame: Frame, cut: Node) -> Iterator[Text]:
    """Find where the list is counted before it is cut, for the answer to say."""
    value = child(cut, "value")
    for node in frame.nodes if value is not None else ():
        if node.type == "call" and string_of(node) == f"len({string_of(value or node)})" and node.parent is not None:
            if node.parent.type in ("pair", "assignment", "keyword_argument", "interpolation"):
                yield frame.text(node)


def _telling(frame: Frame) -> Iterator[Text]:
    """Find what tells of the rest: a key, a name, or a text that a client reads."""
    for node in frame.nodes:
        above = node.parent
        if node.type == "identifier" and above is not None and above.type != "attribute":
            if string_of(node).isupper() or child(above, "function") == node:
                continue
            said: str | None = string_of(node)
        elif (
            node.type == "string" and above is not None and above.type not in ("argument_list", "expression_statement")
        ):
            said = string_of(node)
        else:
            continue
        if said is not None and len(said) < 200 and TELLING.search(said):
            yield frame.text(node)


def _is_refusal(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in ("block", "function_definition"):
        if above.type == "raise_statement" or (
            above.type == "call" and "rror" in string_of(child(above, "function") or above)
        ):
            return True
        above = parent_of(above)
    return False
