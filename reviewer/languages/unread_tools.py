"""Tools of which something was not found or cannot be read: it is said, so that silence is not taken for praise."""

from collections.abc import Iterator, Sequence

from reviewer.facts import Project, Server, Tool
from reviewer.files.discovery import SUFFIXES
from reviewer.source import Opaque, Text

SHOWN = 3
"""Tools that are named: who looks into it needs a few to see which way of registering them was not followed."""

# Without either, most rules have nothing to look at.
PARTS = ("description", "input_schema")


def iter_notes(project: Project) -> Iterator[Opaque]:
    """Yield for each server the tools of which no code was found, then those of which a description or a schema was not read."""
    for server in project.servers:
        yield from _iter_code_notes(server)
    for server in project.servers:
        yield from _iter_part_notes(server)


def _iter_code_notes(server: Server) -> Iterator[Opaque]:
    """Yield that several tools of a server are not followed, if no code of them was found."""
    missed = [tool for tool in server.tools if tool.code is None and _is_declared(tool)]
    if len(missed) > 1:
        why = f"the code of {_format_tool_names(missed)} was not found; what these tools do was not reviewed"
        yield Opaque(why, missed[0].span)


def _is_declared(tool: Tool) -> bool:
    """Return whether a tool is declared in source code, and not in a list of definitions."""
    return isinstance(tool.name, Text) and tool.span.path.endswith(tuple(SUFFIXES))


def _iter_part_notes(server: Server) -> Iterator[Opaque]:
    """Yield for each reason the tools of which a whole part is there and cannot be read."""
    hidden: dict[tuple[str, str], list[tuple[Tool, Opaque]]] = {}
    for tool in server.tools:
        parts = [part for part in PARTS if isinstance(getattr(tool, part), Opaque)]
        if parts:
            first = getattr(tool, parts[0])
            said = " and ".join(f"the {part.replace('input_', '')}" for part in parts)
            hidden.setdefault((said, first.reason), []).append((tool, first))
    for (said, why), tools in hidden.items():
        names = _format_tool_names([tool for tool, _ in tools])
        yield Opaque(f"{said} of {names} cannot be read: {why}", tools[0][1].span)


def _format_tool_names(tools: Sequence[Tool]) -> str:
    """Return the first names of some tools, and how many more there are."""
    names = ", ".join(f"`{tool.name}`" if isinstance(tool.name, str) else "a tool" for tool in tools[:SHOWN])
    return names + (f" and {len(tools) - SHOWN} more" if len(tools) > SHOWN else "")
