"""Tables of actions: `ActionSpec { .. }` and other literals with a name that say what is destructive, wherever they stand."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Action, Catalog, RowType, ToolParameter
from reviewer.languages.catalogs import infer_domain
from reviewer.languages.nodes import (
    decode_node,
    find_child,
    find_nearest_of_kinds,
    find_parent,
    iter_matches,
    list_field_children,
    locate_node,
    locate_text,
    parse_range,
)
from reviewer.languages.rust.behaviour import row_functions
from reviewer.languages.rust.behaviour.row_functions import find_base_expression, map_literal_fields
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import find_result
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import resolve_constant
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.languages.rust.syntax.prefilter import compile_marks, find_files_with
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

# The checklist's rows are `ActionSpec { .. }`; rows of other types have `destructive` in common, without which there is
# nothing to compare with what the code does.
ROWS = pattern(rb"ActionSpec|\bdestructive\s*:")
HOLDING = compile_marks(rb"ActionSpec\s*\{", rb"\bdestructive\s*:\s*(?:true|false)", rb"ActionSpec\s*[\];>]")
# Each of these items holds a catalog of its own. Rows in a `macro_definition` are patterns with places for values, no
# actions.
HOLDERS = frozenset({"const_item", "static_item", "function_item", "macro_definition"})
# Rows without any of these fields have parameters that are unknown, not none.
LISTS = ("params", "parameters", "required_params", "optional_params", "args")
# Types of a parameter, as a row writes them, that let a client send JSON of any shape.
FREE = frozenset({"json", "object", "value", "map"})
# A constant may name another constant, and by mistake itself.
DEEPEST = 4


class _Row(NamedTuple):
    """A struct literal or the use of a macro for one, its fields, and the item of the file that it stands in."""

    node: Node
    given: dict[str, Node]
    holder: Node


def iter_catalogs(items: RustItems) -> Iterator[Catalog]:
    """Yield one catalog for each constant, static or function that holds rows."""
    for path in find_files_with(items, HOLDING):
        held: dict[int, list[_Row]] = {}
        for row in (*_iter_rows(items, path), *_iter_made(items, path)):
            held.setdefault(row.holder.start_byte, []).append(row)
        for rows in held.values():
            holder, read = rows[0].holder, [_find_action(items, row, path) for row in rows]
            actions = tuple(sorted((action for action in read if action is not None), key=lambda each: each.span))
            whole = len(actions) == len(read) and not _has_other_rows(items, holder, path)
            if actions:
                place, types = locate_node(items.sources[path], holder), _collect_types(items, rows, path)
                yield Catalog(infer_domain(path), place, actions, not whole, types)


def _collect_types(items: RustItems, rows: list[_Row], path: str) -> tuple[RowType, ...]:
    """Find the structs that the rows are written as."""
    names = (find_child(row.node, "name") for row in rows if row.node.type == "struct_expression")
    written = dict.fromkeys(read_segments(name) for name in names if name is not None)
    found = (items.resolve(each, path, "struct") for each in written)
    return tuple(_type(each) for each in found if isinstance(each, RustItem))


def _type(item: RustItem) -> RowType:
    name = find_child(item.node, "name") or item.node
    fields = (find_child(part, "name") for part in list_field_children(item.node, "body"))
    return RowType(locate_text(item.source, name), frozenset(decode_node(each) for each in fields if each is not None))


def _has_other_rows(items: RustItems, holder: Node, path: str) -> bool:
    """Return whether the list in a constant has elements that are no row and no constant that holds one."""
    return any(not _is_row(items, each, path) for each in _list_elements(items, holder, path))


def _list_elements(items: RustItems, holder: Node, path: str) -> list[Node]:
    """Return the elements of the list that a constant holds or a function gives."""
    value = find_child(holder, "value")
    if holder.type == "function_item":
        body = find_child(holder, "body")
        value = find_result(body) if body is not None else None
    while value is not None and value.type in ("reference_expression", "parenthesized_expression"):
        value = value.named_children[-1] if value.named_children else None
    return (_find_elements(items, value, path) or [value]) if value is not None else []


def _is_row(items: RustItems, element: Node, path: str) -> bool:
    if element.type in ("struct_expression", "macro_invocation"):
        return True
    held = resolve_constant(items, element, path)
    if held is not None:
        return held[0].type == "struct_expression" or row_functions.resolve_fields(items, *held) is not None
    return element.type == "call_expression" and row_functions.resolve_fields(items, element, path) is not None


def _iter_made(items: RustItems, path: str) -> Iterator[_Row]:
    """Yield the rows that calls make in the constants and functions that are typed as lists of rows."""
    for (kind, _), found in items.list_declarations(path).items():
        for item in found if kind in ("const", "fn") else ():
            said = find_child(item.node, "type") or find_child(item.node, "return_type")
            if said is None or HOLDING[-1].search((said.text or b"") + b";") is None:
                continue
            for element in _list_elements(items, item.node, path):
                given = (
                    row_functions.resolve_fields(items, element, path) if element.type == "call_expression" else None
                )
                if given is not None and (
                    item.node.type != "function_item" or element.parent != find_child(item.node, "body")
                ):
                    yield _Row(element, given, item.node)


def _iter_rows(items: RustItems, path: str) -> Iterator[_Row]:
    read: set[int] = set()
    for found in items.iter_matches_near(path, "catalogs", ROWS):
        place = _get_outermost(found["tokens"]) if "tokens" in found else found["row"]
        holder = find_nearest_of_kinds(place, *HOLDERS) or place
        if place.start_byte in read or is_in_test(place) or holder.type == "macro_definition":
            continue
        read.add(place.start_byte)
        inner = (
            iter_matches(parse_range(items.sources[path], "rust", place, place), "rust", "catalogs")
            if "tokens" in found
            else [found]
        )
        for each in {each["row"].start_byte: each for each in inner if "row" in each}.values():
            given = map_literal_fields(each["row"])
            if "name" in given or decode_node(find_child(each["row"], "name") or each["row"]).endswith("ActionSpec"):
                yield _Row(each["row"], {**_collect_base(items, each["row"], path), **given}, holder)


def _get_outermost(tree: Node) -> Node:
    """Return the argument list of the macro that a token tree belongs to."""
    above = tree.parent
    while above is not None and above.type == "token_tree":
        tree, above = above, find_parent(above)
    return tree


def _collect_base(items: RustItems, literal: Node, path: str) -> dict[str, Node]:
    """Return the flags that a row takes from a constant row."""
    rest = find_base_expression(literal)
    held = resolve_constant(items, rest, path) if rest is not None else None
    given = map_literal_fields(held[0]) if held is not None and held[0].type == "struct_expression" else {}
    return {name: value for name, value in given.items() if value.type == "boolean_literal"}


def _find_action(items: RustItems, row: _Row, path: str) -> Action | None:
    name = read_text(items, row.given.get("name"), path)
    if not isinstance(name, Text) or not name:  # a row without a name is what others take their rest from
        return None
    span = locate_node(items.sources[path], row.node)
    lists = [row.given[each] for each in LISTS if each in row.given]
    unread = Opaque("the catalog's rows do not list their parameters", span)
    return Action(
        name=name,
        span=span,
        description=read_text(items, row.given.get("description"), path),
        destructive=_find_for_row(items, row, "destructive", path),
        parameters=_join([read_parameters(items, each, path) for each in lists]) if lists else unread,
        returns=read_text(items, row.given.get("returns"), path),
        idempotent=_find_for_row(items, row, "idempotent", path),
    )


def _find_for_row(items: RustItems, row: _Row, name: str, path: str) -> bool | Opaque | None:
    """Read a flag of a row; what it takes from anything but a constant or a default may say it unseen."""
    if name in row.given:
        return _find_flag(items, row.given[name], path)
    rest = find_base_expression(row.node) if row.node.type == "struct_expression" else None
    if rest is None or decode_node(rest).endswith("default()") or resolve_constant(items, rest, path) is not None:
        return None
    return Opaque("the row takes it from another one", locate_node(items.sources[path], rest))


def read_text(items: RustItems, value: Node | None, path: str) -> Text | Opaque | None:
    """Read a text, a constant or `Some(text)`; `None` is none."""
    if value is None or decode_node(value) == "None":
        return None
    if value.type == "call_expression" and decode_node(find_child(value, "function") or value) == "Some":
        inner = find_child(value, "arguments")
        return read_text(items, inner.named_children[0], path) if inner is not None and inner.named_children else None
    written = evaluate_string(value)
    return (
        Text(written, locate_node(items.sources[path], value))
        if written is not None
        else ConstantFolder(items).fold_text(value, path)
    )


def _find_flag(items: RustItems, value: Node | None, path: str) -> bool | Opaque | None:
    """Read a flag, a constant or `Some(flag)`; `None` is none."""
    read = ConstantFolder(items).fold(value, ExpressionPlace(path, {}))
    if read is None or isinstance(read, bool):
        return read
    return (
        Opaque("the flag is known at run time only", locate_node(items.sources[path], value))
        if value is not None
        else None
    )


def _join(lists: list[tuple[ToolParameter, ...] | Opaque]) -> tuple[ToolParameter, ...] | Opaque:
    unread = next((each for each in lists if isinstance(each, Opaque)), None)
    return unread or tuple(parameter for each in lists if isinstance(each, tuple) for parameter in each)


def read_parameters(items: RustItems, value: Node, path: str, depth: int = 0) -> tuple[ToolParameter, ...] | Opaque:
    """Read a list of `ParamSpec { .. }` or of names, inline or by the constants that hold it."""
    while value.type in ("reference_expression", "parenthesized_expression") and value.named_children:
        value = value.named_children[-1]
    source = items.sources[path]
    parts = _find_elements(items, value, path)
    if parts is not None:
        return _join([_collect_parameter(items, part, path, depth) for part in parts])
    held = resolve_constant(items, value, path) if depth < DEEPEST else None
    if held is not None:
        return read_parameters(items, held[0], held[1], depth + 1)
    return Opaque("the parameters are known at run time only", locate_node(source, value))


def _find_elements(items: RustItems, value: Node, path: str) -> list[Node] | None:
    """Return the elements of an array or of `vec![..]`, or None if the value is neither."""
    if value.type == "array_expression":
        found = value.named_children
    elif value.type == "macro_invocation" and decode_node(find_child(value, "macro") or value) == "vec":
        found = tokens.parse_elements(items.sources[path], value.named_children[-1])
    else:
        return None
    return [part for part in found if not part.type.endswith(("_comment", "attribute_item"))]


def _collect_parameter(items: RustItems, value: Node, path: str, depth: int) -> tuple[ToolParameter, ...] | Opaque:
    """Read one element of a list."""
    span = locate_node(items.sources[path], value)
    unread = Opaque("the parameter is known at run time only", span)
    if value.type == "struct_expression":
        given = map_literal_fields(value)
        name = read_text(items, given.get("name"), path)
        required = _find_flag(items, given.get("required"), path)
        if not isinstance(name, Text):
            return unread
        needed = find_base_expression(value) is None if required is None else required
        kind = read_text(items, given.get("ty") or given.get("kind"), path)
        free = isinstance(kind, Text) and kind.lower() in FREE
        return (ToolParameter(name, span, read_text(items, given.get("description"), path), needed, free),)
    if value.type == "call_expression":
        listed = find_child(value, "arguments")
        first = (
            read_text(items, listed.named_children[0], path) if listed is not None and listed.named_children else None
        )
        return (ToolParameter(first, span),) if isinstance(first, Text) else unread
    held = resolve_constant(items, value, path) if depth < DEEPEST else None
    if held is not None and held[0].type in ("struct_expression", "call_expression"):
        return _collect_parameter(items, held[0], held[1], depth + 1)
    name = read_text(items, value, path)
    return (ToolParameter(name, span),) if isinstance(name, Text) else unread
