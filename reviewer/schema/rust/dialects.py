"""What the versions of rmcp and of rust-mcp-sdk's macros make of the same schema: the one place that knows of versions."""

from typing import Any

from reviewer.facts import Json
from reviewer.languages.rust.project.dependencies import Version
from reviewer.records import dataclass
from reviewer.schema.rust import schemars_0_8

CURRENT = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
VALUES = frozenset({"default", "const", "enum", "examples", "required", "$schema", "$ref"})
"""Keywords whose value is no schema."""


@dataclass(frozen=True, slots=True)
class RustDialect:
    """How a version writes schemas.

    `bare` if the root's title and description are left out, `written` if a result's schema is that of what is written,
    `before` if schemars 0.8 makes it.
    """

    bare: bool = True
    nullable: bool = False
    draft_7: bool = False
    written: bool = False
    before: bool = False


def choose_rmcp_dialect(version: Version | None, way: str = "input") -> RustDialect:
    """Return the dialect of a version of rmcp; an unknown one is taken for the newest.

    `way` is how the schema is asked for: `macro` is schemars' own, `type` is not stripped of title and description.
    """
    if way == "macro" and (version is None or version >= (0, 3)):
        return RustDialect(bare=False)
    if version is None or version >= (1, 8):
        return RustDialect(bare=way != "type", written=way == "output" and (version is None or version >= (3, 9)))
    before = version < (0, 3)
    return RustDialect(bare=False, nullable=version < (0, 17) and not before, draft_7=version < (0, 9), before=before)


@dataclass(frozen=True, slots=True)
class Macros:
    """How a version of rust-mcp-sdk's macros writes schemas.

    `plain` versions know no `#[json_schema(..)]`, no enums and no integers, and lose what is said of a field whose type is a
    struct. `nullable` stands for null as a type, `unknown` as the type of what they do not know.
    """

    plain: bool = False
    nullable: bool = False
    unknown: bool = False
    numbers: bool = True


def choose_macros_dialect(version: Version | None) -> Macros:
    """Return the dialect of a version of rust-mcp-macros; of an unknown patch, the newest is meant."""

    def precedes(*since: int) -> bool:
        return version is not None and version < since[: len(version)]

    return Macros(precedes(0, 5, 2), precedes(1, 0), precedes(1, 0), not precedes(0, 8))


def build_empty_schema(version: Version | None) -> Json:
    """Return the schema that a version of rmcp sends for a tool without parameters."""
    if version is None or version >= (0, 8):
        return {"type": "object", "properties": {}}
    if version >= (0, 7):
        return {}
    said = "This is commonly used for representing empty objects in MCP messages."
    described = {"description": f"{said}\n\nwithout returning any specific data."} if version >= (0, 2) else {}
    return {"$schema": DRAFT_7, "title": "EmptyObject", "type": "object", **described}


def write_in_dialect(document: Json, dialect: RustDialect) -> Json:
    """Write a root schema in a dialect."""
    left = {key: value for key, value in document.items() if not (dialect.bare and key in ("title", "description"))}
    if dialect.before:
        left = schemars_0_8.convert_schema(left)
    if dialect.nullable:
        left = _get_nullable(left)
    if dialect.draft_7:
        left = _get_draft_7(left)
        left["$schema"] = DRAFT_7
    return left


def _get_inner(schema: Any, write: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: value if key in VALUES and not isinstance(value, dict) else write(value)
            for key, value in schema.items()
        }
    return [write(each) for each in schema] if isinstance(schema, list) else schema


def _get_nullable(schema: Any) -> Any:
    """Write `nullable: true` for the type null."""
    if not isinstance(schema, dict):
        return _get_inner(schema, _get_nullable)
    if schema.get("type") == "null":
        return {**{key: value for key, value in schema.items() if key != "type"}, "const": None, "nullable": True}
    types = schema.get("type")
    if isinstance(types, list) and "null" in types:
        rest = [each for each in types if each != "null"]
        schema = {**schema, "type": rest[0] if len(rest) == 1 else rest, "nullable": True}
    return _get_inner(schema, _get_nullable)


def _get_draft_7(schema: Any) -> Any:
    """Write the keywords of draft 7."""
    if not isinstance(schema, dict):
        return _get_inner(schema, _get_draft_7)
    found = {}
    for key, value in schema.items():
        name = "definitions" if key == "$defs" else key
        reference = key == "$ref" and isinstance(value, str)
        found[name] = value.replace("#/$defs/", "#/definitions/") if reference else value
    return _get_inner(found, _get_draft_7)
