"""Tools that a function of the project keeps as it is told: `registry.register("lend", "Lend a book", schema, handler)`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Tool
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.declarations.circumstances import collect_caller_conditions, collect_conditions
from reviewer.languages.rust.declarations.tool_expressions import Maker, move_to
from reviewer.languages.rust.evaluation.folding import ConstantFolder, bound
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import iter_descendants, list_parameters, read_callee_name
from reviewer.records import dataclass
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# Verbs by which functions keep what they are told. With any name, all functions would be looked through for a tool that
# is made of their arguments.
KEEPING = pattern(rb"\bfn\s+((?:register|add|enroll|with)\w*)")


@dataclass(frozen=True, slots=True)
class _Keeper:
    """A function that makes a tool whose name is one of its parameters, and the literal that it makes it by."""

    function: RustItem
    literal: Node
    arity: int


def collect_registered_tools(items: RustItems) -> tuple[list[Tool], list[Opaque]]:
    """Return the tools that calls of such functions add, and the calls whose tool has a name that only a run tells."""
    tools: list[Tool] = []
    unreadable: list[Opaque] = []
    for keeper in _iter_keepers(items):
        for path, call in _iter_calls(items, keeper):
            made = _build_tool(items, keeper, path, call)
            if isinstance(made, Opaque):
                unreadable.append(made)
            elif made is not None and made not in tools:
                tools.append(made)
    return tools, unreadable


def _iter_keepers(items: RustItems) -> Iterator[_Keeper]:
    names = {hit.decode() for path in items.find_matching(KEEPING) for hit in KEEPING.findall(items.sources[path].data)}
    for name in sorted(names):
        functions = items.find_functions(name)
        if len(functions) == 1:  # of two functions of a name, a call may mean either
            yield from _iter_keeper(items, functions[0])


def _iter_keeper(items: RustItems, function: RustItem) -> Iterator[_Keeper]:
    body, span = find_child(function.node, "body"), items.locate_node(function.path, function.node)
    given = list_parameters(function.node)
    names = [decode_node(find_child(part, "pattern") or part) for part in given]
    place = ExpressionPlace(function.path, {name: Text(f"\0{name}", span) for name in names})
    for each in iter_descendants(body) if body is not None and len(given) > 1 else ():
        making = Maker(items).read_literal(each, place) if each.type == "struct_expression" else None
        name = making.parts["name"] if making is not None else None
        if isinstance(name, Text) and name.startswith("\0"):
            yield _Keeper(function, each, len(given))
            return


def _iter_calls(items: RustItems, keeper: _Keeper) -> Iterator[tuple[str, Node]]:
    """Find the calls of a method by its name and the number of its arguments."""
    name = decode_node(find_child(keeper.function.node, "name") or keeper.function.node)
    folder = items.find_package_folder(keeper.function.path)
    for path in items.find_matching(re.compile(rf"\.\s*{re.escape(name)}\s*\(".encode())):
        for call in items.find_nodes(path, "call_expression") if items.find_package_folder(path) == folder else ():
            function = find_child(call, "function")
            method = function is not None and function.type == "field_expression" and read_callee_name(call) == name
            if method and len(list_arguments(call)) == keeper.arity and not is_in_test(call):
                yield path, call


def _build_tool(items: RustItems, keeper: _Keeper, path: str, call: Node) -> Tool | Opaque | None:
    folder, place = ConstantFolder(items), ExpressionPlace(path, {})
    values = bound(keeper.function.node, [folder.fold(argument, place) for argument in list_arguments(call)])
    making = Maker(items).read_literal(keeper.literal, ExpressionPlace(keeper.function.path, values))
    if making is None:
        return None
    conditions = (*collect_caller_conditions(items, call), *collect_conditions(items.sources[path], call))
    return move_to(making, items.locate_node(path, call)).build_tool(items, conditions)
