"""A part of a tool that is too large to be made is said to be that, and is named as not read."""

import pytest
from python_bad_input import project

TEXT = "s = 'abcdefghijklmnop'\n"
REASON = "a value that is too large to be made here"
TOOL = "\n\n@mcp.tool(description={})\ndef read(path: str) -> str:\n    return path\n"

GROWN = {
    "added to itself": "s = s + s\n" * 40,
    "added in place": "s += s\n" * 40,
    "multiplied": "s = s * 10 ** 9\n",
    "formatted": "s = f'{s}{s}'\n" * 40,
    "and added to": "s = s * 10 ** 9\ns = s + '.'\ns = f'{s}!'\n",
}


@pytest.mark.parametrize("grown", GROWN.values(), ids=GROWN)
def test_a_description_that_is_too_large(tmp_path, grown):
    server = "from mcp.server import MCPServer\n\nmcp = MCPServer('x')\n" + TEXT + grown + TOOL.format("s")
    found = project(tmp_path, {"server.py": server})
    (tool,) = (tool for each in found.servers for tool in each.tools)
    assert tool.description.reason == REASON
    assert [each.reason for each in found.broken] == [f"the description of `read` is {REASON}"]


def test_what_no_tool_has_is_not_named(tmp_path):
    server = (
        "from mcp.server import MCPServer\n\nmcp = MCPServer('x')\n" + TEXT + "s += s\n" * 40 + TOOL.format("'Reads.'")
    )
    assert project(tmp_path, {"server.py": server}).broken == ()


def test_syntax_that_is_newer_than_the_parser(tmp_path):
    newer = "def first[T: int = bool](x: T) -> T:\n    return x\n"
    server = f"from mcp.server import MCPServer\n\nmcp = MCPServer('x')\n\n\n{newer}" + TOOL.format("'Reads.'")
    (named,) = project(tmp_path, {"server.py": server}).broken
    assert named.reason == "code that could not be parsed: new syntax or an error; the rest of the file was read"
