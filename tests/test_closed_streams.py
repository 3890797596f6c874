"""Standard streams that are closed when the command begins: one line that says so, and never a fault of ours."""

import shlex
import subprocess
import sys

import pytest

SERVER = """from mcp.server import MCPServer

mcp = MCPServer("x")


@mcp.tool()
def read(path: str) -> str:
    return path
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "server.py").write_text(SERVER)

    def command(arguments, closed):
        program = shlex.join([sys.executable, "-c", "from reviewer.cli import main; main()"])
        given = ["sh", "-c", f"exec {program} {arguments} {closed}"]
        return subprocess.run(given, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    return command


@pytest.mark.parametrize(
    "arguments", ["server.py", ". -f json", "catalog .", "score .", "rules", "explain sse-transport"]
)
def test_standard_output(run, arguments):
    result = run(arguments, ">&-")
    assert (result.returncode, result.stderr) == (2, "mcp-review: standard output: cannot be written: closed\n")


def test_standard_output_that_is_not_needed(run, tmp_path):
    assert run(". -f json -o report.json", ">&-").returncode == 0
    assert (tmp_path / "report.json").stat().st_size


def test_standard_error(run):
    result = run("server.py", "2>&-")
    assert result.returncode == 0
    assert "Verdict: PASS" in result.stdout
    assert run("no-such-folder", "2>&-").returncode == 2


def test_standard_input(run):
    result = run("- --stdin-filename server.py", "<&-")
    assert (result.returncode, result.stderr) == (2, "mcp-review: standard input: cannot be read: closed\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_the_server_mode(run, closed):
    result = run("serve", closed)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "one of them is closed" in result.stderr
