"""What tools read of their input beside what they declare."""

from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import ArgumentUse, Part, Schema, Server, Tool
from reviewer.source import Span


def collect_declared_names(tool: Tool) -> frozenset[str] | None:
    """Name the arguments that a tool declares; None if more may be given, or if not all of them can be read."""
    schema = tool.input_schema
    if (
        not isinstance(schema, Schema)
        or schema.absent
        or schema.hides("properties")
        or not isinstance(tool.parameters, tuple)
    ):
        return None
    document = schema.document
    if document.get("additionalProperties") or document.get("patternProperties") or "$ref" in document:
        return None
    alternatives = [each for key in ("anyOf", "oneOf", "allOf") for each in document.get(key, ()) or ()]
    if alternatives and any(isinstance(each, dict) and "properties" in each for each in alternatives):
        return None
    return frozenset(str(each.name) for each in tool.parameters)


def is_spelling_of_any(key: str, names: frozenset[str]) -> bool:
    """Return whether a key is but another spelling of a declared one: `filePath`, `timeout` for `timeout_secs`."""
    plain = key.replace("_", "").replace("-", "").lower()
    return any(
        plain == name.replace("_", "").replace("-", "").lower() or name.lower().startswith(f"{key.lower()}_")
        for name in names
    )


def index_readers(server: Server) -> dict[Span, list[Tool]]:
    """Return for each place where an argument is read the tools that read it there."""
    found: defaultdict[Span, list[Tool]] = defaultdict(list)
    for tool in server.tools:
        for each in collect_uses(tool):
            if all(other.span != tool.span for other in found[each.name.span]):
                found[each.name.span].append(tool)
    return found


def iter_arguments(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Return the arguments of a tool, and the fields of those that are objects."""
    return (part for part in parts if part.depth <= 2 and not part.element)


def read(tool: Tool, part: Part) -> list[ArgumentUse]:
    """Return the reads of an argument, or of a field of one, by a tool; none of a field whose name several have."""
    if part.depth == 1:
        return [each for each in collect_uses(tool) if each.name == part.name]
    found = [each for each in _collect_all(tool) if each.name.endswith(f".{part.name}")]
    return found if len(found) == 1 else []


def collect_uses(tool: Tool) -> tuple[ArgumentUse, ...]:
    """Return the arguments that a tool reads, once for each place, without the fields of those."""
    return tuple(each for each in _collect_all(tool) if "." not in each.name)


def _collect_all(tool: Tool) -> tuple[ArgumentUse, ...]:
    return tuple(tool.code.argument_uses) if tool.code is not None else ()
