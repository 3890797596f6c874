"""Where a name gets its value: the `let`, the arm, the condition or the closure that binds it."""

import re
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from reviewer.budget import current as budget
from reviewer.languages.nodes import around, child, named_before, parent_of, string_of
from reviewer.languages.rust.callees import below, receiver

CLOSING = frozenset({"function_item", "source_file"})
BOUND = frozenset({"identifier", "shorthand_field_identifier"})


class Origin(NamedTuple):
    """What binds a name: the values that it is taken from, its pattern, and the code for what the pattern leaves out."""

    values: tuple[Node, ...]
    pattern: str
    others: tuple[Node, ...] = ()


@lru_cache(maxsize=8192)
def origin(name: Node) -> Origin | None:
    """Find what binds a name where it is used; None for parameters and for what is bound outside of the function."""
    wanted, inner = string_of(name), name
    for current in around(name):
        if current.type in CLOSING:
            break
        found = (
            _of_block(inner, wanted) if current.type in ("block", "async_block") else _of_node(current, inner, wanted)
        )
        if found is not None:
            return found if found.values else None
        inner = current
    return None


def binds(pattern: Node | None, name: str) -> bool:
    """Tell whether a pattern binds a name."""
    if pattern is None or name.encode() not in (pattern.text or b""):
        return False
    return any(each.type in BOUND and string_of(each) == name for each in below(pattern))


def _of_block(statement: Node, name: str) -> Origin | None:
    """Look for the nearest `let` before a statement."""
    for before in named_before(statement):
        budget().spend("visits")
        pattern = child(before, "pattern") if before.type == "let_declaration" else None
        if pattern is not None and binds(pattern, name):
            return _of_let(before, pattern, name)
    return None


def _of_let(declaration: Node, pattern: Node, name: str) -> Origin:
    value, otherwise = child(declaration, "value"), child(declaration, "alternative")
    assigned = _assigned(declaration, name) if value is None or _may_change(declaration) else ()
    values = (*((value,) if value is not None else ()), *assigned)
    return Origin(values, string_of(pattern), (otherwise,) if otherwise is not None else ())


def _may_change(declaration: Node) -> bool:
    return any(part.type == "mutable_specifier" for part in declaration.named_children)


def _assigned(declaration: Node, name: str) -> tuple[Node, ...]:
    """Give what is assigned to a name in the block of its declaration."""
    block = declaration.parent
    found = [
        child(each, "right")
        for each in (below(block) if block is not None else ())
        if each.type == "assignment_expression" and string_of(child(each, "left") or each) == name
    ]
    return tuple(each for each in found if each is not None)


def _of_node(node: Node, inner: Node, name: str) -> Origin | None:
    match node.type:
        case "match_arm":
            return _of_arm(node, inner, name)
        case "if_expression" | "while_expression":
            return _of_condition(node, inner, name)
        case "closure_expression":
            return _of_closure(node, name)
        case "for_expression" if binds(child(node, "pattern"), name):
            return Origin((), "")
    return None


def _of_arm(arm: Node, inner: Node, name: str) -> Origin | None:
    pattern, body = child(arm, "pattern"), arm.parent
    match = body.parent if body is not None else None
    if pattern is None or inner == pattern or not binds(_without_guard(pattern), name):
        return None
    value = child(match, "value")
    others = tuple(each for each in (body.named_children if body is not None else ()) if each != arm)
    return Origin((value,) if value is not None else (), string_of(pattern), others)


def _without_guard(pattern: Node) -> Node:
    return pattern.named_children[0] if pattern.type == "match_pattern" and pattern.named_children else pattern


def _of_condition(node: Node, inner: Node, name: str) -> Origin | None:
    condition, alternative = child(node, "condition"), child(node, "alternative")
    if condition is None or inner in (condition, alternative):
        return None
    for each in below(condition):
        pattern, value = child(each, "pattern"), child(each, "value")
        if each.type == "let_condition" and binds(pattern, name) and value is not None and pattern is not None:
            return Origin((value,), string_of(pattern), (alternative,) if alternative is not None else ())
    return None


def _of_closure(closure: Node, name: str) -> Origin | None:
    """Take a closure's parameter for what the method is called on that the closure is given to."""
    if not binds(child(closure, "parameters"), name):
        return None
    call = closure.parent.parent if closure.parent is not None else None
    on = receiver(call) if call is not None else None
    return Origin(
        (on,) if on is not None else (), re.sub(r"^\||\|$", "", string_of(child(closure, "parameters") or closure))
    )


def local_function(name: Node) -> Node | None:
    """Find a function that is declared in a block around the place where its name is used."""
    current: Node | None = name
    while current is not None:
        for each in current.named_children if current.type == "block" else ():
            if each.type == "function_item" and string_of(child(each, "name") or each) == string_of(name):
                return each
        current = parent_of(current)
    return None
