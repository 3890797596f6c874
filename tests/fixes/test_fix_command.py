"""`--fix` on the command line: what is written, what is told, what does not go together."""

import os
import subprocess
import sys

import pytest

from tests.fixes.conftest import HIGH, swapped

PRINTING = swapped(HIGH, ("    return gone(id)", "    print(id)\n    return id"), ("mcp = F", "import sys\n\nmcp = F"))
FIXED = swapped(PRINTING, ("print(id)", "print(id, file=sys.stderr)"))


@pytest.fixture
def server(tmp_path):
    (tmp_path / "server.py").write_text(PRINTING)
    return tmp_path


@pytest.mark.slow
def test_what_is_fixed_is_told_and_what_remains_is_reviewed(server, command):
    code, out, err = command(server, "--fix")
    assert (server / "server.py").read_text() == FIXED
    assert "prints-to-stdout" not in out
    assert "Verdict: PASS" in out
    assert code == 0
    assert err.splitlines() == [
        f"mcp-review: fixed {server}/server.py:11 print to the standard error (prints-to-stdout)",
        "mcp-review: 1 finding fixed",
    ]
    assert command(server, "--fix")[2] == "mcp-review: nothing to fix\n"


@pytest.mark.slow
def test_the_exit_code_is_of_what_remains(server, command):
    assert command(server, "--fail-on", "error")[0] == 1
    (server / "server.py").write_text(
        PRINTING + "\n@mcp.tool(name='delete_rope')\ndef again(id: str):\n    '''Again.'''\n"
    )
    assert command(server, "--fix")[0] == 1


def test_a_dry_run_writes_nothing(server, command):
    code, out, err = command(server, "--fix", "--dry-run")
    assert (server / "server.py").read_text() == PRINTING
    assert (code, err) == (0, "mcp-review: 1 finding would be fixed\n")
    assert out.startswith("--- a/server.py\n+++ b/server.py\n@@ ")
    (server / "server.py").write_text(FIXED)
    assert command(server, "--fix", "--dry-run")[1] == ""


def test_git_applies_the_diff(server, command):
    command(server, "--fix", "--dry-run", "--output", server / "fix.patch")
    subprocess.run(["git", "apply", "fix.patch"], cwd=server, check=True, env={**os.environ, "GIT_DIR": "/nowhere"})
    assert (server / "server.py").read_text() == FIXED


def test_line_ends_and_mark_stay(server, command):
    data = b"\xef\xbb\xbf" + PRINTING.replace("import sys\n\n", "").replace("\n", "\r\n").encode()
    (server / "server.py").write_bytes(data)
    command(server, "--fix")
    wanted = swapped(FIXED.replace("import sys\n\n", ""), ("from mcp", "import sys\nfrom mcp")).replace("\n", "\r\n")
    assert (server / "server.py").read_bytes() == b"\xef\xbb\xbf" + wanted.encode()


@pytest.mark.slow
def test_unsafe_ones_take_a_word(server, command):
    text = swapped(HIGH, ("mcp.run()", 'mcp.run(transport="sse")'))
    (server / "server.py").write_text(text)
    command(server, "--fix")
    assert (server / "server.py").read_text() == text
    command(server, "--fix", "--unsafe")
    assert 'mcp.run(transport="streamable-http")' in (server / "server.py").read_text()


def test_a_file_may_be_named_itself(server, command):
    assert command(server / "server.py", "--fix")[0] == 0
    assert (server / "server.py").read_text() == FIXED


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--unsafe"], "--unsafe: requires --fix"),
        (["--dry-run"], "--dry-run: requires --fix"),
        (["--fix", "--live", "python x.py"], "no --live"),
        (["--fix", "--dry-run", "--format", "json"], "remove --format"),
        (["--fix", "--dry-run", "--also", "json:x.json"], "--also"),
    ],
)
def test_what_does_not_go_together(server, command, arguments, words):
    code, out, err = command(server, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert (server / "server.py").read_text() == PRINTING


def test_a_read_only_file_is_told_in_one_line(server, command):
    (server / "server.py").chmod(0o444)
    code, out, err = command(server, "--fix")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "read-only" in err
    assert (server / "server.py").read_text() == PRINTING


def test_the_baseline_is_left_alone(server, command):
    baseline = server / "baseline.json"
    command(server, "--baseline", baseline, "--write-baseline")
    command(server, "--baseline", baseline, "--fix")
    assert (server / "server.py").read_text() == PRINTING


@pytest.mark.slow
def test_of_a_comparison_what_was_introduced_is_fixed(server, command):
    def git(*arguments):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=server, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    (server / "server.py").write_text(swapped(PRINTING, ("print(id)", "print(id)\n    print('new')")))
    command(server, "--fix", "--diff", "HEAD")
    now = (server / "server.py").read_text()
    assert "print('new', file=sys.stderr)" in now
    assert "print(id)\n" in now


@pytest.mark.slow
def test_a_diff_is_no_workflow_command(server, command, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    text = swapped(PRINTING, ("    print(id)", '    """\n  ::error::x\n    """\n    print(id)'))
    (server / "server.py").write_text(text)
    code, out, err = command(server, "--fix", "--dry-run")
    assert (code, out) == (2, "")
    assert "workflow command" in err


@pytest.mark.slow
def test_a_plain_review_loads_nothing_of_it(server):
    code = (
        "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sorted(sys.modules), file=sys.stderr)"
    )
    for arguments in ([], ["--format", "github"]):
        ran = subprocess.run(
            [sys.executable, "-c", code, str(server), *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        loaded = set(ran.stderr.split())
        assert "reviewer.cli.app" in loaded
        assert (
            not {"reviewer.fixes.edits", "reviewer.fixes.apply", "reviewer.fixes.write", "reviewer.languages.edits"}
            & loaded
        )
