"""Tools that a function of the project keeps as it is told: `registry.register("lend", "Lend a book", schema, handler)`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.declarations.circumstances import conditions_of, conditions_of_callers
from reviewer.languages.rust.declarations.tool_expressions import Maker, at
from reviewer.languages.rust.evaluation.folding import ConstantFolder, ExpressionPlace, bound
from reviewer.languages.rust.project.def_use import arguments_of
from reviewer.languages.rust.project.items import RustItem, RustItems, in_test
from reviewer.languages.rust.project.name_resolution import below, called, parameters_of
from reviewer.records import dataclass
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

KEEPING = pattern(rb"\bfn\s+((?:register|add|enroll|with)\w*)")


@dataclass(frozen=True, slots=True)
class _Keeper:
    """A function that makes a tool whose name is one of its parameters, and the literal that it makes it by."""

    function: RustItem
    literal: Node
    arity: int


def registered_by_calls(items: RustItems) -> tuple[list[Tool], list[Opaque]]:
    """Return the tools that calls of such functions add, and the calls whose tool has a name that only a run tells."""
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for keeper in _iter_keepers(items):
        for path, call in _iter_calls(items, keeper):
            made = _make(items, keeper, path, call)
            if isinstance(made, Opaque):
                unreadable.append(made)
            elif made is not None and made not in tools:
                tools.append(made)
    return tools, unreadable


def _iter_keepers(items: RustItems) -> Iterator[_Keeper]:
    names = {hit.decode() for path in items.mentioning(KEEPING) for hit in KEEPING.findall(items.sources[path].data)}
    for name in sorted(names):
        functions = items.functions(name)
        if len(functions) == 1:  # of two functions of a name, a call may mean either
            yield from _iter_keeper(items, functions[0])


def _iter_keeper(items: RustItems, function: RustItem) -> Iterator[_Keeper]:
    body, span = child(function.node, "body"), items.span(function.path, function.node)
    given = parameters_of(function.node)
    names = [string_of(child(part, "pattern") or part) for part in given]
    place = ExpressionPlace(function.path, {name: Text(f"\0{name}", span) for name in names})
    for each in below(body) if body is not None and len(given) > 1 else ():
        making = Maker(items).made_by_literal(each, place) if each.type == "struct_expression" else None
        name = making.parts["name"] if making is not None else None
        if isinstance(name, Text) and name.startswith("\0"):
            yield _Keeper(function, each, len(given))
            return


def _iter_calls(items: RustItems, keeper: _Keeper) -> Iterator[tuple[str, Node]]:
    """Find the calls of a method by its name and the number of its arguments."""
    name = string_of(child(keeper.function.node, "name") or keeper.function.node)
    folder = items.package_folder(keeper.function.path)
    for path in items.mentioning(re.compile(rf"\.\s*{re.escape(name)}\s*\(".encode())):
        for call in items.of_kinds(path, "call_expression") if items.package_folder(path) == folder else ():
            function = child(call, "function")
            method = function is not None and function.type == "field_expression" and called(call) == name
            if method and len(arguments_of(call)) == keeper.arity and not in_test(call):
                yield path, call


def _make(items: RustItems, keeper: _Keeper, path: str, call: Node) -> Tool | Opaque | None:
    folder, place = ConstantFolder(items), ExpressionPlace(path, {})
    values = bound(keeper.function.node, [folder.fold(argument, place) for argument in arguments_of(call)])
    making = Maker(items).made_by_literal(keeper.literal, ExpressionPlace(keeper.function.path, values))
    if making is None:
        return None
    conditions = (*conditions_of_callers(items, call), *conditions_of(items.sources[path], call))
    return at(making, items.span(path, call)).tool(items, conditions)
