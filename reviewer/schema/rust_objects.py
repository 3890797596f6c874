"""Structs and their fields → the object schemas that schemars makes of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tree_sitter import Node

from reviewer.facts import Json, Parameter
from reviewer.languages.nodes import child
from reviewer.languages.rust.items import Item
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust_defaults
from reviewer.schema.rust_marks import Marks, has_attribute, marks, name_of
from reviewer.schema.rust_parts import Type, described
from reviewer.source import Opaque, Text

if TYPE_CHECKING:
    from reviewer.schema.rust_generator import Generator

SKIPPED = ("skip", "skip_deserializing")


@dataclass(frozen=True, slots=True)
class Member:
    """One named field as it is on the wire."""

    name: Text
    node: Node
    type: Type
    read: Marks

    @property
    def is_flat(self) -> bool:
        """Tell whether the field's own fields stand in its place."""
        return self.read.has("flatten")

    @property
    def is_optional(self) -> bool:
        """Tell whether the type alone lets the field be left out."""
        return segments(self.type.node)[-1:] == ("Option",)


def members(body: Node, read: Marks, given: Mapping[str, Type], case: str | None) -> Iterator[Member]:
    """Give the named fields of a struct or variant, without those that are skipped."""
    for part in body.named_children:
        type_ = child(part, "type") if part.type == "field_declaration" else None
        own = marks(read.items, read.path, part)
        if type_ is not None and not own.has(*SKIPPED):
            yield Member(name_of(part, own, case), part, Type(type_, read.path, given), own)


def unnamed(body: Node | None, read: Marks, given: Mapping[str, Type]) -> list[tuple[Type, Marks]]:
    """Give the types of a tuple struct or variant, without those that are skipped."""
    parts = [part for part in (body.named_children if body is not None else []) if part.type not in BESIDES]
    found = [(Type(part, read.path, given), marks(read.items, read.path, part)) for part in parts]
    return [(type_, own) for type_, own in found if not own.has(*SKIPPED)]


BESIDES = frozenset({"attribute_item", "visibility_modifier", "line_comment", "block_comment"})


def of_struct(run: "Generator", item: Item, read: Marks, given: Mapping[str, Type]) -> Any:
    """Give the schema of a struct, without its own title and description."""
    body = child(item.node, "body")
    if body is None:
        return {"type": "null"}
    if body.type == "ordered_field_declaration_list":
        return of_unnamed(run, unnamed(body, read, given))
    found = list(members(body, read, given, read.string("rename_all")))
    if read.has("transparent") and len(found) == 1:
        return run.of(found[0].type)
    return of_members(run, found, read, item)


def of_unnamed(run: "Generator", parts: list[tuple[Type, Marks]]) -> Any:
    """Give the schema of what has types and no names."""
    if len(parts) == 1:
        return _validated(of_field(run, *parts[0]), parts[0][1])
    return run.of_tuple([type_ for type_, _ in parts])


def of_members(run: "Generator", found: list[Member], read: Marks, item: Item | None) -> Json:
    """Give the object schema of named fields."""
    schema: Json = {"type": "object"}
    properties: Json = {}
    required: list[str] = []
    flat: list[Member] = []
    for each in found:
        if each.is_flat:
            flat.append(each)
            continue
        properties[str(each.name)] = _property(run, each, read, item)
        if is_required(each, read):
            required.append(str(each.name))
    if properties:
        schema["properties"] = properties
    if required:
        schema["required"] = required
    if read.has("deny_unknown_fields"):
        schema["additionalProperties"] = False
    for each in flat:
        schema = _merged(schema, _flat(run, each), optional=each.is_optional)
    return schema


def is_required(member: Member, container: Marks) -> bool:
    """Tell whether an object must have a field."""
    if member.read.has("required"):
        return True
    return not (member.is_optional or member.read.has("default") or container.has("default"))


def of_field(run: "Generator", type_: Type, read: Marks) -> Any:
    """Give the schema of a field's type."""
    instead = run.instead(read, read.node, type_.given)
    if instead is not None:
        return instead
    if read.has("required") and segments(type_.node)[-1:] == ("Option",):
        arguments = child(type_.node, "type_arguments")
        if arguments is not None and arguments.named_children:
            return run.of(type_.inner(arguments.named_children[0]))
    return run.of(type_)


def _property(run: "Generator", member: Member, container: Marks, item: Item | None) -> Any:
    schema = _validated(of_field(run, member.type, member.read), member.read)
    extra: Json = {}
    if member.read.has("skip_serializing"):
        extra["writeOnly"] = True
    if has_attribute(member.node, "deprecated"):
        extra["deprecated"] = True
    default = rust_defaults.default_of(run, member, container, item)
    if default is not rust_defaults.ABSENT:
        extra["default"] = default
    if extra:
        schema = {**(schema if isinstance(schema, dict) else {}), **extra}
    return described(schema, member.read) if any(member.read.title_and_description()) else schema


RANGE = {"min": "minimum", "max": "maximum", "exclusive_min": "exclusiveMinimum", "exclusive_max": "exclusiveMaximum"}
FORMATS = {"email": "email", "url": "uri", "ip": "ip"}


def _validated(schema: Any, read: Marks) -> Any:
    """Put bounds, patterns and examples into a schema."""
    extra: Json = {RANGE[key]: value for key, value in read.nested("range").items() if key in RANGE}
    sizes = read.nested("length")
    kinds = schema.get("type") if isinstance(schema, dict) else None
    size = "Items" if kinds == "array" or (isinstance(kinds, list) and "array" in kinds) else "Length"
    for key, value in sizes.items():
        names = {"min": [f"min{size}"], "max": [f"max{size}"], "equal": [f"min{size}", f"max{size}"]}.get(key, [])
        extra |= dict.fromkeys(names, value)
    pattern = read.nested("regex").get("pattern", read.string("pattern"))
    if pattern is not None:
        extra["pattern"] = pattern
    for name, form in FORMATS.items():
        extra |= {"format": form} if read.has(name) else {}
    examples = [read.value(each) for _, each in read.arguments if each.name in ("example", "examples") and each.tokens]
    if examples:
        extra["examples"] = examples
    extra |= read.nested("extend")
    for name in ("transform", "inner", "contains", "examples"):
        argument = read.find(name)
        if argument is not None and not (name == "examples" and argument.tokens):
            extra[""] = Opaque(f"`{name}` is not followed", read.items.span(read.path, argument.node))
    return {**(schema if isinstance(schema, dict) else {}), **extra} if extra else schema


def _flat(run: "Generator", member: Member) -> Any:
    """Give the schema of a flattened field as if it stood for itself."""
    type_ = member.type
    if member.is_optional:
        arguments = child(type_.node, "type_arguments")
        type_ = (
            type_.inner(arguments.named_children[0]) if arguments is not None and arguments.named_children else type_
        )
    return run.root(type_)


def _merged(schema: Json, flat: Any, *, optional: bool) -> Json:
    """Merge the schema of a flattened field into that of its struct."""
    if flat is True:
        return {**schema, "additionalProperties": True}
    merged = dict(schema)
    for key, value in (flat if isinstance(flat, dict) else {}).items():
        if key == "properties":
            merged[key] = {**merged.get(key, {}), **value}
        elif key == "required" and not optional:
            merged[key] = [*merged.get(key, []), *(name for name in value if name not in merged.get(key, []))]
        elif key in ("oneOf", "anyOf"):
            merged[key] = [_opened(each) for each in value]
        elif key in ("additionalProperties", "patternProperties", "$ref", "") and key not in merged:
            merged[key] = value
    return merged


def _opened(schema: Any) -> Any:
    """Allow beside a flattened variant's fields those of the struct around it."""
    if isinstance(schema, dict) and schema.get("additionalProperties") is False:
        return {key: value for key, value in schema.items() if key != "additionalProperties"}
    return schema


def parameters(run: "Generator", type_: Type, depth: int = 0) -> tuple[Parameter, ...] | Opaque:
    """Give the top-level arguments that a type of arguments declares."""
    found = run.declared(type_)
    if isinstance(found, Opaque):
        return Opaque(found.reason, run.span(type_))
    if found is None:
        schema = run.of(type_)
        return schema[""] if isinstance(schema, dict) and isinstance(schema.get(""), Opaque) else ()
    item, given = found
    read, body = marks(run.items, item.path, item.node), child(item.node, "body")
    if body is None or depth > DEPTH or item.node.type == "enum_item":
        return ()
    if body.type == "ordered_field_declaration_list":
        inner = unnamed(body, read, given)
        return parameters(run, inner[0][0], depth + 1) if len(inner) == 1 else ()
    return tuple(_parameters(run, list(members(body, read, given, read.string("rename_all"))), read, depth))


DEPTH = 8
"""How many flattened structs may stand within one another."""


def _parameters(run: "Generator", found: list[Member], read: Marks, depth: int) -> Iterator[Parameter]:
    for each in found:
        if each.is_flat:
            inner = parameters(run, each.type, depth + 1)
            yield from inner if not isinstance(inner, Opaque) else ()
        else:
            span = each.read.items.span(each.read.path, each.node)
            yield Parameter(each.name, span, each.read.docs, is_required(each, read))
