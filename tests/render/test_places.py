"""Places lead from the current folder to the file, wherever a reader of the terminal meets them; machine formats keep theirs."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from reports import full

from reviewer import multiple_paths
from reviewer.cli import app
from reviewer.render import text
from reviewer.report.relocation import relocate_places
from reviewer.source import Opaque, Span

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
    app.run(["sub", "--select", "duplicate-tool-name"])
    said = capfd.readouterr()
    assert said.err == "mcp-review: sub/latin.py:1: not UTF-8\n"
    (line,) = (each for each in said.out.splitlines() if "duplicate-tool-name" in each)
    assert line.startswith("sub/server.py:")
    assert "first at sub/server.py:" in line


def test_a_machine_format_keeps_paths_from_the_reviewed_folder(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    app.run(["sub", "--select", "duplicate-tool-name", "--format", "json"])
    (finding,) = (one for part in json.loads(capfd.readouterr().out)["sections"] for one in part["findings"])
    assert finding["path"] == "server.py"
    assert "at server.py:" in finding["message"]


@pytest.mark.parametrize("command", ["catalog", "score"])
def test_lists_name_what_was_not_read_from_the_current_folder(
    here: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    app.run([command, "sub", "--format", "text"])
    assert capfd.readouterr().err == "mcp-review: sub/latin.py:1: not UTF-8\n"


def test_a_server_without_tools_is_named_as_the_caller_did(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "sub" / "latin.py").unlink()
    (here / "sub" / "server.py").write_text("\n".join(SERVER.splitlines()[:2]))
    assert app.run(["sub"]) == 2
    assert capfd.readouterr().err.startswith("mcp-review: sub/server.py:2: no tool of this MCP server can be read")


def test_only_known_files_are_led() -> None:
    files = frozenset({"server.py", "a/[id].py"})
    assert relocate_places("at server.py:3, `server.py:4` and (a/[id].py:5)", files, "x/") == (
        "at x/server.py:3, `x/server.py:4` and (x/a/[id].py:5)"
    )
    assert relocate_places("localhost:8080 and other.py:3 and server.py", files, "x/") == (
        "localhost:8080 and other.py:3 and server.py"
    )


def test_the_lines_of_a_list_lead_from_the_current_folder(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    app.run(["catalog", "sub", "--format", "text"])
    assert [line.partition(":")[0] for line in capfd.readouterr().out.splitlines()] == ["sub/server.py"] * 2
    app.run(["catalog", "sub"])
    assert {each["path"] for each in json.loads(capfd.readouterr().out)["tools"]} == {"server.py"}


def test_the_lines_of_a_list_of_several_lead_there_too(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "sub" / "own").mkdir()
    (here / "sub" / "own" / "server.py").write_text(SERVER)
    (here / "sub" / "other").mkdir()
    (here / "sub" / "other" / "server.py").write_text(SERVER)
    app.run(["catalog", "sub/own", "sub/other", "--format", "text"])
    places = {line.partition(":")[0] for line in capfd.readouterr().out.splitlines()}
    assert places == {"sub/own/server.py", "sub/other/server.py"}


def test_the_file_that_kept_a_server_from_being_found_is_named_from_there(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "sub" / "latin.py").unlink()
    (here / "sub" / "server.py").write_text("def (\n")
    (here / "sub" / "bare.py").write_bytes(b"caf\xe9")
    assert app.run(["sub"]) == 2
    assert "; sub/bare.py: not UTF-8)" in capfd.readouterr().err


def test_a_place_in_a_remedy_leads_there() -> None:
    made = replace(full("server.py:7"), root=Path("sub"), files=frozenset({"server.py"}))
    assert "= help: mend sub/server.py:7\n" in text.render(made, text.Style(details=True))


def test_a_place_in_a_reason_leads_there_from_each_of_several(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is named as not read says where else to look."""
    broken = (Opaque("it is like server.py:4", Span("latin.py", 1, 1, 1, 1)),)
    part = SimpleNamespace(report=replace(full(), broken=broken, files=frozenset({"server.py"})), base="sub/")
    (moved,) = multiple_paths._move_report(part).broken
    assert (moved.span.path, moved.reason) == ("sub/latin.py", "it is like sub/server.py:4")
