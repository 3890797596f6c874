"""Rust types and values → the schemas of a tool, as rmcp 1.8 and later answers them."""

from collections.abc import Iterator
from typing import Any, Literal

from tree_sitter import Node

from reviewer.budget import ExhaustedError, get_budget
from reviewer.facts import Hole, Json, Places, Schema, ToolParameter
from reviewer.facts.parts import Path as Keys
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.values import OfType
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.schema.rust import dialects, objects
from reviewer.schema.rust.generator import SHARE, type_node
from reviewer.schema.rust.marks import name_of, read_marks
from reviewer.schema.rust.parts import Type, split
from reviewer.schema.rust.schemars import DEFINITIONS, SchemarsGenerator
from reviewer.source import Opaque, Span, Text

SchemaRole = Literal["input", "output", "type", "macro"]
Input = tuple[Schema | Opaque | None, tuple[ToolParameter, ...] | Opaque]


def build_empty_schema(items: RustItems, path: str, *, old: bool = False) -> Schema:
    """Return the schema of a tool without parameters; `old` is rmcp 0.1's."""
    return Schema.from_document(dialects.build_empty_schema((0, 1) if old else items.find_version(path, "rmcp")))


def build_type_schema(items: RustItems, type_: Node, path: str, *, way: SchemaRole = "input") -> Schema:
    """Return the schema of a type of arguments, or of results."""
    return Schema(
        lambda: _collect_document(items, Type(type_, path), way), Places(lambda: _iter_places(items, Type(type_, path)))
    )


def _iter_places(items: RustItems, type_: Type) -> Iterator[tuple[Keys, Span]]:
    run = SchemarsGenerator(items)
    try:
        with get_budget().share("nodes", SHARE):
            run.build_root(type_)
    except ExhaustedError:
        return iter(())  # the document has said so
    return objects.iter_places(run)


def _collect_document(items: RustItems, type_: Type, way: SchemaRole) -> tuple[Json, tuple[Hole, ...]]:
    dialect = dialects.choose_rmcp_dialect(items.find_version(type_.path, "rmcp"), way)
    try:
        with get_budget().share("nodes", SHARE):
            whole = _get_whole(items, type_, written=dialect.written, before=dialect.before)
    except ExhaustedError as error:
        return {}, (Hole("", Opaque(error.reason, items.locate_node(type_.path, type_.node))),)
    document, holes = split(dialects.write_in_dialect(whole, dialect))
    return (document if isinstance(document, dict) else {}), holes


def _get_whole(items: RustItems, type_: Type, *, written: bool = False, before: bool = False) -> Any:
    """Return the root schema with the definitions it refers to."""
    run = SchemarsGenerator(items, written=written, before=before)
    root = run.build_root(type_)
    title = {"title": run.name_of(type_)}
    whole = {"$schema": dialects.CURRENT, **title, **(root if isinstance(root, dict) else {})}
    return {**whole, DEFINITIONS: run.definitions} if run.definitions else whole


def collect_parameters(items: RustItems, type_: Node, path: str) -> tuple[ToolParameter, ...] | Opaque:
    """Return the arguments that a type declares."""
    try:
        with get_budget().share("nodes", SHARE):
            return objects.collect_parameters(SchemarsGenerator(items), Type(type_, path))
    except ExhaustedError as error:
        return Opaque(error.reason, items.locate_node(path, type_))


def find_struct_name(items: RustItems, type_: Node, path: str) -> Text | None:
    """Return the name of the struct of the project that a type means, where it is declared; None for one with parameters."""
    try:
        with get_budget().share("nodes", SHARE):
            found = SchemarsGenerator(items).resolve_declaration(Type(type_, path))
    except ExhaustedError:
        return None
    item, given = found if isinstance(found, tuple) else (None, {})
    return None if item is None or given else Text(item.name, item.span)


def build_value_schema(items: RustItems, value: Any, span: Span, *, output: bool = False) -> Input:
    """Return the schema that an expression makes, and the arguments it speaks of."""
    if isinstance(value, OfType):
        node = _type_of(items, value)
        found = () if output else collect_parameters(items, node, value.path)
        return build_type_schema(items, node, value.path, way=value.way), found
    if isinstance(value, Opaque):
        return value, Opaque(value.reason, value.span)
    if not isinstance(value, dict):
        return Opaque("its schema is made at run time", span), Opaque("the schema is made at run time", span)
    document, holes = split(_expand(items, value))
    marks: dict[tuple[str, ...], Span] = {
        (str(key),): key.span for key in value if isinstance(key, Text) and key in ("type", "required")
    }
    return Schema.from_document(document, holes, marks), read_properties(value, span)


def _type_of(items: RustItems, value: OfType) -> Node:
    """Return the type that is named, or that the tokens of `schema_for!(..)` come to."""
    if value.node.type != "token_tree":
        return value.node
    parts = tokens.strip_brackets(value.node)
    node = tokens.parse_expression(items.sources[value.path], parts)
    plain = (
        node is not None and node.type in ("identifier", "scoped_identifier") and node.end_byte == parts[-1].end_byte
    )
    return node if node is not None and plain else type_node("".join(decode_node(part) for part in parts))


def _expand(items: RustItems, value: Any) -> Any:
    """Put in the schemas of the types that a document names."""
    if isinstance(value, OfType):
        return _get_whole(items, Type(_type_of(items, value), value.path))
    if isinstance(value, dict):
        return {key: _expand(items, part) for key, part in value.items()}
    return [_expand(items, part) for part in value] if isinstance(value, list) else value


def read_properties(value: dict[Any, Any], span: Span) -> tuple[ToolParameter, ...] | Opaque:
    """Return the arguments that a schema written as JSON speaks of."""
    properties = value.get("properties", {})
    required = value.get("required", [])
    if isinstance(properties, Opaque):
        return properties
    if not isinstance(properties, dict):
        return ()
    found = []
    for name, part in properties.items():
        text = name if isinstance(name, Text) else Text(str(name), span)
        described = part.get("description") if isinstance(part, dict) else part if isinstance(part, Opaque) else None
        asked = isinstance(required, list | tuple) and name in required
        needed = Opaque(required.reason, required.span) if isinstance(required, Opaque) else asked
        found.append(
            ToolParameter(text, text.span, described if isinstance(described, Text | Opaque) else None, needed)
        )
    return tuple(found)


def build_loose_schema(items: RustItems, loose: list[Node], path: str, function: str) -> Input:
    """Return the schema of rmcp 0.1's `#[tool(param)]` parameters."""
    try:
        with get_budget().share("nodes", SHARE):
            return _get_for_loose(items, loose, path, function)
    except ExhaustedError as error:
        unread = Opaque(error.reason, items.locate_node(path, loose[0]))
        return unread, unread


def _get_for_loose(items: RustItems, loose: list[Node], path: str, function: str) -> Input:
    run = SchemarsGenerator(items, before=True)
    properties: Json = {}
    found: list[ToolParameter] = []
    for part in loose:
        type_, pattern = find_child(part, "type"), find_child(part, "pattern")
        if type_ is None or pattern is None:
            continue
        read = read_marks(run.folder, path, part)
        named = name_of(pattern, read, None)
        schema = run.build_schema(Type(type_, path))
        properties[str(named)] = (
            {**schema, "description": read.docs} if read.docs and isinstance(schema, dict) else schema
        )
        required = not (read.has("default") or read_segments(type_)[-1:] == ("Option",))
        found.append(ToolParameter(named, items.locate_node(path, part), read.docs, required))
    if not found:
        return build_empty_schema(items, path, old=True), ()
    whole: Json = {
        "title": f"__{function.upper()}ToolCallParam",
        "type": "object",
        "properties": properties,
        "required": [str(each.name) for each in found if each.required],
    }
    document, holes = split({**whole, DEFINITIONS: run.definitions} if run.definitions else whole)
    return Schema.from_document(
        dialects.write_in_dialect(document, dialects.choose_rmcp_dialect((0, 2))), holes
    ), tuple(found)
