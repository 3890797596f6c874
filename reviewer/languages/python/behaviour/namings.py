"""Which strings an expression may come to: the values of a table, the branches of a function, what the callers hand in."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour import exits
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    called,
    callee,
    enclosing,
    is_parameter,
    own,
    receiver,
    scope,
    text,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Const, Function, Mapping
from reviewer.source import Text

DEPTH = 3
"""How many names and calls are followed one through another."""


def namings(run: Evaluator, module: Module, node: Node, depth: int = 0) -> Iterator[Text]:
    """Give the strings that an expression may come to, as far as they are written; nothing for what a run makes."""
    within = scope(run, module)
    said = text(run, node, within)
    if said is not None:
        yield Text(said, module.span(node))
    elif depth > DEPTH:
        return
    elif node.type in ("parenthesized_expression", "conditional_expression", "boolean_operator"):
        parts = children(node)
        for part in [parts[0], *parts[2:]] if node.type == "conditional_expression" else parts:
            yield from namings(run, module, part, depth + 1)
    elif node.type == "identifier":
        yield from _of_name(run, module, node, depth)
    elif node.type == "subscript":
        yield from _table(run, module, child(node, "value"))
    elif node.type == "call":
        yield from _of_call(run, module, node, depth)


def _of_name(run: Evaluator, module: Module, node: Node, depth: int) -> Iterator[Text]:
    given = assigned(string_of(node), node)
    if given is not None:
        yield from namings(run, module, given, depth + 1)
    elif is_parameter(string_of(node), node):
        yield from _of_callers(run, module, node, depth)


def _of_call(run: Evaluator, module: Module, node: Node, depth: int) -> Iterator[Text]:
    on, (positional, _) = receiver(node), arguments(node)
    if on is not None and called(node) == "get":
        yield from _table(run, module, on)
        for part in positional[1:2]:
            yield from namings(run, module, part, depth + 1)
        return
    place = callee(run, node, scope(run, module))
    body = child(place.node, "body") if place is not None else None
    if place is not None and body is not None:
        for value in exits.returned(body):
            yield from namings(run, place.module, value, depth + 1)


def _table(run: Evaluator, module: Module, node: Node | None) -> Iterator[Text]:
    """Give the texts that a dict holds."""
    if node is None or node.type not in ("identifier", "attribute", "dictionary"):
        return
    given = assigned(string_of(node), node) if node.type == "identifier" else None
    literal = given if given is not None and given.type == "dictionary" else node
    if literal.type == "dictionary":
        for part in children(literal):
            value = child(part, "value")
            said = text(run, value, scope(run, module)) if value is not None else None
            if said is not None and value is not None:
                yield Text(said, module.span(value))
        return
    value_ = run.value(node, scope(run, module))
    for _, each in value_.entries if isinstance(value_, Mapping) else ():
        if isinstance(each, Const) and isinstance(each.value, str):
            yield Text(each.value, each.span)


def _of_callers(run: Evaluator, module: Module, node: Node, depth: int) -> Iterator[Text]:
    """Give what the calls of the function hand in for a parameter."""
    unit = enclosing(node)
    name = string_of(child(unit, "name") or node) if unit is not None else ""
    if unit is None or name == "respond":  # what a guard is called with is the action it answers
        return
    parts = [
        each.name for each in signature(Function(name, unit, scope(run, module))) if each.name not in ("self", "cls")
    ]
    for caller in own(run, f"{name}(".encode()):
        for call in below(caller.root):
            if called(call) == name:
                positional, keywords = arguments(call)
                given = dict(zip(parts, positional, strict=False)) | keywords
                if string_of(node) in given:
                    yield from namings(run, caller, given[string_of(node)], depth + 2)
