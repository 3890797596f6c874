"""The catalog as JSON v1: what was read from the source, before any rule."""

from typing import Any

from reviewer.facts import Project, Schema, Server, Tool
from reviewer.render.as_json import as_json
from reviewer.render.plain import plain
from reviewer.source import Opaque, Text


def render_json(project: Project) -> str:
    """Render every tool of every server, and what cannot be read."""
    return as_json(catalog_v1(project))


def catalog_v1(project: Project) -> dict[str, Any]:
    """Turn what was read into its wire format."""
    unreadable = [*project.broken, *(opaque for server in project.servers for opaque in server.unreadable)]
    return {
        "version": 1,
        "tools": [_tool(tool, server) for server in project.servers for tool in server.tools],
        "unreadable": [{"path": each.span.path, "line": each.span.line, "reason": each.reason} for each in unreadable],
    }


def _tool(tool: Tool, server: Server) -> dict[str, Any]:
    return {
        **{part: _read(value) for part, value in tool.definition.items()},
        "path": tool.span.path,
        "line": tool.span.line,
        "end_line": tool.span.end_line,
        "server": str(server.name) if isinstance(server.name, Text) else None,
        "language": server.language,
        "conditional": "; ".join(
            dict.fromkeys(f"{each.text}: {each.span.path}:{each.span.line}" for each in tool.conditions)
        )
        or None,
        "unreadable": list(tool.unreadable()),
    }


def _read(value: Any) -> Any:
    if isinstance(value, Schema):
        return None if value.absent or any(not hole.path for hole in value.holes) else value.document
    return None if isinstance(value, Opaque) else value


def render_text(project: Project) -> str:
    """Render a line for each tool: place, name, what is unreadable."""
    lines = []
    for server in project.servers:
        for tool in server.tools:
            name = plain(tool.name) if isinstance(tool.name, Text) else "(unreadable name)"
            notes = [f"when {plain(each.text)}" for each in tool.conditions] + [
                plain(each) for each in tool.unreadable()
            ]
            lines.append(
                f"{plain(tool.span.path)}:{tool.span.line} {name}" + (f" ({'; '.join(notes)})" if notes else "")
            )
    return "".join(line + "\n" for line in lines)


RENDERERS = {"json": render_json, "text": render_text}
