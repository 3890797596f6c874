"""Structs and enums → the schemas that rust-mcp-sdk's own `JsonSchema` makes of them."""

from typing import Any

from tree_sitter import Node

from reviewer.facts import Json, Schema, ToolParameter
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.declarations import descriptions
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import find_impl_type
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes
from reviewer.records import dataclass
from reviewer.schema.rust.dialects import Macros, choose_macros_dialect
from reviewer.schema.rust.marks import collect_derived_traits, read_marks
from reviewer.schema.rust.parts import allow_null, build_missing, split
from reviewer.source import Opaque, Text

# rust-mcp-sdk writes `integer` for all of these.
INTEGERS = frozenset("i8 i16 i32 i64 i128 u8 u16 u32 u64 u128".split())
# rust-mcp-sdk writes `number` for these.
FLOATS = frozenset({"f32", "f64"})
FAR = frozenset({("serde_json", "Number"), ("serde_json", "Value")})
"""Types that are known by a path of two names; any other path is of an unknown type."""

# Types may hold themselves.
DEPTH = 12
# Keys that the SDK's attribute may set for every type.
TOLD = ("description", "title")
KEYS = {
    "string": (*TOLD, "format", "minLength", "maxLength", "default"),
    "number": (*TOLD, "minimum", "maximum", "default"),
    "array": (*TOLD, "minItems", "maxItems", "default"),
    "perhaps": (*TOLD, "format", "minLength", "maxLength", "minimum", "maximum", "default"),
}
"""What of `#[json_schema(..)]` is taken over, by the type of the field; from others only what is told, and the default."""

NAMES = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
}


def read_struct(items: RustItems, item: RustItem) -> tuple[Schema, tuple[ToolParameter, ...]]:
    """Return the schema of a tool's struct and its arguments."""
    return Schema(lambda: split(_Writer.from_items(items, item.path).write_struct(item, 0))), tuple(
        _collect_parameters(items, item)
    )


def _collect_parameters(items: RustItems, item: RustItem) -> list[ToolParameter]:
    found = []
    for part in _list_fields(find_child(item.node, "body")):
        type_ = find_child(part, "type")
        if type_ is not None:
            name, said = _get_wire_name(items, item.path, part), _get_said(items, item.path, part).get("description")
            text = said if isinstance(said, Text | Opaque) else None
            found.append(ToolParameter(name, items.locate_node(item.path, part), text, not _is_optional(type_)))
    return found


def _list_fields(body: Node | None) -> list[Node]:
    return [part for part in (body.named_children if body is not None else []) if part.type == "field_declaration"]


def _is_optional(type_: Node) -> bool:
    return type_.type == "generic_type" and read_segments(type_) == ("Option",) and _find_inner(type_) is not None


def _find_inner(type_: Node) -> Node | None:
    parts = [part for part in list_field_children(type_, "type_arguments") if part.type != "lifetime"]
    return parts[0] if len(parts) == 1 else None


def _get_wire_name(items: RustItems, path: str, part: Node) -> Text:
    """Return the name on the wire: what serde renames it to, if no value before that stops the macro from reading on."""
    place = find_child(part, "name") or part
    span = items.locate_node(path, place)
    for mark in attributes.read_before(part):
        for each in mark.arguments if mark.name == "serde" else ():
            if each.name == "rename" and each.tokens and (text := evaluate_string(each.tokens[0])) is not None:
                return Text(text, span)
            if each.tokens or each.nested is not None:
                break
    return Text(decode_node(place), span)


def _get_said(items: RustItems, path: str, part: Node) -> Json:
    """Read `#[json_schema(..)]`; a comment is the description if that gives none."""
    read = read_marks(ConstantFolder(items), path, part)
    found: Json = {}
    for mark in attributes.read_before(part):
        found |= {
            each.name: read.read_value(each) for each in mark.arguments if mark.name == "json_schema" and each.name
        }
    docs = descriptions.join_docs(items, part, path, until_attribute=False, blank=True)
    return {**({"description": docs} if docs is not None else {}), **found}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the schemas of one file's types as a version of the macros does."""

    items: RustItems
    path: str
    macros: Macros

    @classmethod
    def from_items(cls, items: RustItems, path: str) -> "_Writer":
        version = items.find_version(path, "rust-mcp-macros") or items.find_version(path, "rust-mcp-sdk")
        return cls(items, path, choose_macros_dialect(version))

    def write_struct(self, item: RustItem, depth: int) -> Json:
        """Write a struct."""
        return self._write_fields(find_child(item.node, "body"), depth)

    def _write_fields(self, body: Node | None, depth: int) -> Json:
        fields = [(part, type_) for part in _list_fields(body) if (type_ := find_child(part, "type")) is not None]
        properties = {
            str(_get_wire_name(self.items, self.path, part)): self._get_field(part, type_, depth)
            for part, type_ in fields
        }
        required = [
            str(_get_wire_name(self.items, self.path, part)) for part, type_ in fields if not _is_optional(type_)
        ]
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def _get_field(self, part: Node, type_: Node, depth: int) -> Json:
        said = _get_said(self.items, self.path, part)
        kept = {"description": said["description"]} if self.macros.plain and "description" in said else said
        return self._write_type(type_, {} if self.macros.plain and not kept else kept, depth)

    def _write_type(self, type_: Node, said: Json, depth: int) -> Json:
        """Write a type with what is said of the field that it is the type of."""
        names, inner = read_segments(type_), _find_inner(type_)
        if names == ("Option",) and inner is not None:
            return {**self._get_perhaps(self._write_type(inner, said, depth)), **_get_taken("perhaps", said)}
        if names == ("Vec",) and inner is not None:
            return {"type": "array", "items": self._write_type(inner, {}, depth), **_get_taken("array", said)}
        scalar = self._find_scalar(names)
        if scalar is not None:
            return {"type": scalar, **_get_taken("number" if scalar in ("integer", "number") else scalar, said)}
        if names == ("Value",) or names in FAR:
            return {**self._build_unknown(), **_get_taken("", said)}
        if len(names) == 1 and type_.type == "type_identifier":
            return {**self._write_declared(type_, depth), **({} if self.macros.plain else _get_taken("", said))}
        return {**self._build_unknown(), **_get_taken("", said)}

    def _find_scalar(self, names: tuple[str, ...]) -> str | None:
        name = names[0] if len(names) == 1 else ""
        if name in INTEGERS:
            return "number" if self.macros.plain else "integer"
        if name in FLOATS or (self.macros.numbers and names in (("Number",), ("serde_json", "Number"))):
            return "number"
        return {"String": "string", "bool": "boolean"}.get(name)

    def _build_unknown(self) -> Json:
        return {"type": "unknown"} if self.macros.unknown else {}

    def _get_perhaps(self, schema: Json) -> Json:
        if self.macros.nullable:
            return {**schema, "nullable": True}
        if not schema or "type" not in schema:
            return schema if "" in schema else {"anyOf": [schema, {"type": "null"}]}
        allowed: Any = allow_null(schema)
        return dict(allowed)

    def _write_declared(self, type_: Node, depth: int) -> Json:
        """Write what the type's own function gives."""
        if decode_node(type_) in ("char", "str"):
            return self._build_unknown()
        found = self.items.resolve(read_segments(type_), self.path, "struct", "enum", near=type_)
        if not isinstance(found, RustItem) or depth > DEPTH:
            reason = f"its type `{decode_node(type_)}` is not declared in the reviewed files"
            return build_missing(reason, self.items.locate_node(self.path, type_))
        if "JsonSchema" not in collect_derived_traits(found.node):
            return _get_by_hand(self.items, found)
        there = _Writer.from_items(self.items, found.path)
        return (
            there.write_struct(found, depth + 1)
            if found.node.type == "struct_item"
            else there.write_enum(found, depth + 1)
        )

    def write_enum(self, item: RustItem, depth: int) -> Json:
        """Write an enum."""
        parts = [part for part in list_field_children(item.node, "body") if part.type == "enum_variant"]
        return {"oneOf": [self._get_variant(part, depth) for part in parts]}

    def _get_variant(self, part: Node, depth: int) -> Json:
        said = _get_said(self.items, self.path, part)
        marked = attributes.find_named(attributes.read_before(part), "json_schema")
        told = {
            key: said[key]
            for key in TOLD
            if key in said and marked is not None and marked.find_argument(key) is not None
        }
        held = find_child(part, "body")
        if held is None:
            return {"enum": [str(_get_wire_name(self.items, self.path, part))], **told}
        if held.type == "field_declaration_list":
            return {**self._write_fields(held, depth), **told}
        types = [each for each in held.named_children if each.type not in ("attribute_item", "visibility_modifier")]
        schemas = [self._write_type(each, {}, depth) for each in types]
        if len(schemas) == 1:
            return {**schemas[0], **told}
        return {"type": "array", "items": schemas, "additionalItems": False, **told}


def _get_taken(kind: str, said: Json) -> Json:
    keys = KEYS.get(kind, (*TOLD, "default"))
    return {key: said[name] for key in keys if (name := NAMES.get(key, key)) in said}


def _get_by_hand(items: RustItems, item: RustItem) -> Json:
    """Return the schema that a type's own `fn json_schema()` makes."""
    for made in items.list_declarations(item.path).get(("fn", "json_schema"), ()):
        body = find_child(made.node, "body") if find_impl_type(made.node) == item.name else None
        value = ConstantFolder(items).fold(body, ExpressionPlace(item.path, {})) if body is not None else None
        if isinstance(value, dict):
            return dict(value)
    return build_missing(f"`json_schema` of `{item.name}` is written by hand", item.span)
