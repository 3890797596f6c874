"""How a function chooses by an action's name: `match action`, `if action == ..`, and what answers the names that are left."""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.exits import BLOCKS, returned
from reviewer.languages.python.behaviour.name_resolution import (
    arguments,
    assigned,
    assignments_before,
    below,
    called,
    runs_in,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.literals import string_value
from reviewer.languages.python.evaluation.values import Method, PyFunction, PyMapping, PyScope, bare, text_of_value
from reviewer.source import Text
from reviewer.text.patterns import pattern

SUBJECT = pattern(
    r"""^(?:[\w.]+\.)?_?action(?:\.(?:lower|strip)\(\))?$|^[\w.]+\[["']action["']\]$|\.get\(["']action["']"""
)
SPLIT = pattern(r"""(?s)^(.+)\.r?(?:split|partition)\(\s*["'](\W+)["'][^()]*\)$""")
"""How the name of an action is taken apart before its parts are chosen by: `action.partition(".")`."""
PASSED_OVER = ("_", "None", '""', "''", '"."', "'.'")
"""Patterns for parts of a name that are not there, or that are what stands between two: `("help", _, _)`."""
MENTIONED = frozenset({"identifier", "attribute"})


class DispatchArm(NamedTuple):
    """One arm: the actions that it names, what holds it, its code, and the function that it is if it stands in a table.

    It names none if that cannot be read.
    """

    names: tuple[Text, ...]
    node: Node
    body: Node
    function: PyFunction | None = None


def choices(run: Evaluator, body: Node, scope: PyScope) -> Iterator[DispatchArm]:
    """Find the arms of a function, those within an arm left out."""
    for statement in children(body):
        separator = _find_separator(statement) if statement.type == "match_statement" else None
        if separator is not None:
            yield from _iter_for_match(run, statement, scope, separator)
        elif statement.type == "if_statement":
            yield from _iter_for_if(run, statement, scope)
        elif statement.type in BLOCKS:
            yield from choices(run, statement, scope)


def _find_separator(statement: Node) -> str | None:
    """Return where a match takes the name of an action apart, empty if nowhere; None if it does not choose by one."""
    subjects = statement.children_by_field_name("subject")
    parts = children(subjects[0]) if len(subjects) == 1 and subjects[0].type == "tuple" else subjects
    names = {string_of(part) for part in parts if part.type == "identifier"}
    for asked in (*(string_of(part) for part in subjects), *(_iter_value_of(names, statement) if names else ())):
        if SUBJECT.search(asked):
            return ""
        taken = SPLIT.search(asked)
        if taken is not None and SUBJECT.search(taken[1]):
            return taken[2]
    return None


def _iter_value_of(names: set[str], node: Node) -> Iterator[str]:
    """Yield what the assignments before a node give some names, alone or beside others: `subject, _, verb = ..`."""
    for each in assignments_before(node):
        target, value = child(each, "left") or child(each, "name"), child(each, "right") or child(each, "value")
        if (
            target is not None
            and value is not None
            and names & {string_of(part) for part in (target, *children(target))}
        ):
            yield string_of(value)


def tabled(run: Evaluator, body: Node, scope: PyScope, subject: re.Pattern[str] = SUBJECT) -> Iterator[DispatchArm]:
    """Find the arms that stand in a table of functions by action: `HANDLERS[action]`, `HANDLERS.get(action)`."""
    for node in of_kinds(body, "python", "subscript", "call"):
        table = _find_table(node, subject)
        if table is None or not runs_in(node, body):
            continue
        value = assigned(string_of(table), node) if table.type == "identifier" else None
        found = run.value(value or table, scope)
        for key, held in found.entries if isinstance(found, PyMapping) and not found.open else ():
            given = bare(held)
            function = given.function if isinstance(given, Method) else given
            inner = child(function.node, "body") if isinstance(function, PyFunction) else None
            name = text_of_value(key)
            if name is not None and inner is not None and isinstance(function, PyFunction):
                yield DispatchArm((name,), function.node, inner, function)


def _find_table(node: Node, subject: re.Pattern[str]) -> Node | None:
    """Return the table that an expression looks an action up in."""
    if node.type == "subscript" and subject.search(string_of(child(node, "subscript") or node)):
        return child(node, "value")
    function = child(node, "function") if node.type == "call" else None
    if function is None or function.type != "attribute" or string_of(child(function, "attribute") or node) != "get":
        return None
    given = arguments(node)[0]
    return child(function, "object") if given and subject.search(string_of(given[0])) else None


def _iter_for_match(run: Evaluator, statement: Node, scope: PyScope, separator: str) -> Iterator[DispatchArm]:
    for clause in children(child(statement, "body")):
        patterns = [part for part in children(clause) if part.type == "case_pattern"]
        code = child(clause, "consequence")
        if not patterns or code is None or all(map(_takes_all, patterns)):
            continue
        if separator and len(patterns) > 1:
            names = _join(run, patterns, scope, separator)
        elif separator:
            read = [_join(run, children(each), scope, separator) for each in _iter_alternatives(patterns[0])]
            names = tuple(name for each in read for name in each) if all(read) else ()
        else:
            names = _collect_named(run, list(_iter_alternatives(patterns[0])), scope)
        yield DispatchArm(names, clause, code)


def _join(run: Evaluator, patterns: list[Node], scope: PyScope, separator: str) -> tuple[Text, ...]:
    """Read the name of an action of the patterns of its parts, where what is passed over is what parts them or not there."""
    parts = [each for each in patterns if string_of(each) not in PASSED_OVER]
    known = [_collect_named(run, list(_iter_alternatives(part)), scope) for part in parts]
    whole = scope.module.span(patterns[0])
    return tuple(Text(separator.join(map(str, each)), whole) for each in product(*known)) if known else ()


def _iter_alternatives(pattern: Node) -> Iterator[Node]:
    for part in children(pattern):
        if part.type in ("union_pattern", "case_pattern"):
            yield from _iter_alternatives(part)
        else:
            yield part


def _takes_all(pattern: Node) -> bool:
    return re.fullmatch(r"_|\w+", string_of(pattern)) is not None


def _iter_for_if(run: Evaluator, statement: Node, scope: PyScope) -> Iterator[DispatchArm]:
    for part in (statement, *statement.children_by_field_name("alternative")):
        test, code = child(part, "condition"), child(part, "consequence")
        names = tuple(_iter_asked(run, test, scope)) if test is not None else ()
        if names and code is not None:
            yield DispatchArm(names, part, code)
        else:
            yield from choices(run, code or child(part, "body") or part, scope)


def _iter_asked(run: Evaluator, test: Node, scope: PyScope) -> Iterator[Text]:
    """Name the actions that a test asks for."""
    if test.type in ("boolean_operator", "parenthesized_expression"):
        for part in children(test):
            yield from _iter_asked(run, part, scope)
    parts = children(test) if test.type == "comparison_operator" else []
    sign = string_of(child(test, "operators") or test)
    if len(parts) != 2 or sign not in ("==", "in"):
        return
    left, right = parts
    if sign == "in" and SUBJECT.search(string_of(left)) and right.type in ("tuple", "list", "set"):
        yield from _collect_named(run, children(right), scope)
    elif sign == "==" and SUBJECT.search(string_of(left)):
        yield from _collect_named(run, [right], scope)
    elif sign == "==" and SUBJECT.search(string_of(right)):
        yield from _collect_named(run, [left], scope)


def _collect_named(run: Evaluator, nodes: list[Node], scope: PyScope) -> tuple[Text, ...]:
    """Read the names of actions; none if one of them cannot be read."""
    found = [_find_text(run, node, scope) for node in nodes]
    known = [text for text in found if text is not None]
    return tuple(known) if len(known) == len(found) else ()


def _find_text(run: Evaluator, node: Node, scope: PyScope) -> Text | None:
    span = scope.module.span(node)
    if node.type in ("string", "concatenated_string"):
        plain = string_value(node)
        return Text(plain, span) if plain is not None else None
    if node.type == "dotted_name":
        first, *rest = children(node)
        value = run.lookup(string_of(first), scope, first)
        for part in rest:
            value = run.attribute(value, string_of(part), part, scope)
    elif node.type in MENTIONED:
        value = run.value(node, scope)
    else:
        return None
    text = text_of_value(value)
    return Text(str(text), span) if text is not None else None


def onward(body: Node, arms: list[DispatchArm]) -> Iterator[set[str]]:
    """Name what each answer calls that is given to actions which no arm names."""
    held = [arm.body for arm in arms if arm.names]
    for value in returned(body):
        if any(part.start_byte <= value.start_byte < part.end_byte for part in held):
            continue
        calls = [part for part in below(value) if part.type == "call" and _hands_on(part)]
        if calls:
            yield {called(part) for part in calls}


def _hands_on(call: Node) -> bool:
    """Return whether a call takes the action, or is chosen by it."""
    return any(
        part.type in MENTIONED and string_of(part).rpartition(".")[2] in ("action", "request", "arguments", "kwargs")
        for part in below(call, frozenset({"string", "keyword_argument"}))
    ) or any(
        part.type == "keyword_argument" and string_of(child(part, "name") or part) == "action" for part in below(call)
    )
