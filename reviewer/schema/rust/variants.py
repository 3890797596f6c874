"""Enums → the schemas that schemars makes of serde's four representations."""

from collections.abc import Mapping
from typing import Any

from tree_sitter import Node

from reviewer.facts import Json
from reviewer.languages.nodes import find_child, list_field_children
from reviewer.languages.rust.project.items import RustItem
from reviewer.records import dataclass
from reviewer.schema.rust import objects
from reviewer.schema.rust.bounds import apply_extensions
from reviewer.schema.rust.fields import iter_members, list_unnamed
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.marks import DeclarationMarks, name_of
from reviewer.schema.rust.parts import Type, apply_description
from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class WireVariant:
    """One variant as it is on the wire."""

    name: Text
    body: Node | None
    read: DeclarationMarks


def _collect_variants(item: RustItem, read: DeclarationMarks) -> list[WireVariant]:
    case, found = read.read_string("rename_all"), []
    for part in list_field_children(item.node, "body"):
        own = read.read_inner(part)
        if part.type == "enum_variant" and not own.is_left_out:
            found.append(WireVariant(name_of(part, own, case, variant=True), find_child(part, "body"), own))
    return found


def build_enum_schema(run: Generator, item: RustItem, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
    """Return the schema of an enum, without its own title and description."""
    variants = _collect_variants(item, read)
    if not variants:
        return False
    loose = read.has("untagged")
    first: list[Json] = []
    if not loose and not read.has("tag"):
        plain = [each for each in variants if _is_plain(each)]
        names = {"type": "string", "enum": [str(each.name) for each in plain]}
        if len(plain) == len(variants):
            return names
        first, variants = [names] if plain else [], [each for each in variants if each not in plain]
    choices = [
        apply_extensions(apply_description(_get_for_variant(run, each, read, given), each.read), each.read)
        for each in variants
    ]
    keyword = "anyOf" if loose or any(each.read.has("untagged") for each in variants) else "oneOf"
    return {keyword: [*first, *choices]}


def _is_plain(variant: WireVariant) -> bool:
    """Return whether a variant is one of a list of texts: without a value and without documentation."""
    return variant.body is None and not variant.read.has_metadata and not variant.read.has("untagged", "with")


def _get_for_variant(run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
    """Return the schema of a variant in its enum's representation."""
    tag, content = read.read_string("tag"), read.read_string("content")
    if read.has("untagged") or variant.read.has("untagged"):
        return _get_content(run, variant, read, given)
    if tag is not None and content is not None:
        return _get_adjacent(run, variant, read, given, tag, content)
    if tag is not None:
        return _get_internal(run, variant, read, given, tag)
    return _get_external(run, variant, read, given)


def _get_external(run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type]) -> Json:
    if variant.body is None and not variant.read.has("with", "schema_with"):
        return {"type": "string", "const": str(variant.name)}
    return {
        "type": "object",
        "properties": {str(variant.name): _get_content(run, variant, read, given)},
        "required": [str(variant.name)],
        "additionalProperties": False,
    }


def _get_content(run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
    """Return the schema of what a variant holds."""
    instead = run.build_replacement(variant.read, variant.read.node, given)
    if instead is not None:
        return instead
    if variant.body is None:
        return {"type": "null"}
    if variant.body.type == "ordered_field_declaration_list":
        return objects.build_unnamed_schema(run, list_unnamed(variant.body, read, given))
    case = variant.read.read_string("rename_all") or read.read_string("rename_all_fields")
    found = list(iter_members(variant.body, read, given, case))
    schema = objects.build_members_schema(run, found, variant.read, None)
    return {**schema, "additionalProperties": False} if read.has("deny_unknown_fields") else schema


def _get_adjacent(
    run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type], tag: str, content: str
) -> Json:
    properties: Json = {tag: {"type": "string", "const": str(variant.name)}}
    required = [tag]
    if variant.body is not None or variant.read.has("with", "schema_with"):
        properties[content] = _get_content(run, variant, read, given)
        required.append(content)
    schema = {"type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False} if read.has("deny_unknown_fields") else schema


def _get_internal(
    run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type], tag: str
) -> Json:
    inner = _get_held_beside_tag(run, variant, read, given)
    inner = inner if isinstance(inner, dict) else {}
    mark = {tag: {"type": "string", "const": str(variant.name)}}
    schema = {
        **inner,
        "type": "object",
        "properties": {**mark, **{key: value for key, value in inner.get("properties", {}).items() if key != tag}},
        "required": [tag, *inner.get("required", [])],
    }
    if read.has("deny_unknown_fields") and inner.get("type") == "null":
        schema.setdefault("additionalProperties", False)
    return schema


def _get_held_beside_tag(
    run: Generator, variant: WireVariant, read: DeclarationMarks, given: Mapping[str, Type]
) -> Any:
    """Return the schema of what a variant holds; that of a type that forbids the tag stands there in full."""
    body = variant.body
    if body is not None and body.type == "ordered_field_declaration_list" and not variant.read.has("with"):
        held = list_unnamed(body, read, given)
        whole = run.build_root(held[0][0]) if len(held) == 1 and (run.before or run.forbids(held[0][0])) else None
        if whole is not None:
            return whole
    return _get_content(run, variant, read, given)
