"""How handlers give their results back: the returned expressions, and the functions they pass on their way out."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Exit
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.values import Function, Scope
from reviewer.source import Text


def of_function(run: Evaluator, function: Function) -> tuple[Exit, ...]:
    """Give every `return` of a function with a value, calls into the project followed one deep."""
    body = child(function.node, "body")
    return of_block(run, body, function.scope) if body is not None else ()


def of_block(run: Evaluator, body: Node, scope: Scope) -> tuple[Exit, ...]:
    """Give every `return` with a value below a block, functions defined in it left out."""
    return tuple(
        Exit(Text(string_of(value), scope.module.span(value)), _through(run, value, scope)) for value in returned(body)
    )


BLOCKS = frozenset(
    {
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "with_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "match_statement",
        "case_clause",
    }
)
"""What a statement may stand in, short of a function or a class of its own."""


def returned(node: Node) -> Iterator[Node]:
    """Find the returned expressions below a node, in order, those of inner functions left out."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.type == "return_statement":
            value = next((each for each in children(part) if each.type != "none"), None)
            if value is not None:
                yield value
        elif part.type in BLOCKS or part is node:
            waiting += reversed(children(part))


def _through(run: Evaluator, value: Node, scope: Scope, depth: int = 0) -> tuple[str, ...]:
    """Name the functions that a returned call passes, outermost first."""
    while value.type == "await" and children(value):
        value = children(value)[0]
    called = child(value, "function") if value.type == "call" else None
    if called is None:
        return ()
    name = string_of(child(called, "attribute") or called)
    inner = _project_function(run, called, scope) if depth == 0 else None
    body = child(inner.node, "body") if inner is not None else None
    if inner is None or body is None:
        return (name,)
    ways = [_through(run, each, inner.scope, depth + 1) for each in returned(body)]
    common = ways[0] if ways and all(way == ways[0] for way in ways) else ()
    return (name, *common)


def _project_function(run: Evaluator, called: Node, scope: Scope) -> Function | None:
    if called.type != "identifier":
        return None
    found = run.lookup(string_of(called), scope, called)
    return found if isinstance(found, Function) else None
