"""Folders for vendored code, and hidden ones: not searched for servers; where one may stand in them, that is said."""

import re
from collections.abc import Collection, Iterator

from reviewer.files.discovery import Tree, is_aside
from reviewer.source import Opaque, Span
from reviewer.text.patterns import pattern

SERVER = pattern(
    rb"^(?:\w+(?:: *[\w.]+)? *= *(?:\w+\.)?(?:FastMCP|MCPServer|Server)[\[(]|#\[tool_router|impl ServerHandler)", re.M
)
"""What begins a server, at the margin: examples in docstrings are indented."""


def iter_notes(tree: Tree, placed: Collection[str]) -> Iterator[Opaque]:
    """Yield a note on what looks like a server in such a folder; `placed` are the files in which tools were found."""
    found = [
        path
        for path, source in tree.sources.items()
        if is_aside(path) and path not in placed and b"mcp" in source.data and SERVER.search(source.data)
    ]
    if found:
        more = f" and {len(found) - 1} more file{'' if len(found) == 2 else 's'} look" if len(found) > 1 else " looks"
        why = (
            f"folders for vendored or archived code and hidden folders are not searched, and this file{more} like an MCP server; "
            "to review it, name its folder"
        )
        yield Opaque(why, Span(found[0], 1, 1, 1, 1))
