"""What is not installed: one line says the command that installs it."""

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from reviewer.cli.app import run
from reviewer.installation import extras, source
from reviewer.installation.source import format_requirement

ROOT = Path(__file__).parents[2]
SERVER = str(ROOT / "examples/notes-python")

ASKED = {
    "judge": ["--judge anthropic", SERVER, "--judge", "anthropic"],
    "bedrock": ["--judge bedrock", SERVER, "--judge", "bedrock", "--judge-model", "a-model"],
    "vertex": ["--judge vertex", SERVER, "--judge", "vertex", "--judge-model", "a-model"],
    "live": ["--live", "--live", "no-such-command"],
    "serve": ["serve", "serve"],
    "github": ["github", "github", "comment", "report.json"],
}

BLOCKED = """
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in {names!r}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocked())
from reviewer.cli.app import run
sys.exit(run({arguments!r}))
"""
"""Runs the command where modules cannot be imported."""


def without(names, arguments):
    return subprocess.run(
        [sys.executable, "-c", BLOCKED.format(names=set(names), arguments=arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_every_extra_has_its_modules():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras.MODULES) == set(ASKED) == set(declared) - {"all"}


@pytest.mark.parametrize("extra", extras.MODULES)
def test_what_is_not_installed_is_one_line_with_the_command(extra):
    said, *arguments = ASKED[extra]
    result = without(extras.MODULES[extra], arguments)
    command = f"{sys.executable} -m pip install {format_requirement(extra)}"
    assert result.stderr == f"mcp-review: {said} needs packages that are not installed: {command}\n"
    assert (result.returncode, result.stdout) == (2, "")


def test_a_key_alone_does_not_make_auto_ask_what_is_not_installed(monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setitem(extras.MODULES, "judge", ("no_such_module",))
    assert run([SERVER, "--judge", "auto"]) == 2
    assert capsys.readouterr().err.endswith(f"pip install {format_requirement('judge')}\n")


NOTED = {
    None: "'mcp-review[serve]'",
    '{"url": "file:///srv/my%20tools", "dir_info": {"editable": true}}': "-e '/srv/my tools[serve]'",
    '{"url": "file:///srv/tools", "dir_info": {}}': "'mcp-review[serve] @ file:///srv/tools'",
    '{"url": "https://example.org/mcp_review.whl", "archive_info": {}}': (
        "'mcp-review[serve] @ https://example.org/mcp_review.whl'"
    ),
    '{"url": "https://example.org/r.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}, "subdirectory": "py"}': (
        "'mcp-review[serve] @ git+https://example.org/r.git@0a1b#subdirectory=py'"
    ),
    "not JSON": "'mcp-review[serve]'",
    "[]": "'mcp-review[serve]'",
}


@pytest.mark.parametrize(("noted", "wanted"), NOTED.items())
def test_an_extra_comes_from_where_mcp_review_did(monkeypatch, noted, wanted):
    class Own:
        def read_text(self, name):
            return noted if name == "direct_url.json" else None

    monkeypatch.setattr(source, "distribution", lambda _name: Own())
    assert format_requirement("serve") == wanted
    assert shlex.split(wanted)[-1].rpartition("/")[2].count("[") <= 1


def test_a_checkout_that_is_not_installed(monkeypatch):
    def missing(name):
        raise source.PackageNotFoundError(name)

    monkeypatch.setattr(source, "distribution", missing)
    assert format_requirement("live") == "'mcp-review[live]'"


def test_an_environment_without_pip_is_installed_into_by_uv(monkeypatch):
    monkeypatch.setattr(source, "_read_origin", dict)
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    with pytest.raises(
        extras.CannotReviewError, match=r"uv pip install --python '/a folder/python' 'mcp-review\[live\]'"
    ):
        extras.require("live", "--live")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["--judge", "auto"], ["--format", "html"], ["--format", "sarif"]])
def test_a_review_from_source_needs_no_extra(arguments, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    brought = {"anyio", "mcp_types", "sniffio", "h11"}.union(*extras.MODULES.values())
    result = without(brought, [SERVER, *arguments])
    assert result.returncode == 1, result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["catalog", SERVER], ["score", SERVER], ["rules"], ["judge", "export", SERVER]])
def test_nor_does_any_other_command_that_reads_source(arguments):
    result = without(set().union(*extras.MODULES.values()), arguments)
    assert result.returncode == 0, result.stderr
