"""Functions that choose by an action's name, and the functions that bound an answer."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.behaviour.values import tables
from reviewer.facts import (
    Catalog,
    Dispatch,
    Guard,
    Handler,
)
from reviewer.languages.catalogs import infer_domain
from reviewer.languages.nodes import decode_node, find_child, find_descendants, iter_matches, list_children
from reviewer.languages.python.behaviour import effects, exits, name_resolution
from reviewer.languages.python.behaviour.choices import (
    DispatchArm,
    iter_dispatch_arms,
    iter_forwarded_calls,
    iter_table_arms,
)
from reviewer.languages.python.behaviour.isolation import place_at
from reviewer.languages.python.behaviour.tracing import get_program, trace_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.statements import FORMS_OF_PATTERNS
from reviewer.languages.python.evaluation.values import PyFunction, PyScope, strip_conditions, to_text
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Text
from reviewer.text.patterns import pattern

DISPATCHING = b"action"
# Within a line, so that a file is not parsed for an `action` far from the `match` before it.
CHOOSING = pattern(rb"match\s[^\n]*action|action\W[^\n]*(?:==|\bin\b)|==\s*[\w.]*action|(?:\[|get\()[^\n]*action")
LOOKING_UP = pattern(rb"\w\[[^\]\n]*action|\.get\([^\n]*action")
"""How what answers an action is looked up."""

NO_ANSWER = pattern(r"(bool|None|int|float|(frozen)?set|tuple)\b")
"""What a function gives that tells something of an action and does not carry it out."""


def iter_dispatches(run: Evaluator, seeds: list[PyModule], catalogs: tuple[Catalog, ...]) -> Iterator[Dispatch]:
    """Find functions that match on an action's name: where tools are declared, and elsewhere by the catalogs' names."""
    names = {str(action.name) for catalog in catalogs for action in catalog.actions}
    others = [module for module in name_resolution.iter_own_modules(run, DISPATCHING) if names and module not in seeds]
    found = [each for module in seeds for each in _iter_in_module(run, module)]
    for module in others:
        here = list(_iter_in_module(run, module)) if CHOOSING.search(module.source.data) else []
        if any(names & {str(arm.name) for arm in dispatch.arms} for dispatch, _ in here):
            found += here
    known = {str(dispatch.name) for dispatch, _ in found}
    for dispatch, rest in found:
        yield replace(dispatch, open=any(not known & calls for calls in rest))
    if not found:
        yield from _iter_for_rows(run)
        yield from _iter_looking_up(run, names)


def _iter_for_rows(run: Evaluator) -> Iterator[Dispatch]:
    """Yield the calls of the functions in rows of actions, for each module that has rows: `await action.work(call)`."""
    answering: dict[PyModule, list[tuple[Text, PyFunction]]] = {}
    fields: set[str] = set()
    for made, module in run.action_specs:
        name = to_text(made.attributes["name"]) if "name" in made.attributes else None
        held = {
            key: value
            for key, each in made.attributes.items()
            if isinstance(value := strip_conditions(each), PyFunction)
        }
        if name is not None and len(held) == 1:
            answering.setdefault(module, []).extend((name, each) for each in held.values())
            fields |= held.keys()
    callers = list(_iter_callers_of(run, fields)) if fields else []
    if len(callers) != 1:
        return
    called, caller, where = callers[0]
    for module, rows in answering.items():
        arms = tuple(
            Handler(action, each.scope.module.locate(each.node), acts=effects.collect_function_acts(run, each))
            for action, each in rows
        )
        yield Dispatch(
            Text(decode_node(called), where.locate(called)), where.locate(caller), arms, infer_domain(module.path)
        )


def _iter_looking_up(run: Evaluator, names: set[str]) -> Iterator[Dispatch]:
    """Yield the functions that look up which function answers an action in a table that only a run of them tells.

    An object may hold the table, which its constructor makes: `self.table.get(ask.action)`. Only the actions of a catalog tell
    that a table is one of actions; where none has two, no function need be lowered for it.
    """
    if len(names) < 2:
        return
    for module in name_resolution.iter_own_modules(run, DISPATCHING):
        for node in find_descendants(module.root, "python", "function_definition"):
            name = find_child(node, "name")
            code = get_program(run).find_code_at(module, node)
            is_looked_up = LOOKING_UP.search(node.text or b"") is not None
            if name is None or not (tables.calls_values(code) or (is_looked_up and tables.calls_methods(code))):
                continue
            rows = tables.collect_rows(trace_of(run, module, node))
            arms = tuple(arm for each, row in rows.items() if (arm := _find_row(run, each, row, module)) is not None)
            if len(arms) > 1 and len(names & rows.keys()) > 1:
                yield Dispatch(
                    Text(decode_node(name), module.locate(name)), module.locate(node), arms, infer_domain(module.path)
                )


def _find_row(run: Evaluator, name: str, row: tables.Row, module: PyModule) -> Handler | None:
    """Return the arm that a row of a table is, named where it is written; None if its function is not of the project."""
    code = row.code
    place = place_at(run, code.locate(code.at))
    body = find_child(place.node, "body") if place is not None else None
    if place is None or body is None:
        return None
    written = (tables.locate_row(each.source, name, row) for each in (module, place.module))
    span = next((each for each in written if each is not None), code.locate(code.at))
    return Handler(Text(name, span), code.locate(code.at), acts=effects.collect_block_acts(run, place.module, body))


def _iter_callers_of(run: Evaluator, fields: set[str]) -> Iterator[tuple[Node, Node, PyModule]]:
    """Yield the functions that call what a field of a row holds, with their names and modules."""
    signs = tuple(f".{each}(".encode() for each in sorted(fields))
    seen: set[Node] = set()
    for module in name_resolution.iter_own_modules(run, *signs):
        for each in name_resolution.find_nodes_with(module, signs, "call"):
            callee, around = find_child(each, "function"), name_resolution.find_enclosing(each, "function_definition")
            called = find_child(callee, "attribute") if callee is not None and callee.type == "attribute" else None
            name = find_child(around, "name")
            if called is not None and decode_node(called) in fields and around is not None and name is not None:
                if around not in seen:
                    seen.add(around)
                    yield name, around, module


def _iter_in_module(run: Evaluator, module: PyModule) -> Iterator[tuple[Dispatch, list[set[str]]]]:
    if DISPATCHING not in module.source.data:
        return
    scope = name_resolution.load_scope(run, module)
    for found in iter_matches(module.root, "python", "dispatches"):
        function, name, body = found["function"], found["name"], found["body"]
        spoken = list(iter_dispatch_arms(run, body, scope))
        tables = list(iter_table_arms(run, body, scope))
        read = [*spoken, *tables]
        kind = find_child(function, "return_type")
        answers = kind is None or NO_ANSWER.match(decode_node(kind)) is None
        given = [value.type for each in read for value in exits.iter_returned_values(each.body)]
        only_named = bool(given) and FORMS_OF_PATTERNS.issuperset(given)
        if answers and not only_named and sum(1 for each in read if each.names) > 1:
            arms = tuple(_build_arm(run, each, text, scope) for each in read for text in each.names)
            made = Dispatch(
                Text(decode_node(name), module.locate(name)), module.locate(function), arms, infer_domain(module.path)
            )
            yield made, [] if tables else list(iter_forwarded_calls(body, read))


def _build_arm(run: Evaluator, choice: DispatchArm, name: Text, scope: PyScope) -> Handler:
    if choice.function is not None:
        span = choice.function.scope.module.locate(choice.node)
        acts = effects.collect_function_acts(run, choice.function)
        return Handler(name, span, acts=acts)
    return Handler(
        name, scope.module.locate(choice.node), acts=effects.collect_block_acts(run, scope.module, choice.body)
    )


def iter_guards(module: PyModule) -> Iterator[Guard]:
    """Find the functions of the shape `respond(action, value)`."""
    for found in iter_matches(module.root, "python", "guards"):
        name, function = found["name"], found["function"]
        if _bounds(function):
            yield Guard(Text(decode_node(name), module.locate(name)), module.locate(function))


def _bounds(function: Node) -> bool:
    """Return whether a function takes two things at least and gives something back."""
    listed, body = find_child(function, "parameters"), find_child(function, "body")
    taken = (
        [part for part in list_children(listed) if decode_node(part) not in ("self", "cls")]
        if listed is not None
        else []
    )
    return len(taken) > 1 and body is not None and any(True for _ in exits.iter_returned_values(body))
