"""Which texts a value may still be where code stands in a branch that asks for it: `if transport == "stdio": run(transport)`."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.literals import string_value

SAME = frozenset({"==", "in"})
OTHER = frozenset({"!=", "not in"})
ANOTHER_CASE = (".lower()", ".strip()", ".casefold()")


def still(at: Node, value: Node, text: str) -> bool:
    """Tell whether a value may be a text at a place, by the tests of the branches around it."""
    name = _plain(value)
    for test, holds in _tests(at):
        for part in _parts(test, holds, name):
            named = _named(part, name)
            if named is not None and (text.lower() in named[0]) is not (named[1] is holds):
                return False
    return True


def _parts(test: Node, holds: bool, name: str) -> list[Node]:
    """Give what must each hold, or each not hold, for a test to do so; that there is a text at all goes without saying."""
    while test.type == "parenthesized_expression":
        test = children(test)[0]
    if test.type != "boolean_operator":
        return [test]
    sides = [each for each in children(test) if string_of(each) != name]
    joined = string_of(child(test, "operator") or test) == ("and" if holds else "or")
    return [part for each in sides for part in _parts(each, holds, name)] if joined or len(sides) == 1 else []


def _plain(value: Node) -> str:
    """Give the expression that a value is of, without what it is if that is empty: `transport` of `transport or "stdio"`."""
    while value.type in ("boolean_operator", "parenthesized_expression"):
        value = child(value, "left") or children(value)[0]
    said = string_of(value)
    for ending in ANOTHER_CASE:
        said = said.removesuffix(ending)
    return said


def _tests(at: Node) -> Iterator[tuple[Node, bool]]:
    """Give the tests that were passed on the way to a place, each with whether it held."""
    below, above = at, at.parent
    while above is not None and above.type not in ("function_definition", "class_definition", "module"):
        test = child(above, "condition") if above.type in ("if_statement", "elif_clause") else None
        if test is not None and below == child(above, "consequence"):
            yield test, True
        elif test is not None and above.type == "if_statement" and below.type in ("elif_clause", "else_clause"):
            yield test, False
            before = (
                each for each in children(above) if each.type == "elif_clause" and each.end_byte <= below.start_byte
            )
            yield from ((asked, False) for each in before if (asked := child(each, "condition")) is not None)
        below, above = above, parent_of(above)


def _named(test: Node, name: str) -> tuple[frozenset[str], bool] | None:
    """Give the texts that a test compares a name with, and whether it holds for these or for all others."""
    parts = children(test) if test.type == "comparison_operator" else []
    if len(parts) != 2 or _plain(parts[0]) != name:
        return None
    operator = " ".join(string_of(each) for each in test.children if not each.is_named)
    listed = children(parts[1]) if parts[1].type in ("list", "tuple", "set") else [parts[1]]
    said = [string_value(each) for each in listed]
    texts = frozenset(each.lower() for each in said if each is not None)
    if len(texts) != len(said) or operator not in SAME | OTHER:
        return None
    return texts, operator in SAME
