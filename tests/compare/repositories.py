"""Repositories that tests compare with, made by git itself."""

import json
import subprocess
from pathlib import Path

from invocation import invoke

SERVER = '''"""A server."""

from mcp.server import MCPServer

mcp = MCPServer("x")


@mcp.tool()
def read(path: str) -> str:
    """Read the file at a path within the notes."""
    return open(path).read()


@mcp.tool()
def forget(name: str) -> str:
    return name
'''


class Repository:
    """A repository in a folder, and the command in it."""

    def __init__(self, folder: Path, is_made: bool = False) -> None:
        self.folder = folder
        if not is_made:
            folder.mkdir(exist_ok=True)
            self.git("init", "-q", "-b", "main")

    def git(self, *arguments, **options):
        settings = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        command = ["git", *settings, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True, **options)
        return done.stdout.strip()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def edit(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def commit(self, message="a change"):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def run(self, *arguments, at=".", env=None):
        return invoke(self.folder / at, *arguments, env=env)

    def compared(self, *arguments, at=".", env=None):
        """Return what is introduced, fixed and unchanged, each as places and rules."""
        result = self.run("--format", "json", *arguments, at=at, env=env)
        assert result.returncode in (0, 1), result.stderr
        report = json.loads(result.stdout)
        found = [each for part in report["sections"] for each in part["findings"]]

        def listed(findings):
            return sorted(f"{each['path']} {each['tool']} {each['rule']}" for each in findings)

        by = {
            change: listed(each for each in found if each["change"] == change) for change in ("introduced", "unchanged")
        }
        return {**by, "fixed": listed(report["compared"]["fixed"])}
