"""Rows that methods of a registry put into its list one by one: `Registry::new().with("lend", "Lend a book", lend)`.

What the list holds is what every call of these methods puts there, with the call's arguments and types in the places of the
method's own.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds
from reviewer.languages.rust.declarations.circumstances import collect_caller_conditions, collect_conditions
from reviewer.languages.rust.evaluation import generics
from reviewer.languages.rust.evaluation.folding import ConstantFolder, bound
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import find_result, list_arguments, resolve_local
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import list_parameters, read_callee_name
from reviewer.languages.rust.project.uses import read_segments
from reviewer.records import dataclass
from reviewer.source import Span

DEPTH = 5
"""How many functions and names are looked through for the field that a list stands in."""

ROWS = 300
"""How many rows are read one by one."""

# Methods that give a list as it is, a look at it, or what a map holds.
LOOKING = frozenset(
    "iter into_iter iter_mut values into_values clone as_slice as_ref read lock unwrap borrow await".split()
)


@dataclass(frozen=True, slots=True)
class KeptRow:
    """What a list holds, where it is put there, and under which conditions."""

    value: Folded
    span: Span
    conditions: tuple[Condition, ...]


def find_kept_rows(items: RustItems, values: Node, place: ExpressionPlace) -> list[KeptRow] | None:
    """Return the rows that methods put into the field that an expression reads; None if it is no field, or gets no rows."""
    field = _find_field(items, values, place, DEPTH)
    if field is None:
        return None
    rows: list[KeptRow] = []
    for path, push in _iter_pushes(items, field, place.path):
        rows += _collect_pushed(items, path, push)
        if len(rows) > ROWS:
            return None
    return rows or None


def _find_field(items: RustItems, values: Node, place: ExpressionPlace, deep: int) -> str | None:
    """Name the field that an expression looks at: `self.rows.iter()`, `registry().rows`, `registry.all()`."""
    if deep == 0:
        return None
    if values.type in ("await_expression", "try_expression", "reference_expression", "parenthesized_expression"):
        return _find_field(items, values.named_children[-1], place, deep) if values.named_children else None
    if values.type == "field_expression":
        name = find_child(values, "field")
        return decode_node(name) if name is not None and name.type == "field_identifier" else None
    if values.type == "identifier":
        given = resolve_local(values)
        return _find_field(items, given, place, deep - 1) if given is not None else None
    function = find_child(values, "function") if values.type == "call_expression" else None
    if function is None or function.type != "field_expression":
        return None
    method, owner = decode_node(find_child(function, "field") or function), find_child(function, "value")
    if method in LOOKING and owner is not None and (found := _find_field(items, owner, place, deep)) is not None:
        return found
    own = [each for each in items.find_functions(method) if not is_in_test(each.node)]
    result = find_result(find_child(own[0].node, "body") or own[0].node) if len(own) == 1 else None
    return _find_field(items, result, ExpressionPlace(own[0].path, {}), deep - 1) if result is not None else None


def _iter_pushes(items: RustItems, field: str, near: str) -> Iterator[tuple[str, Node]]:
    """Find the calls that put something into a field of that name, in the same package."""
    written = re.compile(rb"\.\s*" + re.escape(field.encode()) + rb"\s*\.\s*(?:push|push_back|insert)\s*\(")
    folder = items.find_package_folder(near)
    for path in items.find_matching(written):
        for call in items.find_nodes(path, "call_expression") if items.find_package_folder(path) == folder else ():
            function = find_child(call, "function")
            owner = find_child(function, "value") if function is not None else None
            into = find_child(owner, "field") if owner is not None and owner.type == "field_expression" else None
            if into is None or decode_node(into) != field or read_callee_name(call) not in PUTTING or is_in_test(call):
                continue
            yield path, call


# What puts something into a list, or into a map under a key: the last argument is what is kept.
PUTTING = frozenset({"push", "push_back", "insert"})


def _collect_pushed(items: RustItems, path: str, push: Node) -> list[KeptRow]:
    """Return the rows of one such call: one for each call of the function around it, if that is where the row comes from."""
    given = list_arguments(push)
    function = find_nearest_of_kinds(push, "function_item")
    if not given or function is None:
        return []
    folder, keeper = ConstantFolder(items), RustItem(path, function, items.sources[path])
    if not list_parameters(function):
        return [_keep(items, path, push, folder.fold(given[-1], ExpressionPlace(path, {})))]
    rows: list[KeptRow] = []
    for other, call in _iter_calls(items, keeper):
        place = ExpressionPlace(other, {})
        names = bound(function, [folder.fold(argument, place) for argument in list_arguments(call)])
        names |= generics.bind_type_parameters(items, call, keeper, place)
        rows.append(_keep(items, other, call, folder.fold(given[-1], ExpressionPlace(path, names))))
    return rows


def _keep(items: RustItems, path: str, call: Node, value: Folded) -> KeptRow:
    conditions = (*collect_caller_conditions(items, call), *collect_conditions(items.sources[path], call))
    return KeptRow(value, items.locate_node(path, call), conditions)


def _iter_calls(items: RustItems, keeper: RustItem) -> Iterator[tuple[str, Node]]:
    """Find the calls of a method by its name, in the same package, and the number of its arguments."""
    name = decode_node(find_child(keeper.node, "name") or keeper.node)
    if len([each for each in items.find_functions(name) if not is_in_test(each.node)]) != 1:
        return  # of two functions of a name, a call may mean either
    folder, arity = items.find_package_folder(keeper.path), len(list_parameters(keeper.node))
    for path in items.find_matching(re.compile(rf"[.:]\s*{re.escape(name)}\s*(?:::\s*<|\()".encode())):
        if items.find_package_folder(path) != folder:
            continue
        calls = [
            call
            for call in items.find_nodes(path, "call_expression")
            if _calls(call, name) and len(list_arguments(call)) == arity and not is_in_test(call)
        ]
        # Of calls in a chain the last one is the outermost: they are put in the order in which they are made.
        yield from ((path, call) for call in sorted(calls, key=lambda each: each.end_byte))


def _calls(call: Node, name: str) -> bool:
    """Return whether a call is of a method of a name, with its types or without: `.with(..)`, `.with::<Lend>(..)`."""
    function = find_child(call, "function")
    inner = (
        find_child(function, "function") if function is not None and function.type == "generic_function" else function
    )
    if inner is None or inner.type != "field_expression":
        return False
    return read_segments(find_child(inner, "field") or inner)[-1] == name
