"""Servers that are fixed in memory or on the disk."""

import pytest

from reviewer.cli.app import run
from reviewer.config import Flags
from reviewer.fixes import apply
from reviewer.pipeline import read

LOW = """import asyncio
import sys

from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import Tool, ToolAnnotations

server = Server("ropes")


@server.list_tools()
async def list_tools() -> list[Tool]:
    return [
        Tool(
            name="delete_rope",
            description="Deletes a rope for good. Use it when it is worn out.",
            inputSchema=SCHEMA,
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict):
    if name == "delete_rope":
        return ropes.gone(arguments["id"], arguments["opts"])
    raise ValueError(name)
"""
"""A server whose schema is to be put in for SCHEMA."""

HIGH = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ropes")


@mcp.tool()
def delete_rope(id: str) -> str:
    """Delete a rope for good. Use it when it is worn out."""
    return gone(id)


if __name__ == "__main__":
    mcp.run()
'''


@pytest.fixture
def fix(tmp_path):
    """Return what fixes a server's text in memory: the text afterwards."""

    def fixed(text, *slugs, unsafe=False, name="server.py", profile="core"):
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
        path = tmp_path / name if name.endswith((".json", ".yaml", ".yml")) else tmp_path
        done = outcome(path, *slugs, unsafe=unsafe, profile=profile)
        return done.after.tree.sources[name].data.decode()

    return fixed


def outcome(folder, *slugs, unsafe=False, profile="core"):
    """Fix what lies in a folder, in memory."""
    flags = Flags(profile, slugs)
    return apply.apply_fixes(read(folder, flags), flags, unsafe=unsafe)


def swapped(text, *pairs):
    """Put one thing in the place of another, each of which stands there once."""
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.fixture
def command(capsys):
    """Return what runs the command: its exit code, and what it says on both streams."""

    def ran(*arguments):
        code = run([str(each) for each in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return ran
