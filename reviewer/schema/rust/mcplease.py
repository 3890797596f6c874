"""Structs → the schemas that mcplease sends: schemars' own with everything in its place, cut down to the keys it knows."""

from typing import Any

from reviewer.facts import Json, Schema, ToolParameter
from reviewer.languages.nodes import find_child
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.schema.rust import objects
from reviewer.schema.rust.parts import Type, allow_null, build_missing, split
from reviewer.schema.rust.schemars import SchemarsGenerator
from reviewer.source import Opaque, Text

# References may go round in a circle.
DEPTH = 30
# Keys that mcplease keeps for every type.
TOLD = ("title", "description")
KEPT = {
    "object": (*TOLD, "properties", "required", "examples"),
    "string": (*TOLD, "enum", "examples"),
    "boolean": TOLD,
    "integer": TOLD,
    "array": (*TOLD, "items"),
    "null": (),
}
"""What is kept of a schema, by its type; a server with a type that is not here does not start."""


def read_struct(
    items: RustItems, item: RustItem
) -> tuple[Text | None, Text | Opaque | None, Schema, tuple[ToolParameter, ...] | Opaque]:
    """Return a tool's name and description, which its schema says, with the schema and the arguments."""
    name = find_child(item.node, "name")
    if name is None:
        return None, None, Schema.from_document({}), ()
    type_ = Type(name, item.path)
    run = SchemarsGenerator(items)
    title, description = run.get_marks(item).read_title_and_description()
    own = Text(run.name_of(type_), items.locate_node(item.path, name))
    schema = Schema(lambda: split(_get_document(items, item, type_)))
    return (
        title if isinstance(title, Text) else own,
        description,
        schema,
        objects.collect_parameters(SchemarsGenerator(items), type_),
    )


def _get_document(items: RustItems, item: RustItem, type_: Type) -> Json:
    run = SchemarsGenerator(items)
    root = run.build_root(type_)
    bare = {key: part for key, part in root.items() if key not in TOLD} if isinstance(root, dict) else {}
    cut: Json = _cut(items, item, _substitute_references(bare, run.definitions, 0))
    return {**cut, "examples": []} if cut.get("type") == "object" and not _has_examples(items, item) else cut


def _substitute_references(schema: Any, definitions: Json, depth: int) -> Any:
    """Put what is referred to in its place."""
    if isinstance(schema, list):
        return [_substitute_references(part, definitions, depth) for part in schema]
    if not isinstance(schema, dict) or depth > DEPTH:
        return schema
    optional = _find_optional(schema)
    if optional is not None:
        rest = {key: part for key, part in schema.items() if key != "anyOf"}
        return {**allow_null(_substitute_references(optional, definitions, depth + 1)), **rest}
    named = definitions.get(str(schema.get("$ref", "")).rpartition("/")[2])
    if named is not None:
        beside = {key: part for key, part in schema.items() if key != "$ref"}
        return {**_substitute_references(named, definitions, depth + 1), **beside}
    return {key: _substitute_references(part, definitions, depth) for key, part in schema.items()}


def _find_optional(schema: Json) -> Json | None:
    """Return the schema that `Option<T>` refers to, if a schema is one; else None."""
    either = schema.get("anyOf")
    if not isinstance(either, list) or len(either) != 2 or either[1] != {"type": "null"}:
        return None
    return either[0] if isinstance(either[0], dict) and "$ref" in either[0] else None


def _cut(items: RustItems, item: RustItem, schema: Any) -> Any:
    if not isinstance(schema, dict):
        return build_missing("mcplease cannot send a schema that allows anything", item.span)
    if "" in schema:
        return schema
    for union in ("anyOf", "oneOf"):
        if union in schema:
            keys = (*TOLD, *(("examples",) if union == "oneOf" else ()))
            parts = [_cut(items, item, part) for part in schema[union]]
            return {union: parts, **{key: schema[key] for key in keys if key in schema}}
    types = schema.get("type")
    named = [each for each in types if each != "null"] if isinstance(types, list) else [types]
    if len(named) != 1 or named[0] not in KEPT:
        return build_missing(f"mcplease cannot send a schema of the type `{types}`", item.span)
    found = {"type": named[0], **{key: schema[key] for key in KEPT[named[0]] if key in schema}}
    if "enum" in found:
        found["enum"] = [each for each in found["enum"] if each is not None]
    if named[0] == "object":
        found["properties"] = {key: _cut(items, item, part) for key, part in schema.get("properties", {}).items()}
    return {**found, "items": _cut(items, item, schema.get("items"))} if named[0] == "array" else found


def _has_examples(items: RustItems, item: RustItem) -> bool:
    """Return whether `impl WithExamples` gives any; a schema without says so in an empty list."""
    for made in items.find_functions("examples"):
        block = made.node.parent.parent if made.node.parent is not None else None
        type_ = find_child(block, "type")
        if type_ is not None and (type_.text or b"").decode() == item.name:
            return b"{" in (made.node.text or b"").partition(b"{")[2]
    return False
