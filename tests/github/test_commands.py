"""`mcp-review github ...`: what it needs, what it does, and one clear line for whatever is wrong."""

import base64
import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.cli.app import run
from tests.github.loopback import HEAD, fails

EXAMPLE = Path(__file__).parent.parent.parent / "examples/notes-python"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.json"
    sarif = f"sarif-github:{file.with_suffix('.sarif')}"
    assert run([str(EXAMPLE), "--format", "json", "--output", str(file), "--also", sarif]) == 1
    return file


@pytest.fixture
def workflow(github, monkeypatch, tmp_path):
    """Stand in a workflow on a pull request."""
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7, "head": {"sha": HEAD}}}))
    variables = {
        "GITHUB_TOKEN": "right",
        "GITHUB_API_URL": github.url,
        "GITHUB_GRAPHQL_URL": f"{github.url}/graphql",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_RUN_ID": "5",
        "GITHUB_SHA": "c" * 40,
        "GITHUB_REF": "refs/pull/7/merge",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def refused(capsys, *words):
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("mcp-review: ")
    assert said.err.count("\n") == 1, said.err
    for word in words:
        assert word in said.err
    return True


@pytest.mark.slow
def test_comment_and_again(github, workflow, written, capsys):
    for done in ("comment posted", "comment unchanged"):
        assert run(["github", "comment", str(written)]) == 0
        assert capsys.readouterr().err == f"mcp-review: {done}\n"
    assert "(https://github.com/o/r/blob/aaaa" in github.bodies()[0]
    assert "/examples/notes-python/notes/server.py#L41)" in github.bodies()[0]


@pytest.mark.slow
def test_two_reviews_of_one_pull_request(github, workflow, written):
    for name in ("one", "two", "one"):
        assert run(["github", "comment", str(written), "--name", name]) == 0
    assert len(github.bodies()) == 2


def test_comments_on_lines(github, workflow, written, capsys):
    github.files = [{"filename": "examples/notes-python/notes/server.py", "patch": "@@ -39,2 +39,3 @@\n a\n+b\n+c"}]
    assert run(["github", "review", str(written)]) == 0
    assert "lines: 1 commented on" in capsys.readouterr().err
    assert "tool name `read_note` is registered twice" in github.threads[0]["body"]


def test_code_scanning(github, workflow, written, capsys):
    sarif = written.with_suffix(".sarif")
    assert run(["github", "upload", str(sarif)]) == 0
    sent = github.uploads[0]
    assert (sent["commit_sha"], sent["ref"]) == ("c" * 40, "refs/pull/7/merge")
    assert gzip.decompress(base64.b64decode(sent["sarif"])) == sarif.read_bytes()
    github.may_write = False
    assert run(["github", "upload", str(sarif)]) == 0
    assert "may not post" in capsys.readouterr().err


def test_a_sarif_file_that_is_none(workflow, written, monkeypatch, capsys):
    assert run(["github", "upload", str(workflow / "none.sarif")]) == 2
    assert refused(capsys, "none.sarif: cannot be read: no such file")
    monkeypatch.setattr("reviewer.github.scanning.MOST_BYTES", 10)
    assert run(["github", "upload", str(written)]) == 2
    assert refused(capsys, "larger than")


@pytest.mark.parametrize("command", ["comment", "review"])
def test_a_fork(github, workflow, written, command, capsys):
    github.may_write = False
    github.files = [{"filename": "examples/notes-python/notes/server.py", "patch": "@@ -0,0 +41 @@\n+b"}]
    assert run(["github", command, str(written)]) == 0
    assert refused(capsys, "may not post", "job summary", "workflow_run")
    assert github.bodies() == github.threads == []


@pytest.mark.slow
def test_the_second_workflow(github, workflow, written, capsys):
    run_ = {"head_sha": HEAD, "head_branch": "x", "head_repository": {"id": 42, "owner": {"login": "forker"}}}
    (workflow / "event.json").write_text(json.dumps({"workflow_run": run_}))
    assert run(["github", "comment", str(written)]) == 0
    assert "no open pull request" in capsys.readouterr().err
    github.pulls = [{"number": 7, "head": {"sha": HEAD, "label": "forker:x", "repo": {"id": 42}}}]
    assert run(["github", "comment", str(written)]) == 0
    assert len(github.bodies()) == 1


def test_a_push(workflow, written, capsys):
    (workflow / "event.json").write_text('{"ref": "refs/heads/main"}')
    assert run(["github", "comment", str(written)]) == 0
    assert "no pull request" in capsys.readouterr().err


@pytest.mark.slow
def test_without_an_event(github, workflow, written, monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_EVENT_PATH")
    assert run(["github", "comment", str(written)]) == 2
    assert refused(capsys, "--pull NUMBER")
    assert run(["github", "comment", str(written), "--pull", "7", "--head", "b" * 40]) == 0
    assert "moved on" in capsys.readouterr().err
    assert run(["github", "comment", str(written), "--pull", "7"]) == 0
    assert len(github.bodies()) == 1


def test_an_expired_token(workflow, written, monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_TOKEN", "expired")
    assert run(["github", "comment", str(written)]) == 2
    assert refused(capsys, "wrong or has expired")


def test_no_token(workflow, written, monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.delenv("GH_TOKEN", raising=False)
    assert run(["github", "comment", str(written)]) == 2
    assert refused(capsys, "GITHUB_TOKEN")


def test_no_patience(github, workflow, written, capsys):
    github.mishaps = [None] * 2 + [fails(500)] * 9
    assert run(["github", "comment", str(written), "--patience", "0.2"]) == 2
    assert refused(capsys, "GitHub", "given up")


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [("--name", "a -->", "--name"), ("--repository", "o/r/x", "OWNER/NAME"), ("--event", "none.json", "none.json")],
)
def test_options_that_are_wrong(workflow, written, option, value, word, capsys):
    assert run(["github", "comment", str(written), option, value]) == 2
    assert refused(capsys, word)


def test_a_report_that_is_none(workflow, capsys):
    assert run(["github", "comment", str(workflow / "event.json")]) == 2
    assert refused(capsys, "not a report in JSON v1")


def test_a_dry_run_speaks_with_nobody(github, workflow, written, capsys):
    assert run(["github", "comment", str(written), "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith("### mcp-review: ")
    assert github.log == []


@pytest.mark.slow
def test_a_review_loads_nothing_of_this():
    code = "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, str(EXAMPLE)], capture_output=True, text=True, check=False)
    loaded = done.stderr.split()
    assert "reviewer.cli.github_commands" in loaded
    assert not {"httpx2", "reviewer.github", "reviewer.report.reader"} & set(loaded)
