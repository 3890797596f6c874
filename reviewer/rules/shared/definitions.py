"""What is wrong with the definition of a tool as such: parts of a type that the protocol does not allow."""

from reviewer.facts import Malformed, Schema, Tool
from reviewer.facts.parts import Json


def is_entry(tool: Tool) -> bool:
    """Return whether it is the definition of a tool at all: an object."""
    return find_fault(tool, "tool") is None


def find_fault(tool: Tool, part: str) -> Malformed | None:
    """Return the fault of a part of a definition; None if it has none."""
    return next((each for each in tool.malformed if each.part == part), None)


def find_argument_schema(tool: Tool) -> Schema | None:
    """Return the schema of the arguments, if there is one that can be read."""
    schema = tool.input_schema
    return schema if isinstance(schema, Schema) and not schema.absent else None


def read_properties(document: Json) -> Json:
    """Return the properties that a schema names itself."""
    named = document.get("properties")
    return named if isinstance(named, dict) else {}
