"""The hooks that the repository offers to pre-commit."""

import tomllib
from pathlib import Path

import pytest
import yaml

from reviewer.cli.app import run

ROOT = Path(__file__).parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_the_entry_of_each_hook_is_a_command_of_the_package():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert [hook["entry"] in scripts for hook in HOOKS] == [True]
    assert all({"id", "name", "entry", "language", "args", "pass_filenames"} <= set(hook) for hook in HOOKS)


@pytest.mark.slow
@pytest.mark.parametrize(("example", "code"), [("notes-python", 1), ("bookmarks-rust", 0), ("recipes-typescript", 0)])
def test_a_hook_fails_where_the_review_does(example, code, monkeypatch, capsys):
    (hook,) = HOOKS
    assert hook["pass_filenames"] is False
    monkeypatch.chdir(ROOT / "examples" / example)
    assert run(hook["args"]) == code
    assert "Verdict: " in capsys.readouterr().out
