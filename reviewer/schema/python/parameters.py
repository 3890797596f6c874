"""Python parameters → the `inputSchema` that a framework derives from them: pydantic makes it, the framework trims it."""

import inspect
import json
import math
from typing import Annotated, Any

import pydantic

from reviewer.budget import get_budget
from reviewer.facts import Json
from reviewer.schema.python.dialects import PythonDialect
from reviewer.schema.python.fastmcp import trim_schema


def build_parameters_schema(
    dialect: PythonDialect, function: str, parameters: dict[str, tuple[Any, Any]], descriptions: dict[str, str]
) -> Json:
    """Return the schema for a function's parameters, each a type and a default or FieldInfo as `pydantic.create_model` takes
    them.

    `descriptions` are those of the docstring, which fastmcp moves into the schema where the annotation has none.
    Raises pydantic's errors for types that it cannot put into a schema.
    """
    if dialect.framework == "mcp":
        made: Json = _get_finite(_get_document(function, parameters))
        return made
    of_function = _get_for_function(function, parameters)
    described: Json = _get_finite(_describe(trim_schema(of_function, dialect, root=True), descriptions))
    return described


def _get_for_function(name: str, parameters: dict[str, tuple[Any, Any]]) -> Json:
    """Return the schema that pydantic makes of a function itself, as fastmcp asks for it."""

    def stand_in(**_: Any) -> None:
        """Stand for the function; it is never called."""

    empty = inspect.Parameter.empty
    made = [
        inspect.Parameter(
            each, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=empty if default is ... else default
        )
        for each, (kind, default) in parameters.items()
    ]
    stand_in.__name__ = stand_in.__qualname__ = name
    stand_in.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
    stand_in.__annotations__ = {each: kind for each, (kind, _) in parameters.items()}
    adapter: Any = pydantic.TypeAdapter(stand_in)  # type: ignore[arg-type]  # pydantic takes functions too
    made_of: Json = adapter.json_schema()
    return made_of


def _get_finite(node: Any) -> Any:
    """Write numbers without a JSON form as null, as the wire does.

    Raises TypeError for what is no JSON at all, and ExhaustedError for more than the budget affords.
    """
    get_budget().spend("nodes")
    if isinstance(node, dict):
        return {_get_key(key): _get_finite(each) for key, each in node.items()}
    if isinstance(node, list):
        return [_get_finite(each) for each in node]
    if not isinstance(node, str | int | float | None):
        raise TypeError("no JSON")
    return None if isinstance(node, float) and not math.isfinite(node) else node


def _get_key(key: Any) -> str:
    """Write the key of an object as JSON does. Raises TypeError for one that has no JSON form."""
    if isinstance(key, str):
        return key
    if not isinstance(key, int | float | None):
        raise TypeError("no JSON")
    return json.dumps(key)


def require_json(document: Json) -> Json:
    """Return a schema whose every part is JSON. Raises TypeError if one is not."""
    made: Json = _get_finite(document)
    return made


def _describe(document: Json, descriptions: dict[str, str]) -> Json:
    for name, text in descriptions.items():
        part = document.get("properties", {}).get(name)
        if part is not None and "description" not in part:
            part["description"] = text
    return document


def _get_document(function: str, parameters: dict[str, tuple[Any, Any]]) -> Json:
    fields = dict(_collect_field(name, kind, default) for name, (kind, default) in parameters.items())
    model = pydantic.create_model(f"{function}Arguments", __config__={"protected_namespaces": ()}, **fields)
    return _rename(model.model_json_schema(by_alias=True))


def _collect_field(name: str, kind: Any, default: Any) -> tuple[str, Any]:
    """Return a field that pydantic takes: one named as a method of models has an alias, as in the SDK."""
    if callable(getattr(pydantic.BaseModel, name, None)):
        name, kind = f"field_{name}", Annotated[kind, pydantic.Field(alias=name)]
    elif name.startswith("_") or hasattr(pydantic.BaseModel, name):
        name = f"{_PREFIX}{name}"
    return name, (kind if default is ... else (kind, default))  # alone, a type keeps the default in its `Annotated`


def build_model_schema(model: Any) -> Json:
    """Return the result of `Model.model_json_schema()`."""
    return pydantic.TypeAdapter(model).json_schema()


_PREFIX = "parameter_shown_as_"


def _rename(document: Json) -> Json:
    properties = document.get("properties", {})
    if any(name.startswith(_PREFIX) for name in properties):
        document["properties"] = {
            name.removeprefix(_PREFIX): {
                **each,
                **(
                    {"title": _format_title(name.removeprefix(_PREFIX))}
                    if each.get("title") == _format_title(name)
                    else {}
                ),
            }
            for name, each in properties.items()
        }
        if "required" in document:
            document["required"] = [name.removeprefix(_PREFIX) for name in document["required"]]
    return document


def _format_title(name: str) -> str:
    return name.title().replace("_", " ").strip()
