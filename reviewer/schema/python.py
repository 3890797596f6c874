"""Python parameters → the `inputSchema` that a framework derives from them: pydantic makes it, the framework trims it."""

from typing import Any

import pydantic

from reviewer.facts import Json
from reviewer.schema.python_dialects import Dialect
from reviewer.schema.python_fastmcp import trimmed


def of_parameters(
    dialect: Dialect, function: str, parameters: dict[str, tuple[Any, Any]], descriptions: dict[str, str]
) -> Json:
    """Give the schema for a function's parameters, each a type and a default or FieldInfo as `pydantic.create_model` takes them.

    `descriptions` are those of the docstring, which fastmcp moves into the schema where the annotation has none.
    Raises pydantic's errors for types that it cannot put into a schema.
    """
    document = _document(function, parameters)
    if dialect.framework == "mcp":
        return document
    return _described(trimmed({**document, "additionalProperties": False}, dialect, root=True), descriptions)


def _described(document: Json, descriptions: dict[str, str]) -> Json:
    for name, text in descriptions.items():
        part = document.get("properties", {}).get(name)
        if part is not None and "description" not in part:
            part["description"] = text
    return document


def _document(function: str, parameters: dict[str, tuple[Any, Any]]) -> Json:
    safe = {_safe(name): part for name, part in parameters.items()}
    model = pydantic.create_model(f"{function}Arguments", __config__={"protected_namespaces": ()}, **safe)  # type: ignore[call-overload]
    return _renamed(model.model_json_schema(by_alias=True))


def of_model(model: Any) -> Json:
    """Give what `Model.model_json_schema()` answers."""
    return pydantic.TypeAdapter(model).json_schema()


_PREFIX = "parameter_shown_as_"


def _safe(name: str) -> str:
    """Give a field name that pydantic takes: one that begins with `_` or stands for a method is prefixed."""
    return f"{_PREFIX}{name}" if name.startswith("_") or hasattr(pydantic.BaseModel, name) else name


def _renamed(document: Json) -> Json:
    properties = document.get("properties", {})
    if any(name.startswith(_PREFIX) for name in properties):
        document["properties"] = {
            name.removeprefix(_PREFIX): {
                **each,
                **(
                    {"title": _title(name.removeprefix(_PREFIX))}
                    if name.startswith(_PREFIX) and "title" in each
                    else {}
                ),
            }
            for name, each in properties.items()
        }
        if "required" in document:
            document["required"] = [name.removeprefix(_PREFIX) for name in document["required"]]
    return document


def _title(name: str) -> str:
    return name.replace("_", " ").title()
