"""What schemars 0.8, with which rmcp before 0.3 made its schemas, wrote in the place of what schemars 1 writes."""

import re
from typing import Any

from reviewer.facts import Json
from reviewer.text.patterns import pattern

NULL = {"type": "null"}

SMALL = {"int8": (-128, 127), "int16": (-32768, 32767), "uint8": (0, 255), "uint16": (0, 65535)}
"""Types whose bounds schemars 1 writes and 0.8 did not, but for a minimum of 0."""

# Keywords whose value holds schemas by name.
NAMED = ("properties", "$defs", "patternProperties")
# Keywords whose value is a list of schemas.
LISTS = ("oneOf", "anyOf", "allOf", "prefixItems")
# Keywords whose value is one schema.
SINGLE = ("items", "additionalProperties")
# schemars 0.8 joins the lines of a doc comment within a paragraph.
LINE = pattern(r"(?<!\n)\n(?!\n)")


def convert_schema(schema: Any) -> Any:
    """Write a schema as schemars 0.8 does: the null beside a type as `nullable`, no `const`, names that must be given sorted."""
    if not isinstance(schema, dict):
        return schema
    found = _get_tuple(_map(_get_bounds(_get_nullable(schema))))
    if "const" in found:
        found["enum"] = [found.pop("const")]
    if isinstance(found.get("required"), list):
        found["required"] = sorted(set(found["required"]))
    if isinstance(found.get("description"), str):
        found["description"] = LINE.sub(" ", re.sub(r"\n{2,}", "\n\n", found["description"]))
    for key, value in found.items():
        if key in NAMED and isinstance(value, dict):
            found[key] = {name: convert_schema(part) for name, part in value.items()}
        elif key in LISTS or (key == "items" and isinstance(value, list)):
            found[key] = [convert_schema(part) for part in value]
        elif key in SINGLE:
            found[key] = convert_schema(value)
    return found


def _get_nullable(schema: Json) -> Json:
    types = schema.get("type")
    if isinstance(types, list) and "null" in types:
        kept = [each for each in types if each != "null"]
        schema = {**schema, "type": kept[0] if len(kept) == 1 else kept, "nullable": True}
    choices = schema.get("anyOf")
    if isinstance(choices, list) and len(choices) == 2 and choices[1] == NULL and isinstance(choices[0], dict):
        left = {key: value for key, value in schema.items() if key != "anyOf"}
        schema = {**choices[0], **left, "nullable": True}
    return dict(schema)


def _get_bounds(schema: Json) -> Json:
    """Leave out the bounds that follow from a type's size."""
    low, high = SMALL.get(str(schema.get("format")), (None, None))
    if high is not None and schema.get("maximum") == high:
        del schema["maximum"]
    if low is not None and low < 0 and schema.get("minimum") == low:
        del schema["minimum"]
    return schema


def _map(schema: Json) -> Json:
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict) and len(patterns) == 1 and schema.get("additionalProperties") is False:
        schema["additionalProperties"] = next(iter(patterns.values()))
        del schema["patternProperties"]
    return schema


def _get_tuple(schema: Json) -> Json:
    if "prefixItems" in schema:
        schema["items"] = schema.pop("prefixItems")
    return schema
