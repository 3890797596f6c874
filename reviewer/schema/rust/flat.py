"""`#[serde(flatten)]`: the schema of a field put in the place of the field."""

from typing import Any

from reviewer.facts import Json

# An enum that is flattened into a struct is written as one of these.
CHOICES = ("oneOf", "anyOf")
# Beside one of these an object is closed by `unevaluatedProperties`, for `additionalProperties` does not see into them.
SUBSCHEMAS = ("if", "allOf", "anyOf", "oneOf", "$ref")


def flatten_schema(schema: Any, *, optional: bool) -> Any:
    """Return the schema of a flattened field as it stands for itself: unit variants are objects, nothing is forbidden."""
    if not isinstance(schema, dict):
        return schema
    schema = _with_objects(schema)
    if optional:
        schema = {key: value for key, value in schema.items() if key != "required"}
        if "oneOf" in schema:
            choices = {"anyOf": [{"oneOf": schema.pop("oneOf")}, {}]}
            schema = merge_schemas(schema, choices)
        elif "anyOf" in schema and {} not in schema["anyOf"]:
            schema = {**schema, "anyOf": [*schema["anyOf"], {}]}
    return _open(schema)


def _with_objects(schema: Json) -> Json:
    """Write the variants without values, which are texts elsewhere, as objects that hold null."""
    choices = list(schema.get("oneOf", []))
    if schema.get("type") == "string" and "enum" in schema:
        names = schema["enum"]
        schema = {key: value for key, value in schema.items() if key not in ("type", "enum")}
    elif choices and isinstance(choices[0], dict) and choices[0].get("type") == "string" and "enum" in choices[0]:
        names = choices.pop(0)["enum"]
    else:
        return schema
    held = [{"type": "object", "properties": {str(name): {"type": "null"}}, "required": [name]} for name in names]
    return {**schema, "oneOf": [*choices, *held]}


def _open(schema: Any) -> Any:
    """Allow what is unknown, in a schema and those it is made of: the struct around it decides."""
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: value
        for key, value in schema.items()
        if not (key in ("additionalProperties", "unevaluatedProperties") and value is False)
    }
    for key in (*CHOICES, "allOf"):
        if key in kept:
            kept[key] = [_open(each) for each in kept[key]]
    return kept


def merge_schemas(schema: Json, other: Any) -> Json:
    """Merge the schema of a flattened field into that of its struct."""
    if other is True:
        if "additionalProperties" in schema or "unevaluatedProperties" in schema:
            return schema
        return {**schema, _choose_rest_keyword(schema): True}
    if not isinstance(other, dict):
        return schema
    one, two = _get_normal(schema, other), _get_normal(other, schema)
    for key, value in two.items():
        one = _with(one, key, value)
    return one


def _choose_rest_keyword(schema: Json) -> str:
    return "unevaluatedProperties" if any(key in schema for key in SUBSCHEMAS) else "additionalProperties"


def _get_normal(schema: Json, other: Json) -> Json:
    """Let a schema speak of what none of its parts has evaluated, where the other has parts."""
    if "additionalProperties" not in schema or not (
        "unevaluatedProperties" in other or _choose_rest_keyword(other)[0] == "u"
    ):
        return dict(schema)
    kept = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {**kept, "unevaluatedProperties": schema["additionalProperties"]}


def _with(schema: Json, key: str, value: Any) -> Json:
    if key not in schema:
        return {**schema, key: value}
    if key in ("required", "allOf"):
        return {**schema, key: [*schema[key], *value]}
    if key in ("properties", "patternProperties"):
        return {**schema, key: {**schema[key], **value}}
    if key in CHOICES:
        kept = {name: part for name, part in schema.items() if name != key}
        return _with(kept, "allOf", [{key: schema[key]}, {key: value}])
    return schema
