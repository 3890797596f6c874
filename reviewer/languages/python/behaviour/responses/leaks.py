"""The text of an exception that nobody expected, on its way to the client."""

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import below, called
from reviewer.languages.python.behaviour.responses.mapped import FUNCTIONS, Unit, narrowing
from reviewer.source import Text

SAYING = frozenset({"str", "repr", "format", "ascii", "format_exception_only"})
TEXTS = frozenset({"args", "message", "msg", "strerror", "filename", "detail", "details"})


def leak(unit: Unit) -> Text | None:
    """Find the expression by which the text of any exception is in what a unit answers."""
    names = {unit.caught}
    for each in below(unit.node, FUNCTIONS) if not unit.is_function else below(unit.node):
        left, right = child(each, "left"), child(each, "right")
        if each.type == "assignment" and left is not None and right is not None and left.type == "identifier":
            if narrowing(each, unit) is None and _said(right, {unit.caught}) is not None:
                names.add(string_of(left) + "\0")
    for value in _answered(unit):
        found = _said(value, names) if narrowing(value, unit) is None else None
        if found is not None and narrowing(found, unit) is None:
            return Text(string_of(found), unit.module.span(found))
    return None


def _answered(unit: Unit) -> list[Node]:
    """Give what a unit returns, and the errors that it raises, without their cause."""
    body = child(unit.node, "body") or unit.node
    raised = [
        children(each)[0]
        for each in below(body, FUNCTIONS)
        if each.type == "raise_statement" and children(each) and children(each)[0].type == "call"
    ]
    return [*returned(body), *raised]


def _said(node: Node, names: set[str]) -> Node | None:
    """Find where a text is made of an exception; a name that ends in `\\0` is such a text."""
    for part in below(node):
        if part.type != "identifier":
            continue
        if string_of(part) + "\0" in names and not _is_keyword(part):
            return part
        if string_of(part) in names and (found := _made(part)) is not None:
            return found
    return None


def _is_keyword(name: Node) -> bool:
    above = name.parent
    return above is not None and above.type == "keyword_argument" and child(above, "name") == name


def _made(name: Node) -> Node | None:
    """Give the text that is made of an exception: `str(error)`, an interpolated string, its own message."""
    current, above = name, name.parent
    if above is not None and above.type == "attribute" and child(above, "object") == name:
        if string_of(child(above, "attribute") or above) not in TEXTS:
            return None
        current, above = above, parent_of(above)
        if above is not None and above.type not in ("call", "attribute"):
            return current
    while above is not None and above.type in (
        "argument_list",
        "format_expression",
        "parenthesized_expression",
        "tuple",
    ):
        current, above = above, parent_of(above)
    if above is None:
        return None
    if above.type == "interpolation":
        return above.parent
    if above.type == "call":
        return above if called(above) in SAYING else None
    return above if above.type == "binary_operator" and "%" in string_of(above) else None
