"""Python parameters → the `inputSchema` that a framework derives from them: pydantic makes it, the framework trims it."""

from typing import Any, Literal

import pydantic

from reviewer.facts import Json

Framework = Literal["mcp", "fastmcp"]


def of_parameters(
    framework: Framework, function: str, parameters: dict[str, tuple[Any, Any]], descriptions: dict[str, str]
) -> Json:
    """Give the schema for a function's parameters, each a type and a default or FieldInfo as `pydantic.create_model` takes them.

    `descriptions` are those of the docstring, which fastmcp moves into the schema where the annotation has none.
    Raises pydantic's errors for types that it cannot put into a schema.
    """
    document = _renamed(_document(function, parameters))
    return document if framework == "mcp" else _as_fastmcp(document, descriptions)


def _document(function: str, parameters: dict[str, tuple[Any, Any]]) -> Json:
    safe = {_safe(name): part for name, part in parameters.items()}
    model = pydantic.create_model(f"{function}Arguments", __config__={"protected_namespaces": ()}, **safe)  # type: ignore[call-overload]
    document: Json = model.model_json_schema(by_alias=True)
    return document


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


def _as_fastmcp(document: Json, descriptions: dict[str, str]) -> Json:
    for name, text in descriptions.items():
        part = document.get("properties", {}).get(name)
        if part is not None and "description" not in part:
            part["description"] = text
    definitions = document.pop("$defs", {})
    untitled = _inlined(_untitled(document), {name: _untitled(each) for name, each in definitions.items()}, ())
    return {"additionalProperties": False, **untitled} if isinstance(untitled, dict) else document


def _untitled(node: Any) -> Any:
    """Remove generated titles: string values under `title`, but not a property of that name."""
    if isinstance(node, list):
        return [_untitled(each) for each in node]
    if not isinstance(node, dict):
        return node
    trimmed = {key: _untitled(value) for key, value in node.items() if key != "title" or not isinstance(value, str)}
    if isinstance(node.get("properties"), dict):
        trimmed["properties"] = {name: _untitled(each) for name, each in node["properties"].items()}
    return trimmed


def _inlined(node: Any, definitions: dict[str, Any], within: tuple[str, ...]) -> Any:
    """Put definitions where they are referred to; one that holds itself stays a reference."""
    if isinstance(node, list):
        return [_inlined(each, definitions, within) for each in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions and name not in within:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_inlined(definitions[name], definitions, (*within, name)), **_inlined(rest, definitions, within)}
    return {key: _inlined(value, definitions, within) for key, value in node.items()}
