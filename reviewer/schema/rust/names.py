"""The names that schemars gives to types that the project does not declare."""

from typing import Any

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.known_types import LISTS, MAPS, SETS
from reviewer.schema.rust.parts import Type

PREFIXES = {
    **dict.fromkeys(LISTS, "Array_of"),
    **dict.fromkeys(SETS, "Set_of"),
    "Option": "Nullable",
}
CAPITAL_BEFORE = frozenset({"string", "boolean", "null"})
"""Names that schemars 0.8 writes with a capital."""

NAMES = {"char": "Character", "bool": "boolean", "str": "string", "String": "string", "JsonObject": "Map_of_AnyValue"}


def name_foreign_type(run: Generator, type_: Type) -> str:
    """Name a type of another crate."""
    node = type_.node
    if node.type in ("unit_type", "tuple_type"):
        return (
            "_and_".join(run.name_of(type_.with_node(part)) for part in node.named_children).join(("Tuple_of_", ""))
            if (node.named_children)
            else "null"
        )
    if node.type == "array_type":
        element = find_child(node, "element")
        inner = run.name_of(type_.with_node(element)) if element is not None else ""
        return f"Array_size_{decode_node(find_child(node, 'length') or node)}_of_{inner}"
    if node.type in ("reference_type", "bracketed_type", "slice_type") and node.named_children:
        return run.name_of(type_.with_node(node.named_children[-1]))
    name = read_segments(node)[-1]
    arguments = type_.arguments
    if name in PREFIXES and arguments:
        return f"{PREFIXES[name]}_{run.name_of(arguments[0])}"
    if name in MAPS and len(arguments) > 1:
        return _format_for_map(run.name_of(arguments[0]), run.name_of(arguments[1]))
    return NAMES.get(name) or _get_for_schema(run.build_schema(type_))


def _format_for_map(key: str, value: str) -> str:
    return f"Map_of_{value}" if key in ("string", "String") else f"Map_from_{key}_to_{value}"


def _get_for_schema(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "AnyValue"
    return str(schema.get("format") or schema.get("type") or "AnyValue")
