"""Servers that read JSON-RPC themselves: what they answer to `tools/list`, evaluated as if a client asked for it."""

import re
from collections.abc import Iterator
from typing import TypeGuard

from tree_sitter import Node

from reviewer.failures import contained
from reviewer.languages.nodes import find_child, find_descendants_at, find_parent, iter_ancestors, list_children
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, find_enclosing
from reviewer.languages.python.declarations import listings, survey
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.declarations.sdks import CONVERSATION, is_conversation
from reviewer.languages.python.evaluation import assumptions
from reviewer.languages.python.evaluation.assumptions import BEGINNING, CALLING, LISTING
from reviewer.languages.python.evaluation.evaluator import PATIENCE, Evaluator
from reviewer.languages.python.evaluation.literals import evaluate_string
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyScope,
    PyValue,
)
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass

NAMING = rb"^[ \t]*(\w+)\s*(?::[^=\n]+)?=\s*[\"']%s[\"']"
"""A constant, or a member of an enumeration, that is the method's name."""

WITHIN = frozenset({"tuple", "list", "set", "parenthesized_expression", "union_pattern", "attribute", "dotted_name"})
"""What the name of a method may stand in where something is compared with it."""


NAMED = frozenset({"identifier", "attribute", "lambda"})
"""What a function is called by that is put under a name."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """The code that is evaluated for some places: the outermost function around them, None for the body of the module."""

    module: PyModule
    function: Node | None
    sites: tuple[Node, ...]


def resolve(run: Evaluator) -> list[PyModule]:
    """Make a server of each place that answers `tools/list` by itself; return the modules that their code is in.

    Where an SDK serves tools of the same names, it is the SDK's list that is passed on.
    """
    found: list[PyModule] = []
    is_served = bool(run.servers or run.registrations)
    known = {_find_registered_name(each) for each in run.registrations}
    for unit in _iter_units(run):
        if is_served and unit.function is None:
            continue  # the body of a module that an SDK serves is not gone through again
        with contained("tools that are listed here may be missing", unit.module.locate(unit.sites[0])):
            before = len(run.registrations)
            server = _find_server(run, unit)
            fresh = run.registrations[before:]
            if server is None or (is_served and all(_find_registered_name(each) in known for each in fresh)):
                del run.registrations[before:]
                continue
            known |= {_find_registered_name(each) for each in fresh}
            run.servers.append(server)
            found += [unit.module, *(each.module for each in fresh)]
    return list({each.path: each for each in found}.values())


def _find_registered_name(made: Registration) -> str | None:
    name = (made.definition.keywords if made.definition is not None else made.keywords).get("name")
    if isinstance(name, Const):
        return str(name.value)
    return made.function.name if isinstance(made.function, PyFunction) else None


def iter_asking_functions(run: Evaluator, method: str = LISTING) -> Iterator[FunctionPlace]:
    """Yield the functions that ask whether a client wants a method, each once."""
    sites = (each for each in _iter_sites(run, method) if _is_asked(each[1]))
    found = (FunctionPlace(each, module) for module, node in sites if (each := find_enclosing(node)) is not None)
    yield from {(each.module.path, each.node.start_byte): each for each in found}.values()


def collect_call_handlers(run: Evaluator) -> dict[tuple[str, int], FunctionPlace]:
    """Return the functions that take the calls of tools where a server reads requests itself, by file and first byte."""
    if CALLED not in run.done:
        is_served = any(map(is_conversation, run.servers))
        found = [*iter_asking_functions(run, CALLING), *_iter_decorated_handlers(run)] if is_served else []
        named = [each for each in map(_find_function, run.supposed.calling) if each is not None] if is_served else []
        places = [*found, *(FunctionPlace(each.node, each.scope.module, each) for each in named)]
        run.done[CALLED] = {(each.module.path, each.node.start_byte): each for each in places}
    known: dict[tuple[str, int], FunctionPlace] = run.done[CALLED]
    return known


CALLED = ("tools/call", -1)
"""Where the evaluator keeps what takes the calls of tools: no function begins there."""


def _iter_decorated_handlers(run: Evaluator) -> Iterator[FunctionPlace]:
    """Yield the functions that a decorator puts under the name of the method by which tools are called."""
    for module, node in _iter_sites(run, CALLING):
        decorator = next((each for each in iter_ancestors(node) if each.type == "decorator"), None)
        function = find_child(decorator.parent, "definition") if decorator is not None else None
        if function is not None and function.type == "function_definition":
            yield FunctionPlace(function, module)


def _find_function(value: PyValue) -> PyFunction | None:
    found = value.function if isinstance(value, Method) else value
    return found.unwrap() if isinstance(found, PyFunction) and found.node.type == "function_definition" else None


def _iter_units(run: Evaluator) -> Iterator[_Unit]:
    """Find the code that answers for the list of tools."""
    found: dict[tuple[str, int], tuple[PyModule, Node | None, list[Node]]] = {}
    for module, node in _iter_sites(run, LISTING):
        functions = [each for each in iter_ancestors(node) if each.type == "function_definition"]
        unit = functions[-1] if functions else None
        key = module.path, unit.start_byte if unit is not None else -1
        found.setdefault(key, (module, unit, []))[2].append(node)
    yield from (_Unit(module, unit, tuple(sites)) for module, unit, sites in found.values())


def _iter_sites(run: Evaluator, method: str) -> Iterator[tuple[PyModule, Node]]:
    """Find where code asks whether a client wants a method, or puts what answers then under its name."""
    word = method.encode()
    naming = re.compile(NAMING % re.escape(word), re.MULTILINE)
    signed = [each for each in run.modules.find_containing((word,)) if not each.is_aside]
    names = {name for module in signed for name in naming.findall(module.source.data)}
    words = re.compile(b"|".join([re.escape(word), *(rb"\b" + each + rb"\b" for each in sorted(names))]))
    for module in run.modules.find_containing((word, *names)) if signed else ():
        places = (hit.span() for hit in words.finditer(module.source.data) if not module.is_aside)
        for node in find_descendants_at(module.root, "python", places, "string", "identifier"):
            is_it = evaluate_string(node) == method if node.type == "string" else (node.text or b"") in names
            if is_it and (_is_asked(node) or _is_named(node)):
                yield module, node


def _is_asked(node: Node) -> bool:
    """Return whether something is compared with a name: `method == ..`, `method in (.., ..)`, `case ..`."""
    above = find_parent(node)
    while above is not None and above.type in WITHIN:
        above = find_parent(above)
    return above is not None and above.type in ("comparison_operator", "case_pattern")


def _is_named(node: Node) -> bool:
    """Return whether something is put under a name: `{..: list_tools}`, `register(.., list_tools)`, `@method(..)`."""
    above = find_parent(node)
    while above is not None and above.type == "attribute":
        node, above = above, find_parent(above)
    beside = above is not None and any(each.type in NAMED and each != node for each in list_children(above))
    if above is None or above.type != "argument_list":
        return beside and above is not None and above.type == "pair" and find_child(above, "key") == node
    call = find_parent(above)
    return beside or (call is not None and call.parent is not None and call.parent.type == "decorator")


def _find_server(run: Evaluator, unit: _Unit) -> PyInstance | None:
    """Return a server whose tools were registered, None if nothing tells of any."""
    span = unit.module.locate(unit.sites[0])
    server = PyInstance(External(CONVERSATION, span), [], {}, span)
    node, scope = unit.function or unit.sites[0], PyScope(unit.module)
    with assumptions.asked(run, BEGINNING):
        found = survey.resolve_entry_point(run, unit.function, unit.module) if unit.function is not None else None
    made = found[1].made_by if found is not None and found[1] is not None else None
    objects = _collect_objects(run, made, unit.module) if isinstance(made, PyClass) else []
    told: list[PyValue] = []
    receivers: list[PyInstance | None] = [*objects] or [found[1] if found is not None else None]
    for receiver in receivers:
        for method in (BEGINNING, LISTING):  # what is listed may be made when a client begins
            del run.supposed.told[:], run.supposed.defined[:], run.supposed.answering[:]
            with assumptions.asked(run, method), run.only_under(()):
                run.start(PATIENCE, span)
                if found is not None:
                    survey.call(run, found[0], receiver)
                elif unit.function is None:
                    run.execute(list_children(unit.module.root), PyScope(unit.module))
                defined = [each for each in run.supposed.defined if each.node != unit.function]
                inner = [each for each in defined if _contains_site(each.node, unit.sites)]
                for each in (*inner, *run.supposed.answering):
                    run.call(each, CallArguments([], {}, span, node=node, scope=scope))
        told += run.supposed.told
    before = len(run.registrations), len(run.unlisted)
    for value in told:
        listings.PythonListing(run, server, node, unit.module).take(value, ())
    return server if (len(run.registrations), len(run.unlisted)) != before else None


def _collect_objects(run: Evaluator, cls: PyClass, module: PyModule) -> list[PyInstance]:
    """Return objects of a class as code makes them, that may hand them tools, those of its own module if there are any."""
    word, supposed = cls.name.encode() + b"(", run.supposed
    supposed.watched = cls
    del supposed.seen[:]
    for other in sorted(run.modules.find_containing((word,)), key=lambda each: each is not module):
        for call in (
            find_descendants_at(other.root, "python", _iter_places(other, word), "call") if not other.is_aside else ()
        ):
            functions = [each for each in iter_ancestors(call) if each.type == "function_definition"]
            made = survey.resolve_entry_point(run, functions[-1], other) if functions else None
            run.start(PATIENCE, other.locate(call))
            if made is not None and (made[1] is None or made[1].made_by is not cls):
                survey.call(run, *made)
            elif not functions:
                supposed.seen += [each for each in run.evaluate_module(other).names.values() if _is_made_by(each, cls)]
        if supposed.seen:
            break
    supposed.watched = None
    return list({id(each): each for each in supposed.seen}.values())[:MOST]


MOST = 4
"""Objects of one class that are asked for their tools. A class that serves is made once, or once for each transport."""


def _is_made_by(value: PyValue, cls: PyClass) -> TypeGuard[PyInstance]:
    return isinstance(value, PyInstance) and value.made_by is cls


def _iter_places(module: PyModule, word: bytes) -> Iterator[tuple[int, int]]:
    return (hit.span() for hit in re.finditer(rb"\b" + re.escape(word), module.source.data))


def _contains_site(function: Node, sites: tuple[Node, ...]) -> bool:
    """Return whether a function, or a decorator of it, holds one of some places."""
    above = function.parent
    whole = above if above is not None and above.type == "decorated_definition" else function
    return any(whole.start_byte <= each.start_byte < whole.end_byte for each in sites)
