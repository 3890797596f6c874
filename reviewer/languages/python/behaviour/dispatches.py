"""Functions that choose by an action's name, and the functions that bound an answer."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import (
    Catalog,
    Dispatch,
    Guard,
    Handler,
)
from reviewer.languages.nodes import child, children, matches, string_of
from reviewer.languages.python.behaviour import conduct, exits, following
from reviewer.languages.python.behaviour.catalogs import domain_of
from reviewer.languages.python.behaviour.choices import Choice, choices, onward, tabled
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.statements import FORMS_OF_PATTERNS
from reviewer.languages.python.values import (
    Scope,
)
from reviewer.patterns import pattern
from reviewer.source import Text

DISPATCHING = b"action"
CHOOSING = pattern(rb"match\s[^\n]*action|action\W[^\n]*(?:==|\bin\b)|==\s*[\w.]*action|(?:\[|get\()[^\n]*action")
NO_ANSWER = pattern(r"(bool|None|int|float|(frozen)?set|tuple)\b")
"""What a function gives that tells something of an action and does not carry it out."""


def dispatches(run: Evaluator, seeds: list[Module], catalogs: tuple[Catalog, ...]) -> Iterator[Dispatch]:
    """Find functions that match on an action's name: where tools are declared, and elsewhere by the catalogs' names."""
    names = {str(action.name) for catalog in catalogs for action in catalog.actions}
    others = [module for module in following.own(run, DISPATCHING) if names and module not in seeds]
    found = [each for module in seeds for each in _in_module(run, module)]
    for module in others:
        here = list(_in_module(run, module)) if CHOOSING.search(module.source.data) else []
        if any(names & {str(arm.name) for arm in dispatch.arms} for dispatch, _ in here):
            found += here
    known = {str(dispatch.name) for dispatch, _ in found}
    for dispatch, rest in found:
        yield replace(dispatch, open=any(not known & calls for calls in rest))


def _in_module(run: Evaluator, module: Module) -> Iterator[tuple[Dispatch, list[set[str]]]]:
    if DISPATCHING not in module.source.data:
        return
    scope = following.scope(run, module)
    for found in matches(module.root, "python", "dispatches"):
        function, name, body = found["function"], found["name"], found["body"]
        spoken = list(choices(run, body, scope))
        tables = list(tabled(run, body, scope))
        read = [*spoken, *tables]
        kind = child(function, "return_type")
        answers = kind is None or NO_ANSWER.match(string_of(kind)) is None
        given = [value.type for each in read for value in exits.returned(each.body)]
        only_named = bool(given) and FORMS_OF_PATTERNS.issuperset(given)
        if answers and not only_named and sum(1 for each in read if each.names) > 1:
            arms = tuple(_arm(run, each, text, scope) for each in read for text in each.names)
            made = Dispatch(
                Text(string_of(name), module.span(name)), module.span(function), arms, domain_of(module.path)
            )
            yield made, [] if tables else list(onward(body, read))


def _arm(run: Evaluator, choice: Choice, name: Text, scope: Scope) -> Handler:
    if choice.function is not None:
        span = choice.function.scope.module.span(choice.node)
        acts = conduct.of_function(run, choice.function)
        return Handler(name, span, acts=acts)
    return Handler(name, scope.module.span(choice.node), acts=conduct.of_block(run, scope.module, choice.body))


def guards(module: Module) -> Iterator[Guard]:
    """Find the functions of the shape `respond(action, value)`."""
    for found in matches(module.root, "python", "guards"):
        name, function = found["name"], found["function"]
        if _bounds(function):
            yield Guard(Text(string_of(name), module.span(name)), module.span(function))


def _bounds(function: Node) -> bool:
    """Tell whether a function takes two things at least and gives something back."""
    listed, body = child(function, "parameters"), child(function, "body")
    taken = [part for part in children(listed) if string_of(part) not in ("self", "cls")] if listed is not None else []
    return len(taken) > 1 and body is not None and any(True for _ in exits.returned(body))
