"""How a function chooses by an action's name: `match action`, `if action == ..`, and what answers the names that are left."""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_children
from reviewer.languages.python.behaviour.exits import BLOCKS, iter_returned_values
from reviewer.languages.python.behaviour.name_resolution import (
    PLAIN,
    find_assigned_value,
    iter_assignments_before,
    iter_descendants,
    read_callee_name,
    runs_in,
    split_arguments,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.literals import evaluate_string
from reviewer.languages.python.evaluation.values import (
    Method,
    PyFunction,
    PyMapping,
    PyScope,
    strip_conditions,
    to_text,
)
from reviewer.source import Text
from reviewer.text.patterns import pattern

# The action as a variable, an attribute, an entry of the arguments, or asked for with `get`; normalised, but nothing
# else made of it.
SUBJECT = pattern(
    r"""^(?:[\w.]+\.)?_?action(?:\.(?:lower|strip)\(\))?$|^[\w.]+\[["']action["']\]$|\.get\(["']action["']"""
)
SPLIT = pattern(r"""(?s)^(.+)\.r?(?:split|partition)\(\s*["'](\W+)["'][^()]*\)$""")
"""How the name of an action is taken apart before its parts are chosen by: `action.partition(".")`."""
PASSED_OVER = ("_", "None", '""', "''", '"."', "'.'")
"""Patterns for parts of a name that are not there, or that are what stands between two: `("help", _, _)`."""


class DispatchArm(NamedTuple):
    """One arm: the actions that it names, what holds it, its code, and the function that it is if it stands in a table.

    It names none if that cannot be read.
    """

    names: tuple[Text, ...]
    node: Node
    body: Node
    function: PyFunction | None = None


def iter_dispatch_arms(run: Evaluator, body: Node, scope: PyScope) -> Iterator[DispatchArm]:
    """Find the arms of a function, those within an arm left out."""
    for statement in list_children(body):
        separator = _find_separator(statement) if statement.type == "match_statement" else None
        if separator is not None:
            yield from _iter_for_match(run, statement, scope, separator)
        elif statement.type == "if_statement":
            yield from _iter_for_if(run, statement, scope)
        elif statement.type in BLOCKS:
            yield from iter_dispatch_arms(run, statement, scope)


def _find_separator(statement: Node) -> str | None:
    """Return where a match takes the name of an action apart, empty if nowhere; None if it does not choose by one."""
    subjects = statement.children_by_field_name("subject")
    parts = list_children(subjects[0]) if len(subjects) == 1 and subjects[0].type == "tuple" else subjects
    names = {decode_node(part) for part in parts if part.type == "identifier"}
    for asked in (*(decode_node(part) for part in subjects), *(_iter_value_of(names, statement) if names else ())):
        if SUBJECT.search(asked):
            return ""
        taken = SPLIT.search(asked)
        if taken is not None and SUBJECT.search(taken[1]):
            return taken[2]
    return None


def _iter_value_of(names: set[str], node: Node) -> Iterator[str]:
    """Yield the expressions that assignments before a node give some names, alone or unpacked: `subject, _, verb = ..`."""
    for each in iter_assignments_before(node):
        target, value = (
            find_child(each, "left") or find_child(each, "name"),
            find_child(each, "right") or find_child(each, "value"),
        )
        if (
            target is not None
            and value is not None
            and names & {decode_node(part) for part in (target, *list_children(target))}
        ):
            yield decode_node(value)


def iter_table_arms(
    run: Evaluator, body: Node, scope: PyScope, subject: re.Pattern[str] = SUBJECT
) -> Iterator[DispatchArm]:
    """Find the arms that stand in a table of functions by action: `HANDLERS[action]`, `HANDLERS.get(action)`."""
    for node in find_descendants(body, "python", "subscript", "call"):
        table = _find_table(node, subject)
        if table is None or not runs_in(node, body):
            continue
        value = find_assigned_value(decode_node(table), node) if table.type == "identifier" else None
        found = run.evaluate(value or table, scope)
        for key, held in found.entries if isinstance(found, PyMapping) and not found.open else ():
            given = strip_conditions(held)
            function = given.function if isinstance(given, Method) else given
            inner = find_child(function.node, "body") if isinstance(function, PyFunction) else None
            name = to_text(key)
            if name is not None and inner is not None and isinstance(function, PyFunction):
                yield DispatchArm((name,), function.node, inner, function)


def _find_table(node: Node, subject: re.Pattern[str]) -> Node | None:
    """Return the table that an expression looks an action up in."""
    if node.type == "subscript" and subject.search(decode_node(find_child(node, "subscript") or node)):
        return find_child(node, "value")
    function = find_child(node, "function") if node.type == "call" else None
    if (
        function is None
        or function.type != "attribute"
        or decode_node(find_child(function, "attribute") or node) != "get"
    ):
        return None
    given = split_arguments(node)[0]
    return find_child(function, "object") if given and subject.search(decode_node(given[0])) else None


def _iter_for_match(run: Evaluator, statement: Node, scope: PyScope, separator: str) -> Iterator[DispatchArm]:
    for clause in list_children(find_child(statement, "body")):
        patterns = [part for part in list_children(clause) if part.type == "case_pattern"]
        code = find_child(clause, "consequence")
        if not patterns or code is None or all(map(_takes_all, patterns)):
            continue
        if separator and len(patterns) > 1:
            names = _join(run, patterns, scope, separator)
        elif separator:
            read = [_join(run, list_children(each), scope, separator) for each in _iter_alternatives(patterns[0])]
            names = tuple(name for each in read for name in each) if all(read) else ()
        else:
            names = _read_action_names(run, list(_iter_alternatives(patterns[0])), scope)
        yield DispatchArm(names, clause, code)


def _join(run: Evaluator, patterns: list[Node], scope: PyScope, separator: str) -> tuple[Text, ...]:
    """Read the name of an action of the patterns of its parts, where what is passed over is what parts them or not there."""
    parts = [each for each in patterns if decode_node(each) not in PASSED_OVER]
    known = [_read_action_names(run, list(_iter_alternatives(part)), scope) for part in parts]
    whole = scope.module.locate(patterns[0])
    return tuple(Text(separator.join(map(str, each)), whole) for each in product(*known)) if known else ()


def _iter_alternatives(pattern: Node) -> Iterator[Node]:
    for part in list_children(pattern):
        if part.type in ("union_pattern", "case_pattern"):
            yield from _iter_alternatives(part)
        else:
            yield part


def _takes_all(pattern: Node) -> bool:
    return re.fullmatch(r"_|\w+", decode_node(pattern)) is not None


def _iter_for_if(run: Evaluator, statement: Node, scope: PyScope) -> Iterator[DispatchArm]:
    for part in (statement, *statement.children_by_field_name("alternative")):
        test, code = find_child(part, "condition"), find_child(part, "consequence")
        names = tuple(_iter_tested_actions(run, test, scope)) if test is not None else ()
        if names and code is not None:
            yield DispatchArm(names, part, code)
        else:
            yield from iter_dispatch_arms(run, code or find_child(part, "body") or part, scope)


def _iter_tested_actions(run: Evaluator, test: Node, scope: PyScope) -> Iterator[Text]:
    """Name the actions that a test asks for."""
    if test.type in ("boolean_operator", "parenthesized_expression"):
        for part in list_children(test):
            yield from _iter_tested_actions(run, part, scope)
    parts = list_children(test) if test.type == "comparison_operator" else []
    sign = decode_node(find_child(test, "operators") or test)
    if len(parts) != 2 or sign not in ("==", "in"):
        return
    left, right = parts
    if sign == "in" and SUBJECT.search(decode_node(left)) and right.type in ("tuple", "list", "set"):
        yield from _read_action_names(run, list_children(right), scope)
    elif sign == "==" and SUBJECT.search(decode_node(left)):
        yield from _read_action_names(run, [right], scope)
    elif sign == "==" and SUBJECT.search(decode_node(right)):
        yield from _read_action_names(run, [left], scope)


def _read_action_names(run: Evaluator, nodes: list[Node], scope: PyScope) -> tuple[Text, ...]:
    """Read the names of actions; none if one of them cannot be read."""
    found = [_find_text(run, node, scope) for node in nodes]
    known = [text for text in found if text is not None]
    return tuple(known) if len(known) == len(found) else ()


def _find_text(run: Evaluator, node: Node, scope: PyScope) -> Text | None:
    span = scope.module.locate(node)
    if node.type in ("string", "concatenated_string"):
        plain = evaluate_string(node)
        return Text(plain, span) if plain is not None else None
    if node.type == "dotted_name":
        first, *rest = list_children(node)
        value = run.resolve_name(decode_node(first), scope, first)
        for part in rest:
            value = run.resolve_attribute(value, decode_node(part), part, scope)
    elif node.type in PLAIN:
        value = run.evaluate(node, scope)
    else:
        return None
    text = to_text(value)
    return Text(str(text), span) if text is not None else None


def iter_forwarded_calls(body: Node, arms: list[DispatchArm]) -> Iterator[set[str]]:
    """Name what each answer calls that is given to actions which no arm names."""
    held = [arm.body for arm in arms if arm.names]
    for value in iter_returned_values(body):
        if any(part.start_byte <= value.start_byte < part.end_byte for part in held):
            continue
        calls = [part for part in iter_descendants(value) if part.type == "call" and _hands_on(part)]
        if calls:
            yield {read_callee_name(part) for part in calls}


def _hands_on(call: Node) -> bool:
    """Return whether a call takes the action, or is chosen by it."""
    return any(
        part.type in PLAIN and decode_node(part).rpartition(".")[2] in ("action", "request", "arguments", "kwargs")
        for part in iter_descendants(call, frozenset({"string", "keyword_argument"}))
    ) or any(
        part.type == "keyword_argument" and decode_node(find_child(part, "name") or part) == "action"
        for part in iter_descendants(call)
    )
