"""Tools whose code was not found: what they do was not looked at, and silence about it must not be read as praise."""

from collections.abc import Iterator, Sequence

from reviewer.facts import Project, Tool
from reviewer.source import Opaque, Text

SHOWN = 3
"""Tools that are named: who looks into it needs a few to see which way of registering them was not followed."""


def iter_notes(project: Project) -> Iterator[Opaque]:
    """Yield for each server with several tools of which no code was found that these are not followed."""
    for server in project.servers:
        missed = [tool for tool in server.tools if tool.code is None and _is_declared(tool)]
        if len(missed) > 1:
            why = f"the code of {format_tool_names(missed)} was not found; what these tools do was not reviewed"
            yield Opaque(why, missed[0].span)


def format_tool_names(tools: Sequence[Tool]) -> str:
    """Return the first names of some tools, and how many more there are."""
    names = ", ".join(f"`{tool.name}`" if isinstance(tool.name, str) else "a tool" for tool in tools[:SHOWN])
    return names + (f" and {len(tools) - SHOWN} more" if len(tools) > SHOWN else "")


def _is_declared(tool: Tool) -> bool:
    """Return whether a tool is declared in source code, and not in a list of definitions."""
    return isinstance(tool.name, Text) and tool.span.path.endswith((".py", ".rs"))
