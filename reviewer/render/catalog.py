"""The catalog as JSON v1: what was read from the source, before any rule."""

from collections.abc import Container, Sequence
from typing import Any

from reviewer.facts import Project, Schema, Server, Tool
from reviewer.render.as_json import as_json
from reviewer.render.plain import escape_hidden
from reviewer.report.relocation import relocate_places
from reviewer.source import Opaque, Text


def render_json(catalogs: Sequence[dict[str, Any]]) -> str:
    """Render every tool of every server, and what cannot be read, of one project or of several."""
    joined = {key: [one for each in catalogs for one in each[key]] for key in ("tools", "unreadable")}
    return as_json({"version": 1, **joined})


def build_catalog_v1(project: Project, base: str = "") -> dict[str, Any]:
    """Turn what was read into its wire format; `base` stands before each path: it is empty or ends in a slash."""
    unreadable = [*project.broken, *(opaque for server in project.servers for opaque in server.unreadable)]
    return {
        "version": 1,
        "tools": [_build_tool(tool, server, base) for server in project.servers for tool in server.tools],
        "unreadable": [
            {"path": base + each.span.path, "line": each.span.line, "reason": each.reason} for each in unreadable
        ],
    }


def _build_tool(tool: Tool, server: Server, base: str) -> dict[str, Any]:
    return {
        **{part: _convert(value) for part, value in tool.definition.items()},
        "path": base + tool.span.path,
        "line": tool.span.line,
        "end_line": tool.span.end_line,
        "server": str(server.name) if isinstance(server.name, Text) else None,
        "language": server.language,
        "conditional": "; ".join(
            dict.fromkeys(f"{each.text}: {base}{each.span.path}:{each.span.line}" for each in tool.conditions)
        )
        or None,
        "unreadable": list(tool.iter_unreadable()),
    }


def _convert(value: Any) -> Any:
    if isinstance(value, Schema):
        return None if value.absent or any(not hole.path for hole in value.holes) else value.document
    return None if isinstance(value, Opaque) else value


def render_text(project: Project, base: str = "", files: Container[str] = ()) -> str:
    """Render a line for each tool: place, name, what is unreadable; `base` is put before each path and each of `files`."""
    lines = []
    for server in project.servers:
        for tool in server.tools:
            name = escape_hidden(tool.name) if isinstance(tool.name, Text) else "(unreadable name)"
            notes = [f"when {escape_hidden(each.text)}" for each in tool.conditions] + [
                escape_hidden(relocate_places(each, files, base)) for each in tool.iter_unreadable()
            ]
            lines.append(
                f"{escape_hidden(base + tool.span.path)}:{tool.span.line} {name}"
                + (f" ({'; '.join(notes)})" if notes else "")
            )
    return "".join(line + "\n" for line in lines)
