"""How a project's own trait makes schemas of the types that its tools name: `type Args = ..; schema_for!(T::Args)`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Hole, Json, Schema
from reviewer.languages.nodes import decode_node, find_descendants
from reviewer.languages.rust.evaluation.folding import SCHEMAS, WAYS
from reviewer.languages.rust.evaluation.values import OfType
from reviewer.languages.rust.project.items import RustItems
from reviewer.records import dataclass
from reviewer.schema.rust import tools as schemas
from reviewer.source import Opaque, Span
from reviewer.text.patterns import pattern

# schemars' macro, or one of the functions of `SCHEMAS` with the type in its brackets.
MAKES = pattern(r"\b(schema_for)!\s*\(|\b(" + "|".join(sorted(SCHEMAS)) + r")\s*::\s*<")
# Keys that SDK and schemars put at the root of a schema (`$schema`, `title`) are often taken out before it is listed.
REMOVES = pattern(r'\.\s*remove\(\s*"([^"]*)"')
# After any of these the schema is not what the type gives: only names and descriptions of its arguments are still told.
CHANGES = pattern(
    r"\bget_mut\b|\.\s*insert\s*\(|\bretain\b|_mut\s*\(|\btransform\w*|\]\s*=[^=]|SchemaSettings|SchemaGenerator"
)


@dataclass(frozen=True, slots=True)
class SchemaMaking:
    """How the schema of a type is made: the way it is asked for, the keys that are taken out, the code that changes more."""

    name: str = ""
    removed: frozenset[str] = frozenset()
    changed: Span | None = None


def derive_input(items: RustItems, type_: Node, path: str, name: str, span: Span) -> schemas.Input:
    """Return the schema of the type that a tool names, and its arguments; `name` is what the trait calls it."""
    return _get_input(items, type_, path, next(_iter_schemas_made(items, name), SchemaMaking()), span)


def derive_input_by_function(items: RustItems, type_: Node, path: str, function: str, span: Span) -> schemas.Input:
    """Return the schema that a function of the project makes of the type that it belongs to."""
    made = next(_iter_within(items, function), None)
    if made is None:
        opaque = Opaque(f"`{function}` is not declared in the reviewed files", span)
        return opaque, opaque
    return _get_input(items, type_, path, made, span)


def _get_input(items: RustItems, type_: Node, path: str, made: SchemaMaking, span: Span) -> schemas.Input:
    schema, parameters = schemas.build_value_schema(items, OfType(type_, path, _get_way(made.name)), span)
    if made.changed is not None and isinstance(schema, Schema):
        why = Opaque("the project's own code changes what is made of its type", made.changed)
        return _build_sketched(schema, why), parameters
    return (_without(schema, made.removed) if isinstance(schema, Schema) and made.removed else schema), parameters


def _get_way(name: str) -> schemas.SchemaRole:
    if name == "schema_for":
        return "macro"
    return WAYS.get(name, "type") if name else "input"


def _build_sketched(schema: Schema, opaque: Opaque) -> Schema:
    """Keep what code that looks at the parts of a schema leaves: which arguments there are, and what is said of them."""

    def build_sketch() -> tuple[Json, tuple[Hole, ...]]:
        whole = schema.document
        parts = {
            name: {key: value for key, value in part.items() if key == "description"} if isinstance(part, dict) else {}
            for name, part in whole.get("properties", {}).items()
        }
        kept: Json = {key: whole[key] for key in ("type", "required") if key in whole}
        holes = (Hole(f"properties.{name}.type", opaque) for name in parts)
        return {**kept, "properties": parts}, (*schema.holes, *holes)

    return Schema(build_sketch)


def _without(schema: Schema, removed: frozenset[str]) -> Schema:
    return Schema(lambda: ({key: part for key, part in schema.document.items() if key not in removed}, schema.holes))


def _iter_schemas_made(items: RustItems, name: str) -> Iterator[SchemaMaking]:
    """Find where a schema is made of an associated type, in one function or through one that it calls."""
    asked = rf"(?:<[^<>]*>|\w+)\s*::\s*{re.escape(name)}"
    direct = re.compile(rf"\b(schema_for)!\s*\(\s*{asked}\s*\)|\b(\w+)\s*::\s*<\s*{asked}\s*>\s*\(")
    for path in items.find_matching(re.compile(rb"::\s*" + re.escape(name.encode()) + rb"\s*[>)]")):
        for function in find_descendants(items.parse_root(path), "rust", "function_item"):
            text = decode_node(function)
            found = direct.search(text)
            if found is None:
                continue
            called = found[1] or found[2]
            if called in SCHEMAS:
                yield _build_making(items, path, function, called)
            yield from _iter_within(items, called)


def _iter_within(items: RustItems, name: str) -> Iterator[SchemaMaking]:
    """Find the functions of a name that make a schema."""
    for item in items.find_functions(name):
        found = MAKES.search(decode_node(item.node))
        if found is not None:
            yield _build_making(items, item.path, item.node, found[1] or found[2])


def _build_making(items: RustItems, path: str, function: Node, name: str) -> SchemaMaking:
    text = decode_node(function)
    changed = items.locate_node(path, function) if CHANGES.search(text) is not None else None
    return SchemaMaking(name, frozenset(REMOVES.findall(text)), changed)
