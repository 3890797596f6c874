"""Structs and their fields → the object schemas that schemars makes of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.facts import Json, ToolParameter
from reviewer.facts.parts import Path
from reviewer.languages.nodes import find_child
from reviewer.languages.rust.project.items import RustItem
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust import defaults as rust_defaults
from reviewer.schema.rust import flat as rust_flat
from reviewer.schema.rust.bounds import apply_validation
from reviewer.schema.rust.fields import WireField, iter_members, list_unnamed
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.marks import DeclarationMarks, has_attribute, read_marks
from reviewer.schema.rust.parts import Type, apply_description
from reviewer.source import Opaque, Span


def build_struct_schema(run: Generator, item: RustItem, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
    """Return the schema of a struct, without its own title and description."""
    body = find_child(item.node, "body")
    if body is None:
        return {"type": "null"}
    if body.type == "ordered_field_declaration_list":
        return build_unnamed_schema(run, list_unnamed(body, read, given))
    found = list(iter_members(body, read, given, read.read_string("rename_all")))
    if read.has("transparent") and len(found) == 1:
        return build_unnamed_schema(run, [(found[0].type, found[0].read)])
    return build_members_schema(run, found, read, item)


def build_unnamed_schema(run: Generator, parts: list[tuple[Type, DeclarationMarks]]) -> Any:
    """Return the schema of what has types and no names."""
    if len(parts) == 1:
        return _build_unnamed_field(run, *parts[0])
    length = len(parts)
    schema: Json = {"type": "array", "maxItems": length}
    found = [_build_unnamed_field(run, type_, read) for type_, read in parts]
    return {**schema, "prefixItems": found, "minItems": length} if found else schema


def _build_unnamed_field(run: Generator, type_: Type, read: DeclarationMarks) -> Any:
    schema = apply_validation(build_field_schema(run, type_, read), read)
    return apply_description(schema, read) if any(read.read_title_and_description()) else schema


def build_members_schema(run: Generator, found: list[WireField], read: DeclarationMarks, item: RustItem | None) -> Json:
    """Return the object schema of named fields."""
    schema: Json = {"type": "object"}
    properties: Json = {}
    required: list[str] = []
    flat: list[WireField] = []
    for each in found:
        if each.is_flat:
            flat.append(each)
            continue
        properties[str(each.name)] = _get_property(run, each, read, item)
        if is_required(run, each, read):
            required.append(str(each.name))
    if properties:
        schema["properties"] = properties
    if required:
        schema["required"] = required
    if read.has("deny_unknown_fields"):
        schema["additionalProperties"] = False
    for each in flat:
        schema = rust_flat.merge_schemas(
            schema,
            rust_flat.flatten_schema(run.build_root(unwrap_optional_type(run, each)), optional=each.is_optional(run)),
        )
    return schema


def unwrap_optional_type(run: Generator, member: WireField) -> Type:
    """Return the type of a field, of an optional one what it may hold."""
    arguments = find_child(member.type.node, "type_arguments") if member.is_optional(run) else None
    if arguments is None or not arguments.named_children:
        return member.type
    return member.type.with_node(arguments.named_children[0])


def is_required(run: Generator, member: WireField, container: DeclarationMarks) -> bool:
    """Return whether an object must have a field."""
    defaults = member.read.has("default", "skip_deserializing") or container.has("default")
    if member.read.written:
        return not member.read.has("skip_serializing_if")
    return not (defaults or (member.is_optional(run) and not member.read.has("required")))


def build_field_schema(run: Generator, type_: Type, read: DeclarationMarks) -> Any:
    """Return the schema of a field's type."""
    instead = run.build_replacement(read, read.node, type_.given)
    if instead is not None:
        return instead
    if read.has("required") and read_segments(type_.node)[-1:] == ("Option",):
        arguments = find_child(type_.node, "type_arguments")
        if arguments is not None and arguments.named_children:
            return run.build_schema(type_.with_node(arguments.named_children[0]))
    return run.build_schema(type_)


def _get_property(run: Generator, member: WireField, container: DeclarationMarks, item: RustItem | None) -> Any:
    schema = apply_validation(build_field_schema(run, member.type, member.read), member.read)
    extra: Json = {}
    if member.read.has("skip_serializing"):
        extra["writeOnly"] = True
    if member.read.has("skip_deserializing"):
        extra["readOnly"] = True
    if has_attribute(member.node, "deprecated"):
        extra["deprecated"] = True
    default = rust_defaults.find_default(run, member, container, item)
    if default is not rust_defaults.ABSENT:
        extra["default"] = default
    if extra:
        schema = {**(schema if isinstance(schema, dict) else {}), **extra}
    return apply_description(schema, member.read) if any(member.read.read_title_and_description()) else schema


def collect_parameters(run: Generator, type_: Type, depth: int = 0) -> tuple[ToolParameter, ...] | Opaque:
    """Return the top-level arguments that a type of arguments declares."""
    found = run.resolve_declaration(type_)
    if isinstance(found, Opaque):
        return Opaque(found.reason, run.locate(type_))
    if found is None:
        schema = run.build_schema(type_)
        return schema[""] if isinstance(schema, dict) and isinstance(schema.get(""), Opaque) else ()
    item, given = found
    read, body = read_marks(run.folder, item.path, item.node), find_child(item.node, "body")
    if body is None or depth > DEPTH or item.node.type == "enum_item":
        return ()
    if body.type == "ordered_field_declaration_list":
        inner = list_unnamed(body, read, given)
        return collect_parameters(run, inner[0][0], depth + 1) if len(inner) == 1 else ()
    return tuple(
        _iter_parameters(run, list(iter_members(body, read, given, read.read_string("rename_all"))), read, depth)
    )


def iter_places(run: Generator) -> Iterator[tuple[Path, Span]]:
    """Yield the places of the fields of every struct among the definitions, under the names of both generations."""
    for name, (item, given) in run.declarations.items():
        read, body = read_marks(run.folder, item.path, item.node), find_child(item.node, "body")
        if body is None or body.type != "field_declaration_list":
            continue
        for each in iter_members(body, read, given, read.read_string("rename_all")):
            span = each.read.items.locate_node(each.read.path, each.node)
            yield from (((holder, name, "properties", str(each.name)), span) for holder in ("$defs", "definitions"))


DEPTH = 8
"""Flattened structs within one another; a circle ends here. The tests of the rules have one."""


def _iter_parameters(
    run: Generator, found: list[WireField], read: DeclarationMarks, depth: int
) -> Iterator[ToolParameter]:
    for each in found:
        if each.is_flat:
            inner = collect_parameters(run, each.type, depth + 1)
            yield from inner if not isinstance(inner, Opaque) else ()
        else:
            span = each.read.items.locate_node(each.read.path, each.node)
            yield ToolParameter(each.name, span, each.read.docs, is_required(run, each, read))
