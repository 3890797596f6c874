"""Places lead from the current folder to the file, wherever a reader of the terminal meets them; machine formats keep theirs."""

import json
from pathlib import Path

import pytest

from reviewer import cli
from reviewer.places import led

SERVER = '''from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")

@mcp.tool()
def read_text(path: str) -> str:
    """Reads a text."""
    return path

@mcp.tool(name="read_text")
def read_other(path: str) -> str:
    """Reads another text."""
    return path
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "server.py").write_text(SERVER)
    (tmp_path / "sub" / "latin.py").write_bytes(b"# mcp caf\xe9\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_messages_and_notes_lead_from_the_current_folder(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cli.run(["sub", "--select", "duplicate-tool-name"])
    said = capfd.readouterr()
    assert said.err == "mcp-review: sub/latin.py:1: not UTF-8\n"
    (line,) = (each for each in said.out.splitlines() if "duplicate-tool-name" in each)
    assert line.startswith("sub/server.py:")
    assert "first at sub/server.py:" in line


def test_a_machine_format_keeps_paths_from_the_reviewed_folder(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cli.run(["sub", "--select", "duplicate-tool-name", "--format", "json"])
    (finding,) = (one for part in json.loads(capfd.readouterr().out)["sections"] for one in part["findings"])
    assert finding["path"] == "server.py"
    assert "at server.py:" in finding["message"]


@pytest.mark.parametrize("command", ["catalog", "score"])
def test_lists_name_what_was_not_read_from_the_current_folder(
    here: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    cli.run([command, "sub", "--format", "text"])
    assert capfd.readouterr().err == "mcp-review: sub/latin.py:1: not UTF-8\n"


def test_a_server_without_tools_is_named_as_the_caller_did(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "sub" / "latin.py").unlink()
    (here / "sub" / "server.py").write_text("\n".join(SERVER.splitlines()[:2]))
    assert cli.run(["sub"]) == 2
    assert capfd.readouterr().err.startswith("mcp-review: sub/server.py:2: there is an MCP server")


def test_only_known_files_are_led() -> None:
    files = frozenset({"server.py", "a/[id].py"})
    assert led("at server.py:3, `server.py:4` and (a/[id].py:5)", files, "x/") == (
        "at x/server.py:3, `x/server.py:4` and (x/a/[id].py:5)"
    )
    assert led("localhost:8080 and other.py:3 and server.py", files, "x/") == (
        "localhost:8080 and other.py:3 and server.py"
    )
