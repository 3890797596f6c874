"""Enums → the schemas that schemars makes of serde's four representations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tree_sitter import Node

from reviewer.facts import Json
from reviewer.languages.nodes import child
from reviewer.languages.rust.items import Item
from reviewer.schema import rust_objects
from reviewer.schema.rust_marks import Marks, marks, name_of
from reviewer.schema.rust_parts import Type, described
from reviewer.source import Text

if TYPE_CHECKING:
    from reviewer.schema.rust_generator import Generator

SKIPPED = ("skip", "skip_deserializing")


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant as it is on the wire."""

    name: Text
    body: Node | None
    read: Marks


def _variants(item: Item, read: Marks) -> list[Variant]:
    body, case, found = child(item.node, "body"), read.string("rename_all"), []
    for part in body.named_children if body is not None else ():
        own = marks(read.items, read.path, part)
        if part.type == "enum_variant" and not own.has(*SKIPPED):
            found.append(Variant(name_of(part, own, case, variant=True), child(part, "body"), own))
    return found


def of_enum(run: "Generator", item: Item, read: Marks, given: Mapping[str, Type]) -> Any:
    """Give the schema of an enum, without its own title and description."""
    variants = _variants(item, read)
    tag, content = read.string("tag"), read.string("content")
    if read.has("untagged"):
        return {"anyOf": [described(_content(run, each, read, given), each.read) for each in variants]}
    if tag is not None and content is not None:
        return {"oneOf": [described(_adjacent(run, each, read, given, tag, content), each.read) for each in variants]}
    if tag is not None:
        return {"oneOf": [described(_internal(run, each, read, given, tag), each.read) for each in variants]}
    return _external(run, variants, read, given)


def _external(run: "Generator", variants: list[Variant], read: Marks, given: Mapping[str, Type]) -> Json:
    plain = [each for each in variants if each.body is None and not any(each.read.title_and_description())]
    names = {"type": "string", "enum": [str(each.name) for each in plain]}
    if len(plain) == len(variants):
        return names
    rest = [described(_wrapped(run, each, read, given), each.read) for each in variants if each not in plain]
    return {"oneOf": [*([names] if plain else []), *rest]}


def _wrapped(run: "Generator", variant: Variant, read: Marks, given: Mapping[str, Type]) -> Json:
    if variant.body is None:
        return {"type": "string", "const": str(variant.name)}
    return {
        "type": "object",
        "properties": {str(variant.name): _content(run, variant, read, given)},
        "required": [str(variant.name)],
        "additionalProperties": False,
    }


def _content(run: "Generator", variant: Variant, read: Marks, given: Mapping[str, Type]) -> Any:
    """Give the schema of what a variant holds."""
    if variant.body is None:
        return {"type": "null"}
    if variant.body.type == "ordered_field_declaration_list":
        return rust_objects.of_unnamed(run, rust_objects.unnamed(variant.body, read, given))
    case = variant.read.string("rename_all") or read.string("rename_all_fields")
    found = list(rust_objects.members(variant.body, read, given, case))
    schema = rust_objects.of_members(run, found, variant.read, None)
    return {**schema, "additionalProperties": False} if read.has("deny_unknown_fields") else schema


def _adjacent(
    run: "Generator", variant: Variant, read: Marks, given: Mapping[str, Type], tag: str, content: str
) -> Json:
    properties: Json = {tag: {"type": "string", "const": str(variant.name)}}
    required = [tag]
    if variant.body is not None:
        properties[content] = _content(run, variant, read, given)
        required.append(content)
    schema = {"type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False} if read.has("deny_unknown_fields") else schema


def _internal(run: "Generator", variant: Variant, read: Marks, given: Mapping[str, Type], tag: str) -> Json:
    inner = _content(run, variant, read, given) if variant.body is not None else {}
    inner = inner if isinstance(inner, dict) else {}
    mark = {tag: {"type": "string", "const": str(variant.name)}}
    schema = {
        **inner,
        "type": "object",
        "properties": {**mark, **inner.get("properties", {})},
        "required": [tag, *inner.get("required", [])],
    }
    return {**schema, "additionalProperties": False} if read.has("deny_unknown_fields") else schema
