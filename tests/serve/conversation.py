"""Conversations with the server: in this process, or with one that was started as users start it."""

import os
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
import psutil
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from reviewer.serve.roots import resolve_roots
from reviewer.serve.server import build_server
from reviewer.serve.tools import ServedTools
from reviewer.serve.worker_pool import PoolBounds, WorkerPool

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SERVE = ["-P", "-c", "from reviewer.cli import main; main()", "serve"]

SERVER = """
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[str]:
    \"\"\"List the ropes.\"\"\"
    return ROPES[:limit]
"""


def environment(**more):
    return {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", ""), **more}


def talk(conversation, root, mode="auto", **bounds):
    """Hold a conversation with a server in this process."""

    async def held():
        tools = ServedTools(resolve_roots([root]), WorkerPool(PoolBounds(**bounds)))
        async with Client(build_server(tools), mode=mode) as client:
            return await conversation(client, tools)

    return anyio.run(held)


def ask(root, tool, _mode="auto", **arguments):
    """Call one tool of a server in this process."""

    async def one(client, _tools):
        return await client.call_tool(tool, arguments)

    return talk(one, root, _mode)


@asynccontextmanager
async def started(*arguments, cwd, mode="auto"):
    """Start a server and speak with it over stdio."""
    command = StdioServerParameters(
        command=sys.executable, args=[*SERVE, *map(str, arguments)], cwd=cwd, env=environment()
    )
    async with Client(stdio_client(command), mode=mode) as client:
        yield client


def launched(*arguments, cwd, **more):
    """Start a server and leave it to itself."""
    return subprocess.Popen(
        [sys.executable, *SERVE, *map(str, arguments)],
        cwd=cwd, env=environment(**more), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def children(process):
    """Return the processes that a process has started and that are not dead."""
    with suppress(psutil.Error):
        return [each.pid for each in psutil.Process(process).children() if is_running(each.pid)]
    return []


def is_running(process):
    with suppress(psutil.Error):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


def large(folder, files=400):
    """Write a tree whose review takes seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        name = f"list_ropes_{number}"
        (folder / f"m{number}.py").write_text(SERVER.replace("list_ropes", name).replace('"ropes"', f'"ropes{number}"'))
    return folder
