"""The action's own steps, run as the runner runs them, on checkouts of pull requests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.github.loopback import HEAD
from tests.github.runner import Runner

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
SERVER = '''from mcp.server import MCPServer
mcp = MCPServer("x")

@mcp.tool()
def read(path: str) -> str:
    """Read the path."""

@mcp.tool()
def read(path: str) -> str:
    """Read it once more."""
'''


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    return folder


@pytest.fixture
def runner(checkout, github, tmp_path):
    event = tmp_path / "event.json"
    event.write_text('{"ref": "refs/heads/main"}')
    temp = tmp_path / "temp"
    temp.mkdir()
    variables = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "NO_PROXY": "127.0.0.1",
        "RUNNER_TEMP": str(temp),
        "GITHUB_API_URL": github.url,
        "GITHUB_GRAPHQL_URL": f"{github.url}/graphql",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_RUN_ID": "5",
        "GITHUB_SHA": "c" * 40,
        "GITHUB_REF": "refs/heads/main",
    }
    command = temp / "mcp-review"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m reviewer "$@"\n')
    command.chmod(0o755)
    installed = {"install": {"place": str(temp), "command": str(command)}, "setup": {}, "kept": {}}
    context = {"token": "right", "action_path": str(ROOT)}
    return Runner(ROOT / "action.yml", checkout, temp, context, variables, installed)


def recording(runner):
    """Put a command in place that writes down its arguments, and give where."""
    written = runner.temp / "arguments"
    command = Path(runner.replaced["install"]["command"])
    command.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {written}\n')
    return written


def test_a_push(runner, github):
    assert runner.run() == 1
    assert any(each.startswith("::error ") and "registered twice" in each for each in runner.commands)
    assert "this event belongs to no pull request" in runner.log
    assert "registered twice" in runner.summary
    assert runner.outputs["review"]["exit-code"] == "1"
    assert json.loads(Path(runner.outputs["review"]["report"]).read_text())["version"] == 1
    assert github.writes() == []


def test_code_scanning(runner, github):
    assert runner.run(code_scanning="true", annotations="false", summary="false") == 1
    assert github.uploads[0]["commit_sha"] == "c" * 40
    assert runner.commands == []
    assert "  server.py:9:5 error duplicate-tool-name tool name `read` is registered twice" in runner.log
    assert runner.summary == ""


def test_what_cannot_be_reviewed(runner, checkout):
    (checkout / "server.py").unlink()
    assert runner.run() == 2
    assert [each for each in runner.commands if each.startswith("::error title=mcp-review::mcp-review: .: no MCP")]
    assert "report" not in runner.outputs["review"]


def test_what_cannot_be_posted_changes_nothing(runner, github):
    event = {"pull_request": {"number": 7, "head": {"sha": HEAD}}}
    Path(runner.environment["GITHUB_EVENT_PATH"]).write_text(json.dumps(event))
    runner.github["token"] = "expired"
    assert runner.run() == 1
    assert "wrong or has expired" in runner.log
    assert "::warning title=mcp-review::not posted" in runner.log


def test_a_report_of_another_workflow_is_posted_only(runner, github):
    assert runner.run(path=".") == 1
    Path(runner.environment["GITHUB_EVENT_PATH"]).write_text(
        json.dumps({"pull_request": {"number": 7, "head": {"sha": HEAD}}})
    )
    report = runner.outputs.pop("review")["report"]
    assert runner.run(report=report) == 0
    assert "review" not in runner.outputs
    assert "registered twice" in github.bodies()[0]


@pytest.mark.parametrize("hostile", ["$(touch owned)", "`touch owned`", '"; touch owned; "', "-h", "--help", "a b\nc"])
def test_inputs_are_never_code(runner, checkout, hostile):
    names = "path base fail_on profile config config_from baseline judge name comment_on"
    for name in names.split():
        written = recording(runner)
        runner.run(**{name: hostile})
        assert not (checkout / "owned").exists()
        assert not (runner.temp / "owned").exists()
        if name == "path":
            said = written.read_text()
            assert said[said.index("\n--\n") + 4 :].startswith(f"{hostile}\n")


def test_a_checkout_is_never_imported(runner, checkout):
    for name in ("pip", "venv", "ensurepip", "sys", "reviewer", "typer", "sitecustomize"):
        (checkout / f"{name}.py").write_text("open('owned', 'w')")
    del runner.environment["PYTHONPATH"]
    command = Path(runner.replaced["install"]["command"])
    command.write_text(f"#!/bin/sh\ntest {runner.temp} = {runner.temp}\n")
    runner.run()
    assert Path(runner.outputs["find"]["python"]).exists()
    assert not (checkout / "owned").exists()


def test_hostile_names_of_files_forge_no_command(runner, checkout):
    for name in ("::error::forged.py", "##[error]forged.py"):
        (checkout / name).write_bytes(b'"\xff"')
    for annotations in ("true", "false"):
        runner.log = ""
        runner.run(annotations=annotations)
        assert "forged" in runner.log
        assert not [each for each in runner.commands if "forged" in each]


class TestPull:
    """A pull request from one commit to the next, as GitHub checks it out: the merge of both, two commits deep."""

    @pytest.fixture
    def opened(self, runner, checkout, github, tmp_path):
        """Open a pull request that adds a tool beside the doubled one, and mends nothing."""
        base = git(checkout, "rev-parse", "HEAD")
        git(checkout, "checkout", "-qb", "topic")
        (checkout / "server.py").write_text(f"{SERVER}\n@mcp.tool()\ndef write(path: str) -> str: ...\n")
        git(checkout, "commit", "-qam", "two")
        head = git(checkout, "rev-parse", "HEAD")
        git(checkout, "checkout", "-q", base)
        git(checkout, "merge", "-q", "--no-ff", "-m", "merge", head)
        git(checkout, "branch", "-f", "merge")
        git(tmp_path, "clone", "-q", "--depth", "2", "--branch", "merge", f"file://{checkout}", "cloned")
        runner.workspace = tmp_path / "cloned"
        runner.github |= {"event.pull_request.base.sha": base, "event.pull_request.head.sha": head}
        event = {"pull_request": {"number": 7, "head": {"sha": head}}}
        Path(runner.environment["GITHUB_EVENT_PATH"]).write_text(json.dumps(event))
        github.head = head
        github.files = [{"filename": "server.py", "patch": "@@ -10,1 +10,4 @@\n a\n+\n+b\n+c"}]
        return runner

    def test_what_is_introduced_is_said_and_nothing_else(self, opened, github):
        assert opened.run() == 0
        assert "tool `write` has no description" in github.bodies()[0]
        assert "introduced" in github.bodies()[0].split("\n")[0]
        assert "twice" not in github.bodies()[0]
        assert "tool `write` has no description" in "".join(each["body"] for each in github.threads)
        assert not [each for each in opened.commands if "twice" in each]

    def test_again_on_the_same_commit_posts_nothing_new(self, opened, github):
        opened.run()
        before = (github.bodies(), len(github.threads))
        assert opened.run() == 0
        assert (github.bodies(), len(github.threads)) == before

    def silenced(self, opened, files, message="silence"):
        """Add files to the pull request, and give the new head."""
        for name, text in files.items():
            (opened.workspace / name).write_text(text)
        git(opened.workspace, "add", "-A", "-f")
        git(opened.workspace, "commit", "-qm", message)

    def open_thread(self, opened, github):
        opened.run()
        (thread,) = github.threads
        assert not thread["resolved"]
        return thread

    @pytest.mark.parametrize(
        "files",
        [
            {"mcp-review.toml": 'ignore = ["tool-without-description"]\n'},
            {"mcp-review.toml": 'select = ["tool-name-style"]\n'},
            {"mcp-review.toml": 'profile = "tool-trait"\n'},
            {"mcp-review.toml": 'exclude = ["server.py"]\n', "other.py": SERVER},
            {".gitignore": "server.py\n"},
        ],
        ids=str,
    )
    def test_a_pull_request_does_not_silence_its_review(self, opened, github, files):
        thread = self.open_thread(opened, github)
        base = git(opened.workspace, "rev-parse", "HEAD^1")
        self.silenced(opened, files)
        opened.log = ""
        assert opened.run(base=base, fail_on="warning") == 1
        (body,) = github.bodies()
        assert "tool `write` has no description" in body
        assert "**What this change alters about its review**" in body
        assert not thread["resolved"]
        assert len([each for each in github.threads if each["body"] == thread["body"]]) == 1

    def test_who_asks_for_the_configuration_of_the_head_gets_it(self, opened, github):
        thread = self.open_thread(opened, github)
        base = git(opened.workspace, "rev-parse", "HEAD^1")
        self.silenced(opened, {"mcp-review.toml": 'ignore = ["tool-without-description"]\n'})
        assert opened.run(base=base, config_from="head", fail_on="warning") == 0
        assert "configuration: `ignore` is set to" in github.bodies()[0]
        assert not thread["resolved"]

    def test_a_suppression_holds_and_is_told(self, opened, github):
        thread = self.open_thread(opened, github)
        base = git(opened.workspace, "rev-parse", "HEAD^1")
        ignore = "# mcp-review: ignore[tool-without-description] it is plain\n"
        text = (opened.workspace / "server.py").read_text()
        self.silenced(opened, {"server.py": text.replace("@mcp.tool()\ndef write", f"{ignore}@mcp.tool()\ndef write")})
        assert opened.run(base=base) == 0
        assert github.bodies()[0].split("\n")[0].endswith("; this change suppresses 1 finding")
        assert not thread["resolved"]

    def test_a_thread_whose_finding_was_fixed_is_resolved(self, opened, github):
        thread = self.open_thread(opened, github)
        base = git(opened.workspace, "rev-parse", "HEAD^1")
        text = (opened.workspace / "server.py").read_text()
        fixed = text.replace(
            "def write(path: str) -> str: ...", 'def write(path: str) -> str:\n    """Write the path."""'
        )
        self.silenced(opened, {"server.py": fixed})
        assert opened.run(base=base) == 0
        assert thread["resolved"]

    def test_it_fails_by_what_is_introduced(self, opened):
        assert opened.run(fail_on="warning") == 1

    def test_a_fork(self, opened, github):
        github.may_write = False
        assert opened.run(fail_on="warning") == 1
        assert "may not post here" in opened.log
        assert [each for each in opened.commands if "tool `write` has no description" in each]
        assert github.comments == github.threads == []


class TestBase:
    """What a pull request is compared with, by what is checked out."""

    @pytest.fixture
    def pull(self, runner, checkout):
        base = git(checkout, "rev-parse", "HEAD")
        git(checkout, "checkout", "-qb", "topic")
        git(checkout, "commit", "-qm", "two", "--allow-empty")
        head = git(checkout, "rev-parse", "HEAD")
        runner.github |= {"event.pull_request.base.sha": "f" * 40, "event.pull_request.head.sha": head}
        return base, head

    def base(self, runner, **inputs):
        written = recording(runner)
        runner.run(**inputs)
        given = written.read_text().split("\n")
        return given[given.index("--diff") + 1] if "--diff" in given else None

    def test_the_merge_that_github_checks_out(self, runner, checkout, pull):
        base, head = pull
        git(checkout, "checkout", "-q", base)
        git(checkout, "merge", "-q", "--no-ff", "-m", "merge", head)
        assert self.base(runner) == base

    def test_the_head_itself(self, runner, pull):
        assert self.base(runner) == "f" * 40

    def test_a_shallow_checkout(self, runner, checkout, pull, tmp_path):
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{checkout}", "shallow")
        runner.workspace = tmp_path / "shallow"
        assert self.base(runner) == "f" * 40

    def test_no_repository(self, runner, pull, tmp_path):
        runner.workspace = tmp_path / "temp"
        assert self.base(runner) == "f" * 40

    def test_what_the_caller_says(self, runner, pull):
        assert self.base(runner, base="release") == "release"

    def test_a_push(self, runner):
        assert self.base(runner) is None


def test_rules_are_linked_as_they_are_at_the_commit_of_the_action(runner, github):
    event = {"pull_request": {"number": 7, "head": {"sha": HEAD}}}
    Path(runner.environment["GITHUB_EVENT_PATH"]).write_text(json.dumps(event))
    page = "https://github.com/a/mcp-review/blob/v1/docs/rules/duplicate-tool-name.md"
    runner.github |= {"action_repository": "a/mcp-review", "action_ref": "v1"}
    assert runner.run() == 1
    assert any(each.startswith("::error ") and each.endswith(f" {page}") for each in runner.commands)
    assert f"[`duplicate-tool-name`]({page})" in runner.summary
    assert f"[`duplicate-tool-name`]({page})" in github.bodies()[0]
