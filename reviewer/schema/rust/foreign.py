"""Types of the standard library that schemars refers to by name."""

from typing import Any

from reviewer.facts import Json
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.parts import Type

SECONDS = {"type": "integer", "format": "uint64", "minimum": 0}
NANOSECONDS = {"type": "integer", "format": "uint32", "minimum": 0}
TIMES = {"Duration": ("secs", "nanos"), "SystemTime": ("secs_since_epoch", "nanos_since_epoch")}


def define_type(run: Generator, name: str, arguments: list[Type]) -> Json | None:
    """Refer to a type, and define it; None if schemars does not know it."""
    made: Json | None = None
    if name in TIMES:
        first, second = TIMES[name]
        made = _get_object({first: dict(SECONDS), second: dict(NANOSECONDS)})
    elif name in ("Range", "RangeInclusive") and len(arguments) == 1:
        name = f"Range_of_{run.name_of(arguments[0])}"
        made = _get_object({"start": run.build_schema(arguments[0]), "end": run.build_schema(arguments[0])})
    elif name == "Result" and len(arguments) == 2:
        name = f"Result_of_{run.name_of(arguments[0])}_or_{run.name_of(arguments[1])}"
        made = {
            "oneOf": [
                _get_object({"Ok": run.build_schema(arguments[0])}),
                _get_object({"Err": run.build_schema(arguments[1])}),
            ]
        }
    if made is None:
        return None
    run.definitions[name] = made
    return {"$ref": f"#/$defs/{name}"}


def _get_object(properties: dict[str, Any]) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}
