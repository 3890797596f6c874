"""The fields of structs and of enums' variants, as they are on the wire."""

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from reviewer.languages.nodes import find_child
from reviewer.languages.rust.project.items import RustItem
from reviewer.records import dataclass
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.marks import DeclarationMarks, name_of
from reviewer.schema.rust.parts import Type
from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class WireField:
    """One named field as it is on the wire."""

    name: Text
    node: Node
    type: Type
    read: DeclarationMarks

    @property
    def is_flat(self) -> bool:
        """Return whether the field's own fields stand in its place."""
        return self.read.has("flatten")

    def is_optional(self, run: Generator) -> bool:
        """Return whether the type alone lets the field be left out."""
        return run.is_option(run.find_named_type(self.read, "with", self.type.given) or self.type)


def iter_members(
    body: Node, read: DeclarationMarks, given: Mapping[str, Type], case: str | None
) -> Iterator[WireField]:
    """Yield the named fields of a struct or variant, without those that are skipped."""
    for part in body.named_children:
        type_ = find_child(part, "type") if part.type == "field_declaration" else None
        own = read.read_inner(part)
        if type_ is not None and not own.is_left_out:
            yield WireField(name_of(part, own, case), part, Type(type_, read.path, given), own)


def list_unnamed(
    body: Node | None, read: DeclarationMarks, given: Mapping[str, Type]
) -> list[tuple[Type, DeclarationMarks]]:
    """Return the types of a tuple struct or variant, without those that are skipped."""
    parts = [part for part in (body.named_children if body is not None else []) if part.type not in BESIDES]
    found = [(Type(part, read.path, given), read.read_inner(part)) for part in parts]
    return [(type_, own) for type_, own in found if not own.is_left_out]


# What may stand in the list of fields and is no field.
BESIDES = frozenset({"attribute_item", "visibility_modifier", "line_comment", "block_comment"})


def find_only_field(
    item: RustItem, read: DeclarationMarks, given: Mapping[str, Type]
) -> tuple[Type, DeclarationMarks] | None:
    """Return the only field of a struct, None if it has another number of them."""
    body = find_child(item.node, "body")
    if body is None or body.type == "ordered_field_declaration_list":
        found = list_unnamed(body, read, given)
    else:
        found = [(each.type, each.read) for each in iter_members(body, read, given, None)]
    return found[0] if len(found) == 1 else None
