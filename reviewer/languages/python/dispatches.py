"""Functions that choose by an action's name, and the functions that bound an answer."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import (
    Dispatch,
    Guard,
    Handler,
)
from reviewer.languages.nodes import child, children, matches, string_of
from reviewer.languages.python import exits
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import (
    Scope,
)
from reviewer.source import Text

DISPATCHING = b"action"


def dispatches(run: Evaluator, module: Module) -> Iterator[Dispatch]:
    """Find functions that match on an action's name."""
    if DISPATCHING not in module.source.data:
        return
    scope = run.scope_of(module)
    for found in matches(module.root, "python", "dispatches"):
        function, name = found["function"], found["name"]
        arms = tuple(_arms(run, found["body"], scope))
        if len(arms) > 1:
            yield Dispatch(Text(string_of(name), module.span(name)), module.span(function), arms)


def _arms(run: Evaluator, body: Node, scope: Scope) -> Iterator[Handler]:
    for statement in children(body):
        if statement.type == "match_statement" and b"action" in (
            (child(statement, "subject") or statement).text or b""
        ):
            inner = child(statement, "body")
            for clause in children(inner) if inner is not None else ():
                yield from _arm(run, clause, _pattern(clause), child(clause, "consequence"), scope)
        elif statement.type == "if_statement":
            yield from _arm(run, statement, _compared(statement), child(statement, "consequence"), scope)
            for part in statement.children_by_field_name("alternative"):
                yield from _arm(run, part, _compared(part), child(part, "consequence"), scope)


def _arm(run: Evaluator, node: Node, action: Node | None, body: Node | None, scope: Scope) -> Iterator[Handler]:
    value = string_value(action) if action is not None else None
    if action is not None and value is not None and body is not None:
        yield Handler(Text(value, scope.module.span(action)), scope.module.span(node), exits.of_block(run, body, scope))


def _pattern(clause: Node) -> Node | None:
    pattern = next((part for part in children(clause) if part.type == "case_pattern"), None)
    return children(pattern)[0] if pattern is not None and children(pattern) else None


def _compared(statement: Node) -> Node | None:
    """Give the literal of `action == "..."`."""
    test = child(statement, "condition")
    if test is None or test.type != "comparison_operator" or len(children(test)) != 2:
        return None
    left, right = children(test)
    return right if string_of(left) == "action" and right.type == "string" else None


def guards(_run: Evaluator, module: Module) -> Iterator[Guard]:
    """Find the functions of the shape `respond(action, value)`."""
    if b"def respond" not in module.source.data:
        return
    for found in matches(module.root, "python", "guards"):
        name = found["name"]
        yield Guard(Text(string_of(name), module.span(name)), module.span(found["function"]))
