"""`--fix` of files of tool definitions on the command line."""

import os
import signal
import stat
import subprocess
import sys

import pytest

from reviewer.fixes import apply

FAULTY = """{
  "tools": [
    {
      "name": "delete_rope",
      "description": "Deletes a rope for good. Use it when it is worn out.",
      "inputSchema": {
        "type": "object",
        "properties": {"id": {"type": "str", "description": "The rope."}}
      }
    }
  ]
}
"""
FIXED = FAULTY.replace('"str"', '"string"')
ONLY = ("--select", "schema-not-valid")


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "tools.json"
    file.write_text(FAULTY)
    return file


def test_what_is_fixed_is_told_and_what_remains_is_reviewed(file, command, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert command(file, *ONLY)[0] == 1
    code, out, err = command(file, *ONLY, "--fix")
    assert file.read_text() == FIXED
    assert (code, "Verdict: PASS" in out) == (0, True)
    assert err.splitlines() == [
        'mcp-review: fixed tools.json:8 set `"type": "string"` (schema-not-valid)',
        "mcp-review: 1 finding fixed",
    ]
    assert command(file, *ONLY, "--fix")[2] == "mcp-review: nothing to fix\n"


def test_mode_mark_and_line_ends_stay(file, command):
    file.write_bytes(b"\xef\xbb\xbf" + FAULTY.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    assert command(file, *ONLY, "--fix")[0] == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(file.parent) == ["tools.json"]


def test_a_dry_run_prints_what_git_applies(file, command):
    code, _, err = command(file, *ONLY, "--fix", "--dry-run", "--output", file.parent / "fix.patch")
    assert (code, err, file.read_text()) == (0, "mcp-review: 1 finding would be fixed\n", FAULTY)
    subprocess.run(
        ["git", "apply", "fix.patch"], cwd=file.parent, check=True, env={**os.environ, "GIT_DIR": "/nowhere"}
    )
    assert file.read_text() == FIXED


def test_unsafe_ones_take_a_word(file, command):
    text = FAULTY.replace("}}\n", '}}, "required": ["ghost"]\n')
    file.write_text(text)
    only = ("--select", "required-not-defined")
    assert command(file, *only, "--fix")[2] == "mcp-review: nothing to fix\n"
    command(file, *only, "--fix", "--unsafe")
    assert file.read_text() == text.replace('["ghost"]', "[]")


@pytest.mark.slow
def test_of_a_comparison_what_was_introduced_is_fixed(file, command):
    def git(*arguments):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=file.parent, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    new = '{"name": "b", "inputSchema": {"properties": {"n": {"type": "int"}}}},\n    {\n      '
    two = FAULTY.replace("{\n      ", new, 1)
    file.write_text(two)
    command(file, *ONLY, "--fix", "--diff", "HEAD")
    assert file.read_text() == two.replace('"int"', '"integer"')


def refused(file, command, word):
    code, out, err = command(file, *ONLY, "--fix")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert word in err


def test_a_read_only_file_is_told_in_one_line(file, command):
    file.chmod(0o444)
    refused(file, command, "read-only")
    assert file.read_text() == FAULTY


def test_a_link_is_told_in_one_line(file, command, tmp_path):
    (tmp_path / "link.json").symlink_to(file)
    refused(tmp_path / "link.json", command, "a link is not fixed")
    assert file.read_text() == FAULTY


def test_a_file_that_changes_meanwhile_is_told_in_one_line(file, command, monkeypatch):
    honest = apply.apply_fixes

    def slow(*given, **more):
        done = honest(*given, **more)
        file.write_text(FAULTY + " ")
        return done

    monkeypatch.setattr(apply, "apply_fixes", slow)
    refused(file, command, "changed since it was read")
    assert file.read_text() == FAULTY + " "


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', "\x00"])
def test_a_file_without_tools_is_told_in_one_line(file, command, text):
    file.write_text(text)
    code, _, err = command(file, "--fix")
    assert (code, err.count("\n")) == (2, 1)
    assert file.read_text() == text


@pytest.mark.parametrize(
    "where", [["-"], ["--live", "python x.py"], ["tools.json", "--live", "python x.py"], ["/dev/stdin"]]
)
def test_what_is_no_file_is_refused_in_one_line(command, where):
    code, out, err = command(*where, "--fix")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.slow
def test_a_full_disk_is_told_in_one_line(file):
    file.write_text(FAULTY.replace("The rope.", "The rope." * 1000))
    code = (
        "import resource, sys; from reviewer.cli.app import run; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "sys.exit(run(sys.argv[1:]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(file), *ONLY, "--fix"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"mcp-review: {file}: cannot be written: file too large; nothing is written\n"
    assert os.listdir(file.parent) == ["tools.json"]


@pytest.mark.slow
def test_an_interrupt_leaves_the_file_as_it_was(file):
    code = (
        "import os, signal, sys; from reviewer.cli.app import run\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(file), *ONLY, "--fix"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (128 + signal.SIGINT, "", "")
    assert (os.listdir(file.parent), file.read_text()) == (["tools.json"], FAULTY)
