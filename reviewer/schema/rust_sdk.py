"""Structs → the schemas that rust-mcp-sdk's own `JsonSchema` makes of them, since its 1.0."""

from typing import Any

from tree_sitter import Node

from reviewer.facts import Json, Parameter, Schema
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust import attributes
from reviewer.languages.rust.bindings import owner_of
from reviewer.languages.rust.items import Item, Items
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust_dialects
from reviewer.schema.rust_marks import Marks, derives, marks, name_of, value_of
from reviewer.schema.rust_parts import missing, nullable, split
from reviewer.source import Opaque, Text

SCALARS = {"bool": "boolean", "f32": "number", "f64": "number", "String": "string", "str": "string", "char": "string"}
INTEGERS = frozenset("i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize".split())
DEPTH = 12
KEYWORDS = {
    "title": "title",
    "format": "format",
    "min_length": "minLength",
    "max_length": "maxLength",
    "minimum": "minimum",
    "maximum": "maximum",
    "default": "default",
}


def of_struct(items: Items, item: Item) -> tuple[Schema, tuple[Parameter, ...]]:
    """Give the schema of a tool's struct and its arguments."""
    return Schema(lambda: split(_written(items, item))), tuple(_parameters(items, item))


def _written(items: Items, item: Item) -> Json:
    return rust_dialects.written(
        _object(items, item, 0), rust_dialects.of_sdk(items.version(item.path, "rust-mcp-sdk"))
    )


def _fields(item: Item) -> list[Node]:
    body = child(item.node, "body")
    return [part for part in (body.named_children if body is not None else []) if part.type == "field_declaration"]


def _parameters(items: Items, item: Item) -> list[Parameter]:
    found = []
    for part in _fields(item):
        read, type_ = marks(items, item.path, part), child(part, "type")
        if type_ is not None:
            found.append(
                Parameter(name_of(part, read, None), items.span(item.path, part), _docs(read), not _optional(type_))
            )
    return found


def _optional(type_: Node) -> bool:
    return segments(type_)[-1:] == ("Option",)


def _docs(read: Marks) -> Text | Opaque | None:
    docs = read.docs
    return Text("\n".join(line.strip() for line in docs.split("\n")), docs.span) if isinstance(docs, Text) else docs


def _object(items: Items, item: Item, depth: int) -> Json:
    properties: Json = {}
    required = []
    for part in _fields(item):
        read, type_ = marks(items, item.path, part), child(part, "type")
        if type_ is None:
            continue
        name, docs = str(name_of(part, read, None)), _docs(read)
        schema = _of_type(items, item.path, type_, depth)
        properties[name] = {
            **schema,
            **({"description": docs} if docs is not None else {}),
            **_keywords(items, item, part),
        }
        if not _optional(type_):
            required.append(name)
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _keywords(items: Items, item: Item, part: Node) -> Json:
    mark = attributes.named(attributes.before(part), "json_schema")
    read = marks(items, item.path, part)
    return {
        KEYWORDS[each.name]: read.value(each)
        for each in (mark.arguments if mark is not None else ())
        if each.name in KEYWORDS
    }


def _of_type(items: Items, path: str, type_: Node, depth: int) -> Json:
    names = segments(type_)
    name = names[-1]
    if type_.type == "reference_type":
        inner = child(type_, "type")
        return _of_type(items, path, inner, depth) if inner is not None else {}
    if name in INTEGERS:
        return {"type": "integer"}
    if name in SCALARS:
        return {"type": SCALARS[name]}
    given = child(type_, "type_arguments")
    arguments = [part for part in (given.named_children if given is not None else []) if part.type != "lifetime"]
    if name == "Option" and arguments:
        allowed: Any = nullable(_of_type(items, path, arguments[0], depth))
        return dict(allowed)
    if name == "Vec" and arguments:
        return {"type": "array", "items": _of_type(items, path, arguments[0], depth)}
    if name in ("HashMap", "BTreeMap", "Map") and arguments:
        inner_schema = _of_type(items, path, arguments[-1], depth)
        return {"type": "object", **({"additionalProperties": inner_schema} if inner_schema else {})}
    found = items.resolve(names, path, "struct", "enum", near=type_)
    if isinstance(found, Item) and "JsonSchema" not in derives(found.node):
        return _by_hand(items, found)
    if isinstance(found, Item) and depth < DEPTH:
        return _object(items, found, depth + 1) if found.node.type == "struct_item" else _enum(items, found)
    if name == "Value":
        return {}
    return missing(f"its type `{string_of(type_)}` is not declared in the reviewed files", items.span(path, type_))


def _by_hand(items: Items, item: Item) -> Json:
    """Give what a type's own `fn json_schema()` makes."""
    for made in items.of_file(item.path).get(("fn", "json_schema"), ()):
        body = child(made.node, "body") if owner_of(made.node) == item.name else None
        value = value_of(items, body, item.path) if body is not None else None
        if isinstance(value, dict):
            return dict(value)
    return missing(f"`json_schema` of `{item.name}` is written by hand", item.span)


def _enum(items: Items, item: Item) -> Json:
    body = child(item.node, "body")
    variants = [part for part in (body.named_children if body is not None else []) if part.type == "enum_variant"]
    if any(child(part, "body") is not None for part in variants):
        return missing("the variants of its type hold values", item.span)
    return {"oneOf": [{"enum": [str(name_of(part, marks(items, item.path, part), None))]} for part in variants]}
