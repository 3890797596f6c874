"""Commands as a shell runs them, in a folder with a small server, with what it does to their streams and before them."""

import shlex
import subprocess
import sys
from pathlib import Path

SERVER = """from mcp.server import MCPServer

mcp = MCPServer("x")


@mcp.tool()
def read(path: str) -> str:
    return path
"""


def shell(folder: Path):
    """Return what runs a command in a folder, or in another, and returns how it ended."""
    (folder / "server.py").write_text(SERVER)

    def command(arguments, streams="", before="", at=folder):
        program = shlex.join([sys.executable, "-c", "from reviewer.cli import main; main()"])
        given = ["bash", "-c", f"{before} {program} {arguments} {streams}"]
        return subprocess.run(given, cwd=at, capture_output=True, text=True, timeout=60, check=False)

    return command
