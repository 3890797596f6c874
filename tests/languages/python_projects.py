"""Python projects made for a test, with any files, and what is read from them."""

from pathlib import Path
from textwrap import dedent

from reviewer.facts import Json, Project, Schema, Tool
from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Opaque

MCP = "from mcp.server import MCPServer\nmcp = MCPServer('demo')\n"
FASTMCP = "from fastmcp import FastMCP\nmcp = FastMCP('demo')\n"
LOW = "from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\napp = Server('demo')\n"
OLDER = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('demo')\n"

ASSUMED = "read for a run without configuration"
"""What is said of a part that depends on configuration."""


def review(root: Path, files: dict[str, str] | str, sdk: dict[str, str] | None = None) -> Project:
    """Read a project of files by path; a text alone is its `server.py`."""
    for name, text in ({"server.py": files} if isinstance(files, str) else files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), "utf-8")
    return read(discover_files(root), sdk)


def tools(root: Path, files: dict[str, str] | str, sdk: dict[str, str] | None = None) -> list[Tool]:
    """Return the tools of all servers of a project."""
    return [tool for server in review(root, files, sdk).servers for tool in server.tools]


def tool(root: Path, files: dict[str, str] | str, sdk: dict[str, str] | None = None) -> Tool:
    """Return the one tool of a project."""
    [found] = tools(root, files, sdk)
    return found


def names(root: Path, files: dict[str, str] | str) -> list[str]:
    """Name the tools of all servers of a project."""
    return [str(each.name) for each in tools(root, files)]


def conditions(root: Path, files: dict[str, str] | str) -> dict[str, list[str]]:
    """Return the conditions of each tool by its name."""
    return {str(each.name): [found.text for found in each.conditions] for each in tools(root, files)}


def document(value: object) -> Json | None:
    """Return a schema that was read in full, None where there is none."""
    if value is None:
        return None
    assert isinstance(value, Schema), value
    assert value.holes == ()
    return None if value.absent else value.document


def told(found: Tool) -> list[str]:
    """Return what a tool says of the parts of it that cannot be read for sure."""
    return list(found.iter_unreadable())


def check_text(root: Path, lines: str, expression: str, value: str, *, untold: bool) -> None:
    """Check that a description comes to the text that Python makes; one that is `untold` may be unreadable instead."""
    found = tool(root, f"{lines}\n{MCP}@mcp.tool(description={expression})\ndef read(): ...")
    if untold and isinstance(found.description, Opaque):
        return
    assert found.description == value
    assert found.conditions == ()
