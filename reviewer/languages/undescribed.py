"""Tools of which a description or a schema is there and cannot be read: no rule looked at it, and the report has to say so."""

from collections.abc import Iterator

from reviewer.facts import Project, Tool
from reviewer.languages.unanswered import format_tool_names
from reviewer.source import Opaque

# Without either, most rules have nothing to look at.
PARTS = ("description", "input_schema")


def iter_notes(project: Project) -> Iterator[Opaque]:
    """Yield for each server and reason the tools of which a whole part was not read."""
    for server in project.servers:
        hidden: dict[tuple[str, str], list[tuple[Tool, Opaque]]] = {}
        for tool in server.tools:
            parts = [part for part in PARTS if isinstance(getattr(tool, part), Opaque)]
            if parts:
                first = getattr(tool, parts[0])
                said = " and ".join(f"the {part.replace('input_', '')}" for part in parts)
                hidden.setdefault((said, first.reason), []).append((tool, first))
        for (said, why), tools in hidden.items():
            yield Opaque(
                f"{said} of {format_tool_names([tool for tool, _ in tools])} cannot be read: {why}", tools[0][1].span
            )
