"""Standard streams that cannot be written and a current folder that is gone: one line that says so, and no fault of ours."""

import os
from pathlib import Path

import pytest
from shells import shell

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path):
    return shell(tmp_path)


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")

COMMANDS = (
    "--help", "-V", "review --help", "init --help", "init", "serve --help", "judge --help", "judge export --help",
    "github --help", "github comment --help", "explain --help", "explain sse-transport", "rules", "server.py", "catalog .",
    "--show-completion bash",
)  # fmt: skip


@needs_full
@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_full_disk_behind_standard_output(run, arguments):
    result = run(arguments, ">/dev/full")
    told = "mcp-review: standard output: cannot be written: no space left on device\n"
    assert (result.returncode, result.stderr) == (2, told)


@needs_full
@pytest.mark.parametrize(("arguments", "code"), [("server.py", 0), ("nowhere", 2), ("--unknown", 2), (". --diff x", 2)])
def test_a_full_disk_behind_standard_error(run, arguments, code):
    assert run(arguments, "2>/dev/full").returncode == code


@pytest.mark.parametrize("arguments", ["--help", "-V", "rules", "review --help"])
def test_a_reader_that_went_away(run, arguments):
    result = run(arguments, "| true; sleep 0.2; exit ${PIPESTATUS[0]}", before="set -o pipefail; sleep 0.1;")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("closed", ["-V", "init"])
def test_standard_output_that_is_closed(run, closed):
    result = run(closed, ">&-")
    assert (result.returncode, result.stderr) == (2, "mcp-review: standard output: cannot be written: closed\n")


GONE = "mcp-review: the current folder was removed; change to one that is there\n"


@pytest.mark.parametrize(
    "arguments", [".", "init", "{folder}", "catalog .", "score {folder}", "judge export .", "x/", ". --diff main"]
)
def test_a_current_folder_that_was_removed(run, tmp_path, arguments):
    (tmp_path / "gone").mkdir()
    result = run(arguments.format(folder=tmp_path), before="rmdir ../gone;", at=tmp_path / "gone")
    assert (result.returncode, result.stdout, result.stderr) == (2, "", GONE)


@pytest.mark.parametrize("arguments", ["--help", "-V", "rules", "explain sse-transport", "review --help"])
def test_what_needs_no_folder(run, tmp_path, arguments):
    (tmp_path / "gone").mkdir()
    result = run(arguments, before="rmdir ../gone;", at=tmp_path / "gone")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_fault_of_ours_stays_one(monkeypatch, capfd):
    from reviewer.cli import app

    def fail(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.delenv("MCP_REVIEW_DEBUG", raising=False)
    monkeypatch.setattr(app, "app", lambda **_: fail())
    assert app.run(["rules"]) == 2
    assert "this is a bug in mcp-review" in capfd.readouterr().err
    assert os.getcwd()
