"""Struct literals of the project's own types, as serde writes them: `Shape { kind: "object", required: vec![] }`."""

from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import find_impl_type, find_taken_field
from reviewer.languages.rust.project.items import RustItem
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust.marks import collect_derived_traits, name_of, read_marks
from reviewer.source import Opaque

EMPTY: dict[str, tuple[Any, ...]] = {
    "Option::is_none": (None,),
    "Vec::is_empty": ([],),
    "HashMap::is_empty": ({},),
    "BTreeMap::is_empty": ({},),
}
"""Which values the usual functions of `skip_serializing_if` leave out."""


@dataclass(frozen=True, slots=True)
class StructLiteral(Opaque):
    """A struct literal that is no JSON: what a run would give, of which the fields may be known."""

    fields: dict[str, Any] = field(default_factory=dict, compare=False)
    owner: str = ""
    path: str = ""


def map_initializers(literal: Node) -> dict[str, Node]:
    """Return the values of a literal's fields by their names."""
    found = {}
    for part in list_field_children(literal, "body"):
        if part.type == "field_initializer":
            name, value = find_child(part, "field"), find_child(part, "value")
            if name is not None and value is not None:
                found[decode_node(name).removeprefix("r#")] = value
        elif part.type == "shorthand_field_initializer" and part.named_children:
            found[decode_node(part)] = part.named_children[-1]
    return found


def type_of(literal: Node, anchor: Node | None = None) -> tuple[str, ...]:
    """Name the type of a literal; `Self` is the type of the impl block around it."""
    type_ = find_child(literal, "name")
    names = read_segments(type_) if type_ is not None else ()
    return (find_impl_type(anchor or literal) or "Self",) if names == ("Self",) else names


def serialize_literal(folder: Folder, literal: Node, place: ExpressionPlace) -> Folded:
    """Read a struct literal as the JSON that serde's derive makes of it."""
    found = folder.items.resolve(type_of(literal, place.anchor), place.path, "struct", near=place.anchor or literal)
    body = find_child(found.node, "body") if isinstance(found, RustItem) else None
    values = map_initializers(literal)
    if not isinstance(found, RustItem) or body is None:
        return folder.build_unknown(literal, place)
    if "Serialize" not in collect_derived_traits(found.node):
        unknown = folder.build_unknown(literal, place)
        return StructLiteral(
            unknown.reason,
            unknown.span,
            {name: folder.fold(each, place) for name, each in values.items()},
            found.name,
            found.path,
        )
    read = read_marks(folder, found.path, found.node, written=True)
    made: dict[str, Any] = {}
    for part in body.named_children:
        if part.type != "field_declaration":
            continue
        own, name = read.read_inner(part), decode_node(find_child(part, "name") or part).removeprefix("r#")
        if name not in values or own.has(*CHANGING) or read.has(*CHANGING):
            return folder.build_unknown(literal, place)
        value = folder.fold(values[name], place)
        skipped = own.read_string("skip_serializing_if")
        if skipped is not None and skipped not in EMPTY and not isinstance(value, dict | list | str):
            return folder.build_unknown(literal, place)
        if not own.is_left_out and not any(value == empty for empty in EMPTY.get(skipped or "", ())):
            made[name_of(part, own, read.read_string("rename_all"))] = value
    return made if made.keys().isdisjoint(OF_TOOLS) else folder.build_unknown(literal, place)


def evaluate_field(folder: Folder, node: Node, place: ExpressionPlace) -> Folded:
    """Read a field of a struct literal by a name that stands for it: `each.name`, `ABOUT.name`, `self.name`."""
    owner, name = find_child(node, "value"), find_child(node, "field")
    if owner is None or name is None or owner.type not in NAMING:
        return folder.build_unknown(node, place)
    return get_field(folder, folder.fold(owner, place), decode_node(name), node, place)


def get_field(folder: Folder, held: Folded, name: str, node: Node, place: ExpressionPlace) -> Folded:
    """Return the value of a field of a struct literal."""
    known = held.fields.get(name) if isinstance(held, StructLiteral) else None
    return known if known is not None else folder.build_unknown(node, place)


def evaluate_taken_field(folder: Folder, name: str, near: Node, place: ExpressionPlace) -> Folded:
    """Read a name that `let Lamp { name, .. } = value` gives a field of a struct literal."""
    taken = find_taken_field(name, near, place.anchor)
    if taken is None:
        return folder.build_unknown(near, place)
    value, part = taken
    return get_field(folder, folder.fold(value, place), part, near, place)


def resolve_method(folder: Folder, held: StructLiteral, name: str) -> RustItem | None:
    """Return the method of a struct literal's type that has a name."""
    found = folder.items.resolve((held.owner, name), held.path, "fn") if held.owner else None
    return found if isinstance(found, RustItem) and find_child(found.node, "body") is not None else None


NAMING = frozenset({"identifier", "scoped_identifier", "self", "field_expression", "parenthesized_expression"})
"""Expressions that name a value; a call may make another one each time."""

OF_TOOLS = frozenset({"inputSchema", "input_schema"})
"""What tells a whole tool, which is read where it is listed."""

CHANGING = ("flatten", "with", "serialize_with", "into", "transparent", "tag", "untagged", "remote")
"""What serde is told that makes something else of a field than its value under its name."""
