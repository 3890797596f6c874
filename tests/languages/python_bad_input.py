"""Python projects that are hostile, broken, huge or odd, and what is read of them, every schema included."""

import textwrap

from python_projects import MCP

from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.render import catalog
from reviewer.source import Opaque

ONE = "\n@mcp.tool()\ndef one(): ...\n"
"""A tool that stands after what is bad, so that a test can tell whether the rest of the file was read."""


def write(folder, files):
    """Write files by their path; texts are dedented, bytes are kept as they are."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode("utf-8"))


def project(folder, files):
    """Read a project in full, every schema included."""
    write(folder, files)
    found = read(discover_files(folder))
    catalog.render_json([catalog.build_catalog_v1(found)])
    return found


def tools(folder, files):
    return [tool for server in project(folder, files).servers for tool in server.tools]


def names(folder, files):
    """Return the names of all tools, None for one that is said not to be readable."""
    return [shown(tool.name) for tool in tools(folder, files)]


def shown(name):
    return None if isinstance(name, Opaque) else str(name)


def described(folder, expression, before=""):
    """Return the description that an expression makes, and check that the tool is there all the same."""
    [tool] = tools(folder, {"server.py": f"{MCP}{before}\n@mcp.tool(description={expression})\ndef one(): ...\n"})
    assert tool.name == "one"
    return tool.description


def by_server(folder, files):
    return [
        (shown(server.name), [shown(tool.name) for tool in server.tools]) for server in project(folder, files).servers
    ]


def is_noted(tool, part):
    """Return whether a tool says of a part that it cannot be read, or was read under an assumption."""
    return any(each.startswith(part) for each in tool.iter_unreadable())
