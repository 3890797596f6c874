"""Parts of schemas, with what cannot be read still in them.

Such a part stands in the document as `{"": Opaque(...)}` where a schema belongs, or as an `Opaque` where a value does, until
`split` takes it out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from tree_sitter import Node

from reviewer.facts import Hole, Json
from reviewer.languages.nodes import list_field_children
from reviewer.records import dataclass
from reviewer.schema.rust.marks import DeclarationMarks
from reviewer.source import Opaque, Span


@dataclass(frozen=True, slots=True)
class Type:
    """A type as it is written in a file, and what the type parameters around it stand for."""

    node: Node
    path: str
    given: Mapping[str, "Type"] = field(default_factory=dict)

    def with_node(self, node: Node) -> "Type":
        """Return a type that is written within this one."""
        return Type(node, self.path, self.given)

    @property
    def arguments(self) -> "list[Type]":
        """The types that a generic type is given."""
        written = list_field_children(self.node, "type_arguments")
        return [self.with_node(part) for part in written if part.type != "lifetime"]


def build_missing(reason: str, span: Span) -> Json:
    """Stand in for a schema that cannot be read."""
    return {"": Opaque(reason, span)}


def allow_null(schema: Any) -> Any:
    """Allow null beside what a schema allows."""
    if not isinstance(schema, dict) or "" in schema or not schema:
        return schema
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        allowed = {**schema, "type": types if "null" in types else [*types, "null"]}
        if "enum" in allowed:
            allowed["enum"] = [*allowed["enum"], None]
        return allowed
    if {"type": "null"} in schema.get("anyOf", []):
        return schema
    return {"anyOf": [schema, {"type": "null"}]}


def apply_description(schema: Any, read: DeclarationMarks) -> Any:
    """Put title and description into a schema."""
    title, description = read.read_title_and_description()
    if schema is True:
        schema = {}
    if isinstance(schema, dict):
        schema = {**schema, **({"title": title} if title is not None else {})}
        if description is not None:
            schema["description"] = description
    return schema


def split(document: Any) -> tuple[Any, tuple[Hole, ...]]:
    """Part a document into what was read and what was not."""
    holes: list[Hole] = []
    return _convert(document, (), holes), tuple(holes)


def _convert(value: Any, path: tuple[str, ...], holes: list[Hole]) -> Any:
    if isinstance(value, dict):
        read = {}
        for key, part in value.items():
            inner = path if key == "" and isinstance(part, Opaque) else (*path, str(key))
            if isinstance(part, Opaque):
                holes.append(Hole(".".join(inner), part))
            else:
                read[str(key)] = _convert(part, inner, holes)
        return read
    if isinstance(value, list):
        return list(_iter_elements(value, path, holes))
    return str(value) if isinstance(value, str) else value


def _iter_elements(value: list[Any], path: tuple[str, ...], holes: list[Hole]) -> Iterator[Any]:
    for at, part in enumerate(value):
        if isinstance(part, Opaque):
            holes.append(Hole(".".join((*path, str(at))), part))
        else:
            yield _convert(part, (*path, str(at)), holes)
