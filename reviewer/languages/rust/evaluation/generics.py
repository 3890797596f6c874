"""Type parameters of the project's functions: `schema_of::<Query>()` asks `fn schema_of<T>()` for the schema of `Query`."""

from collections.abc import Mapping
from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child

MARK = "<{}>"
"""How a type parameter is told from an argument of the same name."""


def bind_type_parameters(
    call: Node, function: Node, names: Mapping[str, Any], path: str
) -> dict[str, tuple[Node, str]]:
    """Pair a function's type parameters with the types that a call names, each with the file that it is written in."""
    types, parameters = (
        find_child(find_child(call, "function"), "type_arguments"),
        find_child(function, "type_parameters"),
    )
    wanted = [part for part in parameters.named_children if part.type in PARAMETERS] if parameters is not None else []
    told = [part for part in types.named_children if part.type != "lifetime"] if types is not None else []
    marked = (MARK.format(decode_node(find_child(part, "name") or find_child(part, "left") or part)) for part in wanted)
    return dict(zip(marked, (resolve_type_parameter(part, names, path) for part in told), strict=False))


def resolve_type_parameter(type_: Node, names: Mapping[str, Any], path: str) -> tuple[Node, str]:
    """Return the type that stands for a type parameter, and any other type as it is; `(T)` is what a macro is given."""
    found = names.get(MARK.format(decode_node(type_).strip("() \n")))
    return (found[0], found[1]) if found is not None else (type_, path)


# The grammar's kinds of a type parameter, of which the version decides which one it gives; lifetimes take no type.
PARAMETERS = frozenset({"type_parameter", "constrained_type_parameter", "type_identifier"})
