"""What fastmcp takes out of a schema that pydantic made: titles, closed objects, definitions, discriminators."""

from collections.abc import Callable
from typing import Any

from reviewer.budget import get_budget
from reviewer.facts import Json
from reviewer.schema.python.dialects import PythonDialect

STRUCTURAL = frozenset({"type", "properties", "$ref", "items", "allOf", "oneOf", "anyOf", "required"})
"""Keywords that show that a `title` next to them is the title of a schema, and not a property."""
# A schema that allows anything has at most these keys; an object with others may be a table of properties.
SPEAKING = frozenset({"title", "description", "deprecated", "readOnly", "writeOnly"})
MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose value holds a schema under each name."""
# Keywords whose value is a list of schemas.
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
# Keywords whose value is one schema.
SINGLE = frozenset({"items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"})
LOCAL = "#/$defs/"


def trim_schema(document: Json, dialect: PythonDialect, *, root: bool = False) -> Json:
    """Trim a schema as a release of fastmcp does. `root` tells that the document is made of a function's parameters.

    Titles and closed objects go first, then references are replaced; a schema that refers to itself keeps them.
    """
    before = document
    document = _get_root_inlined(document)
    if root and not dialect.closed:
        document = {key: value for key, value in document.items() if key != "additionalProperties"}
    if root:
        document.pop("title", None)
    if dialect.opened:
        document = _get_everywhere(document, _open)
    if not dialect.titles:
        document = _get_everywhere(document, lambda node: _remove_title(node, dialect))
    if root and dialect.written_titles:
        _restore_titles(document, before)
    document = _without_unused(document)
    return inline_definitions(document, dialect) if dialect.inlined else document


def _get_everywhere(node: Any, change: Callable[[Json], Json]) -> Any:
    """Apply a change to every schema within a schema, the innermost first; data such as defaults is left alone."""
    if not isinstance(node, dict):
        return node
    changed: Json = {}
    for key, value in node.items():
        if key in MAPS and isinstance(value, dict):
            changed[key] = {name: _get_everywhere(each, change) for name, each in value.items()}
        elif key in LISTS and isinstance(value, list):
            changed[key] = [_get_everywhere(each, change) for each in value]
        else:
            changed[key] = _get_everywhere(value, change) if key in SINGLE else value
    return change(changed)


def _get_all(document: Json, change: Callable[[Json], Json]) -> Json:
    changed: Json = _get_everywhere(document, change)
    return changed


def _open(node: Json) -> Json:
    return {key: value for key, value in node.items() if not (key == "additionalProperties" and value is False)}


def _remove_title(node: Json, dialect: PythonDialect) -> Json:
    is_schema = bool(STRUCTURAL & node.keys()) or (not dialect.title_of_any and node.keys() <= SPEAKING)
    if not is_schema or not isinstance(node.get("title"), str):
        return node
    return {key: value for key, value in node.items() if key != "title"}


def _restore_titles(document: Json, before: Json) -> None:
    """Put back the titles of parameters that are not what pydantic makes of the name."""
    for name, part in before.get("properties", {}).items():
        title = part.get("title")
        if (
            isinstance(title, str)
            and title != name.title().replace("_", " ").strip()
            and name in document["properties"]
        ):
            document["properties"][name]["title"] = title


def _without_unused(document: Json) -> Json:
    definitions = document.get("$defs", {})
    used: set[str] = set()
    waiting = [{key: value for key, value in document.items() if key != "$defs"}]
    while waiting:
        for name in _collect_references(waiting.pop()) - used:
            used.add(name)
            waiting.append(definitions.get(name, {}))
    kept = {name: each for name, each in definitions.items() if name in used}
    rest = {key: value for key, value in document.items() if key != "$defs"}
    return {**rest, "$defs": kept} if kept else rest


def _collect_references(node: Any) -> set[str]:
    """Name the definitions that are referred to within."""
    if isinstance(node, list):
        return {name for each in node for name in _collect_references(each)}
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].removeprefix(LOCAL)} if isinstance(node.get("$ref"), str) else set()
    return own | {name for each in node.values() for name in _collect_references(each)}


def inline_definitions(document: Json, dialect: PythonDialect) -> Json:
    """Put definitions where they are referred to; a schema with a circle keeps them, all but the one at its root."""
    definitions = document.get("$defs", {})
    if not definitions:
        return document
    if _is_circular(definitions):
        return _get_root_inlined(document)
    whole: Json = _substitute_references({key: value for key, value in document.items() if key != "$defs"}, definitions)
    if dialect.discriminators == "kept":
        return whole
    if dialect.discriminators == "without mapping":
        return _get_all(whole, _drop_mapping)
    must = dialect.discriminators == "required"
    return _get_all(whole, lambda node: _drop_discriminator(node, must=must))


def _is_circular(definitions: Json) -> bool:
    """Return whether some definitions refer to each other in a circle: none of what is left refers to none of what is left."""
    left = {name: _collect_references(each) & definitions.keys() for name, each in definitions.items()}
    while left:
        ends = [name for name, referred in left.items() if not referred & left.keys()]
        if not ends:
            return True
        for name in ends:
            del left[name]
    return False


def _substitute_references(node: Any, definitions: Json) -> Any:
    """Put definitions in the place of references. Raises ExhaustedError for more than the budget affords."""
    get_budget().spend("nodes")
    if isinstance(node, list):
        return [_substitute_references(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref", "")).removeprefix(LOCAL)
    if name in definitions:
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return {**_substitute_references(definitions[name], definitions), **_substitute_references(beside, definitions)}
    return {key: _substitute_references(value, definitions) for key, value in node.items()}


def _get_root_inlined(document: Json) -> Json:
    """Put the definition that the root refers to in its place; nested references may still need the others."""
    definitions = document.get("$defs", {})
    name = str(document.get("$ref", "")).removeprefix(LOCAL)
    if name not in definitions or "type" in document:
        return dict(document)
    return {**definitions[name], **{key: value for key, value in document.items() if key != "$ref"}}


def _drop_mapping(node: Json) -> Json:
    told = node.get("discriminator")
    if not isinstance(told, dict):
        return node
    return {**node, "discriminator": {key: value for key, value in told.items() if key != "mapping"}}


def _drop_discriminator(node: Json, *, must: bool) -> Json:
    """Drop `discriminator` beside `anyOf` or `oneOf`; the property that it named may be required instead."""
    told = node.get("discriminator")
    if not isinstance(told, dict) or not ("anyOf" in node or "oneOf" in node):
        return node
    rest = {key: value for key, value in node.items() if key != "discriminator"}
    for key in ("anyOf", "oneOf") if must else ():
        if isinstance(rest.get(key), list):
            rest[key] = [_require_property(each, told.get("propertyName")) for each in rest[key]]
    return rest


def _require_property(variant: Any, name: Any) -> Any:
    if not isinstance(variant, dict) or not isinstance(name, str):
        return variant
    required = variant.get("required", [])
    return variant if name in required else {**variant, "required": [*required, name]}
