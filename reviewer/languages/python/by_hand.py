"""Servers that read JSON-RPC themselves: what they answer to `tools/list`, evaluated as if a client asked for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.failures import contained
from reviewer.languages.nodes import around, child, children, of_kinds_at, parent_of
from reviewer.languages.python import frameworks, listings, supposing, survey
from reviewer.languages.python.behaviour.following import Place, enclosing
from reviewer.languages.python.evaluator import PATIENCE, Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.sdks import CONVERSATION
from reviewer.languages.python.supposing import BEGINNING, LISTING
from reviewer.languages.python.values import Arguments, Const, External, Function, Instance, Scope

NAMING = re.compile(rb"^[ \t]*(\w+)\s*(?::[^=\n]+)?=\s*[\"']tools/list[\"']", re.MULTILINE)
"""A constant, or a member of an enumeration, that is the method's name."""

WITHIN = frozenset({"tuple", "list", "set", "parenthesized_expression", "union_pattern", "attribute", "dotted_name"})
"""What the name of a method may stand in where something is compared with it."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """The code that is evaluated for some places: the outermost function around them, None for the body of the module."""

    module: Module
    function: Node | None
    sites: tuple[Node, ...]


def resolve(run: Evaluator) -> list[Module]:
    """Make a server of each place that answers `tools/list` by itself; return the modules that their code is in.

    Where an SDK serves tools of the same names, it is the SDK's list that is passed on.
    """
    found: list[Module] = []
    is_served = bool(run.servers or run.registrations)
    known = {_named(each) for each in run.registrations}
    for unit in _units(run):
        with contained("tools that are listed here may be missing", unit.module.span(unit.sites[0])):
            before = len(run.registrations)
            server = _server(run, unit)
            fresh = run.registrations[before:]
            if server is None or (is_served and all(_named(each) in known for each in fresh)):
                del run.registrations[before:]
                continue
            known |= {_named(each) for each in fresh}
            run.servers.append(server)
            found += [unit.module, *(each.module for each in fresh)]
    return list({each.path: each for each in found}.values())


def _named(made: frameworks.Registration) -> str | None:
    name = (made.definition.keywords if made.definition is not None else made.keywords).get("name")
    if isinstance(name, Const):
        return str(name.value)
    return made.function.name if isinstance(made.function, Function) else None


def asking(run: Evaluator) -> Iterator[Place]:
    """Yield the functions that ask whether a client wants the list of tools, each once."""
    found = (Place(each, module) for module, node in _sites(run) if _is_asked(node) and (each := enclosing(node)))
    yield from {(each.module.path, each.node.start_byte): each for each in found}.values()


def _units(run: Evaluator) -> Iterator[_Unit]:
    """Find the code that answers for the list of tools."""
    found: dict[tuple[str, int], tuple[Module, Node | None, list[Node]]] = {}
    for module, node in _sites(run):
        functions = [each for each in around(node) if each.type == "function_definition"]
        unit = functions[-1] if functions else None
        key = module.path, unit.start_byte if unit is not None else -1
        found.setdefault(key, (module, unit, []))[2].append(node)
    yield from (_Unit(module, unit, tuple(sites)) for module, unit, sites in found.values())


def _sites(run: Evaluator) -> Iterator[tuple[Module, Node]]:
    """Find where code asks whether a client wants the list of tools, or puts what answers then under that name."""
    signed = [each for each in run.modules.holding((LISTING.encode(),)) if not each.is_vendored]
    names = {name for module in signed for name in NAMING.findall(module.source.data)}
    words = re.compile(b"|".join([re.escape(LISTING.encode()), *(rb"\b" + each + rb"\b" for each in sorted(names))]))
    for module in run.modules.holding((LISTING.encode(), *names)) if signed else ():
        places = (hit.span() for hit in words.finditer(module.source.data))
        for node in (
            of_kinds_at(module.root, "python", places, "string", "identifier") if not module.is_vendored else ()
        ):
            is_it = string_value(node) == LISTING if node.type == "string" else (node.text or b"") in names
            if is_it and (_is_asked(node) or _is_named(node)):
                yield module, node


def _is_asked(node: Node) -> bool:
    """Return whether something is compared with a name: `method == ..`, `method in (.., ..)`, `case ..`."""
    above = parent_of(node)
    while above is not None and above.type in WITHIN:
        above = parent_of(above)
    return above is not None and above.type in ("comparison_operator", "case_pattern")


def _is_named(node: Node) -> bool:
    """Return whether something is put under a name: `{..: list_tools}`, `register(.., list_tools)`, `@method(..)`."""
    above = parent_of(node)
    while above is not None and above.type == "attribute":
        node, above = above, parent_of(above)
    if above is None or above.type != "argument_list":
        return above is not None and above.type == "pair" and child(above, "key") == node
    beside = any(each.type in ("identifier", "attribute", "lambda") and each != node for each in children(above))
    call = parent_of(above)
    return beside or (call is not None and call.parent is not None and call.parent.type == "decorator")


def _server(run: Evaluator, unit: _Unit) -> Instance | None:
    """Return a server whose tools were registered, None if nothing tells of any."""
    span = unit.module.span(unit.sites[0])
    server = Instance(External(CONVERSATION, span), [], {}, span)
    node, scope = unit.function or unit.sites[0], Scope(unit.module)
    found = survey.entrance(run, unit.function, unit.module) if unit.function is not None else None
    for method in (BEGINNING, LISTING):  # what is listed may be made when a client begins
        del run.told[:], run.defined[:], run.answering[:]
        with supposing.asked(run, method), run.only_under(()):
            run.start(PATIENCE, span)
            if found is not None:
                survey.call(run, *found)
            elif unit.function is None:
                run.execute(children(unit.module.root), Scope(unit.module))
            inner = [each for each in run.defined if each.node != unit.function and _holds(each.node, unit.sites)]
            for each in (*inner, *run.answering):
                run.call(each, Arguments([], {}, span, node=node, scope=scope))
    before = len(run.registrations), len(run.unlisted)
    for value in list(run.told):
        listings.Listing(run, server, node, unit.module).take(value, ())
    return server if (len(run.registrations), len(run.unlisted)) != before else None


def _holds(function: Node, sites: tuple[Node, ...]) -> bool:
    """Return whether a function, or a decorator of it, holds one of some places."""
    above = function.parent
    whole = above if above is not None and above.type == "decorated_definition" else function
    return any(whole.start_byte <= each.start_byte < whole.end_byte for each in sites)
