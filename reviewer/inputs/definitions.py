"""Tool definitions in a document → facts: an answer to `tools/list`, a bare array, a single tool, a manifest.

What a definition lacks or says wrongly is a fact about it; only a document without tools is refused.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reviewer.facts import Malformed, Project, Schema, Server, Tool, ToolParameter
from reviewer.failures import contained
from reviewer.files.discovery import CannotReviewError
from reviewer.inputs import documents
from reviewer.inputs.documents import Document, DocumentValue
from reviewer.source import Opaque, Source, Text

DEEPEST = 100
"""A schema that is nested deeper is not read."""

PARTS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "title": str,
    "description": str,
    "inputSchema": dict,
    "outputSchema": dict,
    "annotations": dict,
    "icons": list,
    "_meta": dict,
}

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
"""The annotations of the specification that are true or false. `title` is a text, any other key may have any value."""

OTHER_NAMES = {"input_schema": "inputSchema", "output_schema": "outputSchema"}
KINDS = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}


def read(path: Path) -> Project:
    """Read the tools of a JSON or YAML file. Raises CannotReviewError if there are none."""
    return read_source(documents.load(path), str(path))


def read_source(source: Source, shown: str) -> Project:
    """Read the tools of what a file holds. Raises CannotReviewError, which calls it `shown`, if there are none."""
    found = build_project(documents.parse_document(source.data, source.path, shown=shown))
    if found is None:
        raise CannotReviewError(
            f"{shown}: no tool definitions (looked for an answer to tools/list, an array of tools, a tool, a manifest with tools)"
        )
    return found


def _read_list_changed(data: Any) -> bool | None:
    """Read the capability beside the tools, which a live server tells; None if none is told."""
    told = data.get("capabilities") if isinstance(data, dict) else None
    if not isinstance(told, dict):
        return None
    of_tools = told.get("tools")
    return isinstance(of_tools, dict) and of_tools.get("listChanged") is True


def build_project(document: Document) -> Project | None:
    """Make facts of the tools in a document; None if it holds none."""
    listed = find_tools(document.root)
    if listed is None:
        return None
    holder, values = listed
    name = holder.map_members().get("name") if isinstance(holder.data, dict) and values != [holder] else None
    server = Server(
        name=Text(name.data, name.span) if name is not None and isinstance(name.data, str) else None,
        language="definitions",
        framework="mcp",
        span=holder.span,
        tools=tuple(_iter_tools(values)),
        list_changed=_read_list_changed(holder.data),
    )
    return Project(servers=(server,), broken=document.broken)


def find_tools(root: DocumentValue) -> tuple[DocumentValue, list[DocumentValue]] | None:
    """Find the tools, and what holds them."""
    if isinstance(root.data, list):
        return root, list(root.map_members().values())
    if not isinstance(root.data, dict):
        return None
    members = root.map_members()
    if isinstance(root.data.get("tools"), list):
        return root, list(members["tools"].map_members().values())
    if isinstance(root.data.get("result"), dict):
        return find_tools(members["result"])
    return (root, [root]) if {"inputSchema", "input_schema", "description"} & root.data.keys() else None


def _iter_tools(values: list[DocumentValue]) -> Iterator[Tool]:
    for value in values:
        with contained("a tool was not reviewed", value.span):
            yield _build_tool(value)


def _build_tool(value: DocumentValue) -> Tool:
    if not isinstance(value.data, dict):
        return Tool(
            None, value.span, malformed=(Malformed("tool", f"{_get_kind(value.data)}, not an object", value.span),)
        )
    given = {OTHER_NAMES.get(key, key): each for key, each in value.map_members().items() if each.data is not None}
    wrong = tuple(_iter_wrong(given))
    kept = {key: each for key, each in given.items() if isinstance(each.data, PARTS.get(key, object))}
    schema = _find_schema(kept.get("inputSchema"))
    return Tool(
        name=_find_text(kept.get("name")),
        span=value.span,
        description=_find_text(kept.get("description")),
        title=_find_text(kept.get("title")),
        input_schema=schema,
        output_schema=_find_schema(kept.get("outputSchema")),
        annotations=_find_annotations(kept.get("annotations")),
        icons=kept["icons"].data if "icons" in kept else None,
        meta=kept["_meta"].data if "_meta" in kept else None,
        parameters=tuple(_iter_parameters(kept["inputSchema"])) if isinstance(schema, Schema) else (),
        malformed=wrong,
    )


def _iter_wrong(given: dict[str, DocumentValue]) -> Iterator[Malformed]:
    """Name what is of another type than the protocol has it."""
    for part, each in given.items():
        wanted = PARTS.get(part, object)
        if not isinstance(each.data, wanted):
            yield Malformed(part, f"{_get_kind(each.data)}, not {KINDS[wanted]}", each.span)  # type: ignore[index]
        elif part == "annotations":
            for key, hint in each.map_members().items():
                kind = bool if key in HINTS else str if key == "title" else object
                if hint.data is not None and not isinstance(hint.data, kind):
                    yield Malformed(f"{part}.{key}", f"{_get_kind(hint.data)}, not {KINDS[kind]}", hint.span)


def _get_kind(data: Any) -> str:
    return KINDS.get(type(data), "null")


def _find_text(value: DocumentValue | None) -> Text | None:
    return Text(value.data, value.span) if value is not None else None


def _find_annotations(value: DocumentValue | None) -> dict[str, Any] | None:
    """Read annotations, of which the title is a text that people see."""
    if value is None or not isinstance(value.data.get("title"), str):
        return value.data if value is not None else None
    return {**value.data, "title": _find_text(value.map_members()["title"])}


def _find_schema(value: DocumentValue | None) -> Schema | Opaque | None:
    if value is None:
        return None
    if _is_deeper(value.data, DEEPEST):
        return Opaque(f"nested more than {DEEPEST} deep", value.span)
    return Schema.from_document(value.data, places=value.places)


def _is_deeper(data: Any, most: int) -> bool:
    level = [data]
    for _ in range(most):
        level = [
            below
            for each in level
            for below in (each.values() if isinstance(each, dict) else each)
            if isinstance(below, dict | list)
        ]
        if not level:
            return False
    return True


def _iter_parameters(schema: DocumentValue) -> Iterator[ToolParameter]:
    properties = schema.map_members().get("properties")
    required = schema.data.get("required")
    for name, each in (
        properties.map_members().items() if properties is not None and isinstance(properties.data, dict) else ()
    ):
        described = each.map_members().get("description") if isinstance(each.data, dict) else None
        said = _find_text(described) if described is not None and isinstance(described.data, str) else None
        yield ToolParameter(Text(name, each.span), each.span, said, isinstance(required, list) and name in required)
