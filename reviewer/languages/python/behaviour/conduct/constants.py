"""What constant arguments exclude: the branch that a call with `dry_run=True` never takes, and what it does not come to."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.origins import bindings
from reviewer.languages.python.behaviour.following import enclosing
from reviewer.languages.python.literals import string_value


class Constant(NamedTuple):
    """A value that is written; `member` tells that it is named, as `Mode.READ`, and only its name is known."""

    value: bool | str | None
    member: bool = False


Known = Mapping[str, Constant]
"""The parameters of a function whose values are known during one call."""

NOTHING: Known = MappingProxyType({})

LEAVING = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
TESTING = ("if_statement", "elif_clause", "conditional_expression", "boolean_operator", "match_statement")
TESTS = (b"if ", b"match ", b" and ", b" or ")
OPPOSITE = {"!=": "==", "is not": "==", "not in": "in", "is": "==", "==": "==", "in": "in"}


def constant(node: Node | None, known: Known) -> Constant | None:
    """Give the value of an expression that is written out, a member of an enumeration, or a parameter that is known."""
    match node.type if node is not None else "":
        case "true" | "false":
            return Constant(string_of(node) == "True") if node is not None else None
        case "none":
            return Constant(None)
        case "string" | "concatenated_string":
            said = string_value(node) if node is not None else None
            return Constant(said) if said is not None else None
        case "identifier":
            return known.get(string_of(node)) if node is not None else None
        case "attribute" | "dotted_name":
            name = string_of(node) if node is not None else ""
            return Constant(name, True) if name.rpartition(".")[2].isupper() and name[:1].isupper() else None
    return None


def steady(function: Node, known: dict[str, Constant]) -> Known:
    """Leave out what the function itself gives another value, or tests nowhere and hands to nobody."""
    said = function.text or b""
    if not known or not any(sign in said for sign in TESTS):
        return {}
    used, changed = _used(function), bindings(function)
    return {name: value for name, value in known.items() if name in used and name not in changed}


@lru_cache(maxsize=256)
def _used(function: Node) -> frozenset[str]:
    """Give the names that stand in tests, or alone as arguments; those that are only added to are none."""
    found: set[str] = set()
    for each in of_kinds(function, "python", *TESTING):
        tests = [child(each, name) for name in ("condition", "subject", "left", "right")]
        tests += children(each) if each.type == "conditional_expression" else []
        for test in tests:
            found |= {string_of(part) for part in (of_kinds(test, "python", "identifier") if test is not None else ())}
    for each in of_kinds(function, "python", "argument_list"):
        parts = [child(part, "value") if part.type == "keyword_argument" else part for part in children(each)]
        found |= {string_of(part) for part in parts if part is not None and part.type == "identifier"}
    grown = of_kinds(function, "python", "augmented_assignment")
    return frozenset(found - {string_of(child(each, "left") or each) for each in grown})


def excludes(known: Known, node: Node, body: Node) -> bool:
    """Tell whether what is known keeps a run of a block from coming to a node in it."""
    if not known or enclosing(node) != enclosing(body):
        return False
    current = node
    while current.id != body.id and current.parent is not None:
        above = current.parent
        if _avoids(above, current, known):
            return True
        current = above
    return False


def _avoids(above: Node, inner: Node, known: Known) -> bool:
    """Tell whether a construct does not come to one of its parts."""
    match above.type:
        case "if_statement":
            return _skips(above, inner, known)
        case "elif_clause" | "while_statement":
            return child(above, "consequence" if above.type == "elif_clause" else "body") == inner and (
                verdict(child(above, "condition"), known) is False
            )
        case "conditional_expression":
            then, test, otherwise = children(above)[0], children(above)[1], children(above)[-1]
            said = verdict(test, known)
            return (inner == then and said is False) or (inner == otherwise and said is True)
        case "boolean_operator" if child(above, "right") == inner:
            said = verdict(child(above, "left"), known)
            return said is not None and said is (string_of(child(above, "operator") or above) == "or")
        case "case_clause" if child(above, "consequence") == inner:
            return _passes_by(above, known)
        case "block":
            return any(_ends(part, known) for part in children(above) if part.end_byte <= inner.start_byte)
    return False


def _skips(statement: Node, inner: Node, known: Known) -> bool:
    """Tell whether an `if` does not come to one of its branches."""
    if child(statement, "consequence") == inner:
        return verdict(child(statement, "condition"), known) is False
    before = [statement, *(part for part in children(statement) if part.type == "elif_clause")]
    return inner.type in ("elif_clause", "else_clause") and any(
        verdict(child(part, "condition"), known) is True
        for part in before
        if part == statement or part.end_byte <= inner.start_byte
    )


def _ends(statement: Node, known: Known) -> bool:
    """Tell whether an `if` surely leaves the block that it stands in."""
    if statement.type != "if_statement":
        return False
    said = verdict(child(statement, "condition"), known)
    if said is None:
        return False
    if said:
        return _leaves(child(statement, "consequence"))
    otherwise = children(statement)[-1]
    return otherwise.type == "else_clause" and statement.named_child_count == 3 and _leaves(child(otherwise, "body"))


def _leaves(block: Node | None) -> bool:
    held = children(block) if block is not None else []
    return bool(held) and held[-1].type in LEAVING


def _passes_by(clause: Node, known: Known) -> bool:
    """Tell whether a `match` over something known takes another case."""
    block = clause.parent
    subject = constant(child(block.parent, "subject"), known) if block is not None else None
    if block is None or subject is None:
        return False
    for each in children(block):
        said = _matches(each, subject, known)
        if each == clause:
            return said is False
        if said is True:
            return True
    return False


def _matches(clause: Node, subject: Constant, known: Known) -> bool | None:
    patterns = [part for part in children(clause) if part.type == "case_pattern"]
    if len(patterns) != 1:
        return None
    if string_of(patterns[0]) == "_":
        said: bool | None = True
    else:
        held = children(patterns[0])
        parts = children(held[0]) if held and held[0].type == "union_pattern" else held
        said = _any(_equal(subject, constant(part, {})) for part in parts)
    return None if said is True and child(clause, "guard") is not None else said


def verdict(test: Node | None, known: Known) -> bool | None:
    """Tell how a test comes out; None if what is known does not say."""
    match test.type if test is not None else "":
        case "parenthesized_expression":
            return verdict(next(iter(children(test)), None), known) if test is not None else None
        case "not_operator":
            said = verdict(child(test, "argument"), known)
            return None if said is None else not said
        case "boolean_operator":
            sides = [verdict(child(test, side), known) for side in ("left", "right")]
            is_or = test is not None and string_of(child(test, "operator") or test) == "or"
            return is_or if is_or in sides else None if None in sides else not is_or
        case "comparison_operator":
            return _compared(test, known) if test is not None else None
        case "identifier":
            found = constant(test, known)
            return bool(found.value) if found is not None and not found.member else None
    return None


def _compared(test: Node, known: Known) -> bool | None:
    sides = children(test)
    operator = " ".join(string_of(part) for part in test.children if part not in sides)
    if len(sides) != 2 or operator not in OPPOSITE:
        return None
    left = constant(sides[0], known)
    listed = children(sides[1]) if sides[1].type in ("tuple", "list", "set") else None
    if left is None or (listed is None) is (OPPOSITE[operator] == "in"):
        return None
    said = _any(_equal(left, constant(part, known)) for part in (listed if listed is not None else [sides[1]]))
    return said if said is None or operator in ("==", "is", "in") else not said


def _any(parts: Iterable[bool | None]) -> bool | None:
    """Tell whether one of some is true; None if that hangs on one that is not known."""
    known = list(parts)
    return True if True in known else None if None in known else False


def _equal(left: Constant, right: Constant | None) -> bool | None:
    """Compare two constants; a member and a value may be the same, and so may members of two enumerations."""
    if right is None or (left.member != right.member and None not in (left.value, right.value)):
        return None
    if left.member and right.member and str(left.value).rpartition(".")[0] != str(right.value).rpartition(".")[0]:
        return None
    return left.member == right.member and type(left.value) is type(right.value) and left.value == right.value
