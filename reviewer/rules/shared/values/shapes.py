"""What the parts of a JSON Schema accept, as a rule has to say it."""

from typing import Any

from reviewer.facts import Json, Tool, parts
from reviewer.source import Span

# References that are followed one to the next, because they may form a circle. Schemas of servers use one or two.
DEEPEST = 8
NAMES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}


def collect_type_names(schema: Any, root: Json, depth: int = 0) -> frozenset[str]:
    """Name the types that a schema accepts: `string`, `string[]`, `null`, or `any` if it does not say."""
    if not isinstance(schema, dict) or depth > DEEPEST:
        return frozenset({"any"})
    if isinstance(schema.get("$ref"), str):
        return collect_type_names(resolve_reference(schema, root), root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(key), list) and "type" not in schema:
            return frozenset().union(*(collect_type_names(part, root, depth + 1) for part in schema[key]))
    return frozenset(_format_array(name, schema, root, depth) for name in _collect_types(schema))


def resolve_reference(schema: Any, root: Json) -> Json:
    """Follow a reference to what it stands for; a schema that is none stands for itself."""
    found = schema if isinstance(schema, dict) else {}
    if isinstance(found.get("$ref"), str):
        target = parts.resolve_reference(found["$ref"], root)
        return target if isinstance(target, dict) else {}
    return found


def locate_argument(tool: Tool, name: str) -> Span | None:
    """Return the place where an argument of a tool is declared."""
    listed = tool.parameters if isinstance(tool.parameters, tuple) else ()
    return next((each.span for each in listed if each.name == name), None)


def _collect_types(schema: Json) -> list[str]:
    given = schema.get("type")
    if given is None and ("enum" in schema or "const" in schema):
        return sorted({NAMES.get(type(value), "null") for value in schema.get("enum", [schema.get("const")])})
    if given is None and "properties" in schema:
        return ["object"]
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else [str(given or "any")]


def _format_array(name: str, schema: Json, root: Json, depth: int) -> str:
    if name != "array":
        return name
    inner = collect_type_names(schema.get("items"), root, depth + 1)
    return f"{next(iter(inner))}[]" if len(inner) == 1 else "array"
