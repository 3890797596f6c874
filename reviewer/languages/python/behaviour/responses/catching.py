"""The `try` that a decorator of the project lays around the function it is given."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import Place, arguments, below, callee, enclosing, runs_in, scope
from reviewer.languages.python.behaviour.isolation import is_broad, raises_on
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function

CLAUSES = ("except_clause", "except_group_clause")
DEPTH = 2


class Clause(NamedTuple):
    """An `except` clause, with the module it stands in."""

    node: Node
    module: Module


def clauses(run: Evaluator, decorator: Place) -> list[Clause]:
    """Give the clauses that catch around the calls of the function that a decorator is given, in the order of the source."""
    found: dict[int, Clause] = {}
    for inner in [decorator.node, *_inner(decorator.node)]:
        handed = _handed(inner, decorator.node)
        for each in _around(run, inner, handed, decorator.module, DEPTH) if handed else ():
            found[each.node.start_byte] = each
    return list(found.values())


def of_layers(run: Evaluator, function: Function) -> Iterator[Clause]:
    """Give the clauses that catch in what a function was wrapped in, outermost first."""
    layer = function
    while layer.wraps is not None:
        yield from clauses(run, Place(outermost(layer.node), layer.scope.module))
        layer = layer.wraps


def outermost(node: Node) -> Node:
    """Give the function at the top of a module or a class that a function was made in."""
    outer = enclosing(node)
    return outermost(outer) if outer is not None else node


def is_catching(clauses: list[Clause]) -> bool:
    """Tell whether one of some clauses answers for whatever is raised."""
    return any(is_broad(each.node) and not raises_on(each.node) for each in clauses)


def gives_another(decorator: Place) -> bool:
    """Tell whether a decorator gives another function than it was handed, or one that it makes."""
    return _gives_another(decorator.node)


@lru_cache(maxsize=256)
def _gives_another(decorator: Node) -> bool:
    ways = ((inner, _handed(inner, decorator)) for inner in _inner(decorator))
    return any(handed and _calls(inner, handed) for inner, handed in ways)


def _inner(function: Node) -> list[Node]:
    """Give the functions that one defines."""
    return [each for each in of_kinds(function, "python", "function_definition", "lambda") if each != function]


def _handed(inner: Node, decorator: Node) -> frozenset[str]:
    """Name what the functions around one, up to the decorator, are given; nothing where that only sets up a decorator."""
    names: set[str] = set()
    unit = enclosing(inner) if inner != decorator and not _decorates(inner) else None
    while unit is not None and unit.start_byte >= decorator.start_byte:
        names |= parameters(unit)
        unit = enclosing(unit)
    return frozenset(names)


def _decorates(inner: Node) -> bool:
    """Tell whether a function gives back what it is given, or a function that it defines: a factory made it a decorator."""
    body = child(inner, "body")
    own = parameters(inner) | {string_of(child(each, "name") or each) for each in _inner(inner)}
    return body is not None and any(each.type == "identifier" and string_of(each) in own for each in returned(body))


def parameters(function: Node) -> set[str]:
    """Name what a function is given."""
    listed = child(function, "parameters")
    heads = [child(part, "name") or next(iter(children(part)), part) for part in children(listed)] if listed else []
    return {string_of(head) for head in heads} - {"self", "cls"}


def _calls(inner: Node, handed: frozenset[str]) -> list[Node]:
    """Give the calls of a handed function in a function, those in functions of its own left out."""
    body = child(inner, "body")
    found = of_kinds(body, "python", "call") if body is not None else ()
    return [each for each in found if _runs(each, handed) and body is not None and runs_in(each, body)]


def _runs(call: Node, handed: frozenset[str]) -> bool:
    """Tell whether a call runs a function that was handed over: itself, or by handing it on."""
    function = child(call, "function")
    if function is not None and function.type == "identifier" and string_of(function) in handed:
        return True
    positional, keywords = arguments(call)
    given = [*positional, *keywords.values()]
    return any(part.type == "identifier" and string_of(part) in handed for part in given) and "wraps" not in string_of(
        function or call
    )


def _around(run: Evaluator, inner: Node, handed: frozenset[str], module: Module, depth: int) -> Iterator[Clause]:
    """Find what catches around the calls of a handed function: here, or in the function that it is handed on to."""
    for call in _calls(inner, handed):
        yield from above(run, call, inner, module)
        target = callee(run, call, scope(run, module)) if depth else None
        if target is not None and target.node != inner:
            names = _taken(call, target, handed)
            yield from _around(run, target.node, names, target.module, depth - 1) if names else ()


def _taken(call: Node, target: Place, handed: frozenset[str]) -> frozenset[str]:
    """Name the parameters of a function by which it takes what was handed on."""
    function = target.function or Function("", target.node, None)  # type: ignore[arg-type]  # only its syntax is read
    names = [part.name for part in signature(function) if part.name not in ("self", "cls")]
    positional, keywords = arguments(call)
    pairs = [*zip(names, positional, strict=False), *keywords.items()]
    return frozenset(name for name, value in pairs if value.type == "identifier" and string_of(value) in handed)


def above(run: Evaluator, node: Node, unit: Node, module: Module) -> Iterator[Clause]:
    """Give the clauses of the `try` statements, and of the context managers of the project, around a node of a function."""
    inner, current = node, node.parent
    while current is not None and inner != unit:
        if current.type == "try_statement" and child(current, "body") == inner:
            yield from (Clause(part, module) for part in children(current) if part.type in CLAUSES)
        if current.type == "with_statement" and child(current, "body") == inner:
            yield from _managed(run, current, module)
        inner, current = current, parent_of(current)


def _managed(run: Evaluator, statement: Node, module: Module) -> Iterator[Clause]:
    """Give the clauses around the `yield` of a context manager that a `with` statement enters."""
    items = [part for part in children(statement) if part.type == "with_clause"]
    for call in (each for item in items for each in below(item) if each.type == "call"):
        target = callee(run, call, scope(run, module))
        for each in below(target.node) if target is not None else ():
            if target is not None and each.type == "yield":
                yield from above(run, each, target.node, target.module)
