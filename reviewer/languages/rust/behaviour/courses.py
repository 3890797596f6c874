"""How the numbers of progress run: whether one that is sent is surely more than the one before."""

import re
from typing import Literal

from tree_sitter import Node

from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.behaviour.scopes import function_around, names_in
from reviewer.languages.rust.behaviour.surroundings import (
    above,
    assigns,
    conditions,
    ends_after,
    loops,
    names,
    targets_of,
)
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.literals import scalar_value

Course = Literal["same", "restarts", "falls", "complete on failure"]
"""How the numbers of a place run that do not only go up."""

PERIODIC = re.compile(r"%|is_multiple_of|elapsed|Instant|duration_since")
CASTING = frozenset({"into", "from", "try_into", "unwrap", "unwrap_or_default", "as_f64"})
TAKING = frozenset({"pop", "pop_front", "pop_back", "remove", "swap_remove", "take"})
COUNTING = re.compile(r"\.\s*enumerate\s*\(|\.\.")
WHOLE = (100.0, 1.0)
Beside = list[tuple[Node, Node | None]]


def bare(value: Node | None) -> Node | None:
    """Take off what only makes another kind of number of one: `as f64`, `f64::from(..)`, `.into()`."""
    while value is not None:
        if value.type in (
            "type_cast_expression",
            "parenthesized_expression",
            "reference_expression",
            "unary_expression",
        ):
            inner = child(value, "value") or (value.named_children[0] if value.named_children else None)
            if value.type == "unary_expression" and string_of(value).startswith("-"):
                return value
        elif value.type == "call_expression" and called(value) in CASTING:
            inner = receiver(value) or (arguments_of(value) or [None])[0]  # type: ignore[list-item]
        else:
            return value
        value = inner
    return None


def course(send: Node, value: Node | None, total: Node | None, beside: Beside) -> Course | None:
    """Say what is wrong with how the numbers of a place run; None if nothing is, or it cannot be told."""
    if value is None:
        return None
    if _is_whole(value, total) and _after_failure(send):
        return "complete on failure"
    before = _before(send, beside)
    if before is not None and _is_less(value, before):
        return "falls"
    around = [each for each in loops(send) if not {"peer", "session"} & targets_of(each) and not ends_after(send, each)]
    return _in_loop(send, value, around) if around else None


def _is_whole(value: Node, total: Node | None) -> bool:
    """Tell whether a number is surely the whole."""
    if total is None:
        return False
    return string_of(value) == string_of(total) or (_number(value) in WHOLE and _number(value) == _number(total))


def _number(node: Node | None) -> float | None:
    if node is None or node.type not in ("integer_literal", "float_literal"):
        return None
    found = scalar_value(node)
    return float(found) if isinstance(found, int | float) else None


def _after_failure(send: Node) -> bool:
    """Tell whether a place is passed where the work has failed: in the arm, the branch or the closure of an error."""
    inner = send
    for each in above(send):
        if each.type == "match_arm" and re.match(r"\s*(?:\w+::)*Err\b", string_of(child(each, "pattern") or each)):
            return True
        if each.type == "if_expression" and child(each, "consequence") == inner:
            test = string_of(child(each, "condition") or each)
            if re.search(r"\blet\s+Err\b|\.is_err\(\)", test) and "&&" not in test:
                return True
        call = each.parent.parent if each.type == "closure_expression" and each.parent is not None else None
        if call is not None and called(call) in ("map_err", "inspect_err", "or_else", "unwrap_or_else"):
            return True
        inner = each
    return False


def _before(send: Node, beside: Beside) -> Node | None:
    """Give the number of the last place that sends before another, as a statement of the same block."""
    statement = _statement(send)
    before = statement.prev_named_sibling if statement is not None else None
    while before is not None:
        inside = [(node, value) for node, value in beside if before.start_byte <= node.start_byte < before.end_byte]
        if inside:
            return inside[-1][1] if _statement(inside[-1][0]) == before else None
        before = before.prev_named_sibling
    return None


def _statement(send: Node) -> Node | None:
    """Give the statement that a place is part of, with no branch, loop or closure between."""
    for each in above(send):
        if each.type in ("expression_statement", "let_declaration"):
            inner = each.named_children[0] if each.named_children else None
            return (
                each
                if inner is None or inner.type not in ("if_expression", "match_expression", "for_expression")
                else None
            )
        if each.type in ("block", "closure_expression", "match_arm", "token_tree"):
            return None
    return None


def _is_less(value: Node, before: Node) -> bool:
    now, then = _number(value), _number(before)
    return now is not None and then is not None and now <= then


def _in_loop(send: Node, value: Node, around: list[Node]) -> Course | None:
    loop, used = around[0], names(value)
    if _falls(value, used, loop):
        return "falls"
    if _is_same(send, value, loop):
        return "same"
    return "restarts" if len(around) > 1 and used and _restarts(used, loop, around[1]) else None


def _is_same(send: Node, value: Node, loop: Node) -> bool:
    """Tell whether each round tells the same number: one that is written, or a name that no round changes."""
    inside = [test for test in conditions(send, loop) if not _asks_for_token(test)]
    if any(not PERIODIC.search(string_of(test)) for test in inside):
        return False
    if _number(value) is not None:
        return True
    if value.type != "identifier":
        return False
    name, function = string_of(value), function_around(loop)
    lets = of_kinds(function, "rust", "let_declaration") if function is not None else []
    given = [let for let in lets if name in names_in(child(let, "pattern"))]
    written = len(given) == 1 and _number(bare(child(given[0], "value"))) is not None
    is_before = written and given[0].end_byte <= loop.start_byte
    return (
        is_before and not assigns(loop, name) and name not in targets_of(loop) and f"&mut {name}" not in string_of(loop)
    )


def _asks_for_token(test: Node) -> bool:
    return re.search(r"token|meta|progress|Some|peer", string_of(test)) is not None and "%" not in string_of(test)


def _falls(value: Node, used: set[str], loop: Node) -> bool:
    """Tell whether a number gets less from round to round."""
    over = string_of(child(loop, "value") or loop.children[0])
    first = _index(loop)
    if value.type == "identifier":
        name = string_of(value)
        is_reversed = re.search(r"(?:\.\.|\benumerate\(\)).*\.rev\(\)", over, re.DOTALL) is not None
        down = any("-=" in string_of(each) for each in assigns(loop, name))
        return down or (name == first and is_reversed)
    if value.type == "binary_expression" and string_of(child(value, "operator") or value) == "-":
        counted = {
            string_of(child(each, "left") or each)
            for each in of_kinds(loop, "rust", "compound_assignment_expr")
            if "+=" in string_of(each)
        }
        if first is not None and COUNTING.search(over) and ".rev()" not in over:
            counted.add(first)
        left, right = names(child(value, "left")), names(child(value, "right"))
        return (
            bool(right & counted)
            and not left & (counted | targets_of(loop))
            and not any(assigns(loop, name) for name in left)
        )
    on = receiver(value)
    if called(value) == "len" and on is not None:
        calls = of_kinds(loop, "rust", "call_expression")
        held = [called(each) for each in calls if string_of(receiver(each) or each) == string_of(on)]
        return bool(TAKING & {each for each in held if each}) and not {"push", "push_back", "extend", "insert"} & set(
            held
        )
    return False


def _index(loop: Node) -> str | None:
    """Name the first thing that a loop binds."""
    pattern = child(loop, "pattern")
    if pattern is None:
        return None
    first = pattern.named_children[0] if pattern.type == "tuple_pattern" and pattern.named_children else pattern
    return string_of(first)


def _restarts(used: set[str], loop: Node, outer: Node) -> bool:
    """Tell whether a count begins anew with each round of an outer loop, of which the number says nothing."""
    if used & targets_of(outer):
        return False
    over, first = string_of(child(loop, "value") or loop.children[0]), _index(loop)
    own = {first} & used if first is not None and COUNTING.search(over) else set()
    body = child(outer, "body")
    for let in of_kinds(body, "rust", "let_declaration") if body is not None else ():
        name = string_of(child(let, "pattern") or let).removeprefix("mut ")
        if (
            name in used
            and let.end_byte <= loop.start_byte
            and assigns(loop, name)
            and _number(bare(child(let, "value"))) is not None
        ):
            own.add(name)
    rest = used - own
    return bool(own) and not any(assigns(outer, name) for name in rest) and not _made_before(rest, outer)


def _made_before(rest: set[str], outer: Node) -> bool:
    """Tell whether a name that the number is made of is bound anew in each round of the outer loop."""
    body = child(outer, "body")
    lets = of_kinds(body, "rust", "let_declaration") if body is not None else []
    return any(rest & names_in(child(let, "pattern")) for let in lets)
