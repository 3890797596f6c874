"""The baseline: what a project lives with does not fail, and is never dropped."""

import json
import os

import pytest

from reviewer.compare.baseline import BaselineEntry, write
from reviewer.files.discovery import CannotReviewError

FINDING = "server.py:15:5 warning tool-without-description tool `forget` has no description"


@pytest.fixture
def file(repository):
    path = repository.folder / "known.json"
    result = repository.run("--baseline", str(path), "--write-baseline")
    assert result.returncode == 0, result.stderr
    assert "findings written" in result.stderr
    return path


def test_what_is_accepted_does_not_fail_and_is_counted(repository, file):
    assert repository.run("--fail-on", "suggestion").returncode == 1
    result = repository.run("--fail-on", "suggestion", "--baseline", str(file))
    assert result.returncode == 0
    assert result.stderr == ""
    count = len(json.loads(file.read_text())["findings"])
    assert f"baseline: {count} findings accepted" in result.stdout.splitlines()
    assert FINDING not in result.stdout
    report = json.loads(repository.run("--format", "json", "--baseline", str(file)).stdout)
    assert {each["status"] for part in report["sections"] for each in part["findings"]} == {"baseline"}
    assert report["summary"]["violations"] == 0
    assert report["summary"]["verdict"] == "PASS"


def test_what_is_new_fails_and_what_is_gone_is_told(repository, file):
    repository.edit(
        "server.py", "str:\n    return name", 'str:\n    """Forget one of the notes for good."""\n    return name'
    )
    repository.write("more.py", "from server import mcp\n\n\n@mcp.tool()\ndef more() -> str:\n    return ''\n")
    result = repository.run("--fail-on", "warning", "--baseline", str(file))
    assert result.returncode == 1
    assert "more.py:5:5 warning tool-without-description tool `more` has no description" in result.stdout
    assert result.stderr == "mcp-review: baseline: 1 entry is no longer found; rewrite it with --write-baseline\n"
    before = file.read_text()
    repository.run("--baseline", str(file), "--write-baseline")
    assert file.read_text() != before
    assert repository.run("--fail-on", "warning", "--baseline", str(file)).stderr == ""


def test_the_file_is_stable_sorted_and_has_one_finding_a_line(repository, file):
    text = file.read_text()
    repository.edit("server.py", '"""A server."""\n', '"""A server."""\n\n\n# more lines\n')
    repository.run("--baseline", str(file), "--write-baseline")
    assert file.read_text() == text
    rows = [json.loads(line.strip().rstrip(",")) for line in text.splitlines()[3:-2]]
    assert rows == json.loads(text)["findings"]
    assert rows == sorted(rows, key=lambda row: list(row.values()))
    assert list(rows[0]) == ["path", "rule", "tool", "fingerprint", "text"]


def test_rules_that_did_not_run_are_neither_gone_nor_lost(repository, file):
    rows = json.loads(file.read_text())["findings"]
    result = repository.run("--select", "tool-without-description", "--baseline", str(file), "--write-baseline")
    assert result.returncode == 0
    assert json.loads(file.read_text())["findings"] == rows
    assert repository.run("--select", "tool-without-description", "--baseline", str(file)).stderr == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such baseline"),
        ("{", "no JSON in line 1"),
        ("<<<<<<< ours\n", "no JSON in line 1"),
        ("[" * 100_000, "not a baseline"),
        ("[]", "it has no list of findings"),
        ('{"version": 9, "findings": []}', "it has version 9"),
        ('{"version": 1, "findings": [{"rule": 3}]}', "finding 1 is incomplete"),
        (b"\xff\xfe\x00", "not a baseline"),
    ],
)
def test_a_baseline_that_cannot_be_read(repository, refused, text, words):
    if text is not None:
        repository.write("known.json", text)
    refused(repository.run("--baseline", str(repository.folder / "known.json")), words)


def test_a_folder_and_a_pipe_are_no_baselines(repository, refused):
    refused(repository.run("--baseline", str(repository.folder)), "not a baseline")
    os.mkfifo(repository.folder / "pipe")
    refused(repository.run("--baseline", str(repository.folder / "pipe")), "not a baseline")


def test_places_that_cannot_be_written(repository, refused, tmp_path):
    refused(repository.run("--write-baseline", "--baseline", str(tmp_path / "no/known.json")), "cannot be written")


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    file = tmp_path / "known.json"
    file.write_text("before")

    def refuse(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(CannotReviewError, match="cannot be written: no space left on device"):
        write(file, [BaselineEntry("a.py", "r", "", "f", "t")])
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    file = tmp_path / "known.json"
    file.write_text("before")
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    write(link, [])
    assert link.is_symlink()
    assert json.loads(file.read_text()) == {"version": 1, "findings": []}
    assert file.stat().st_mode & 0o777 == 0o640
