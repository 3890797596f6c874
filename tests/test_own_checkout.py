"""A review of this repository reviews its examples and nothing else, and reads our own server where that is asked for."""

import json
from pathlib import Path

import pytest
from asking import asker

ROOT = Path(__file__).parent.parent


@pytest.fixture
def ask(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    return asker(capsys)


@pytest.mark.slow
def test_the_examples_are_reviewed_and_nothing_else(ask):
    code, out, told = ask(".", "--format", "json")
    found = {each["path"].split("/")[0] for section in json.loads(out)["sections"] for each in section["findings"]}
    assert (code, told, found) == (1, "", {"examples"})
    code, out, told = ask("catalog", ".")
    servers = {"/".join(each["path"].split("/")[:2]) for each in json.loads(out)["tools"]}
    assert (code, told, servers) == (
        0,
        "",
        {"examples/notes-python", "examples/bookmarks-rust", "examples/recipes-typescript"},
    )
