"""`mcp-review init` writes a configuration in which every line holds."""

import dataclasses
import tomllib

import pytest
from asking import asker
from jsonschema import Draft202012Validator
from test_cli import SERVER

from reviewer.cli.starter_config import EXAMPLES, format_configuration
from reviewer.config import Configuration, read_configuration
from reviewer.handbook.json_schemas import build_config_schema

SETTINGS = [
    line
    for line in format_configuration("core", "the default").splitlines()
    if line[:1] == "#" and line[1:2] not in (" ", "")
]


@pytest.fixture
def ask(capsys):
    return asker(capsys)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_writes_a_configuration_and_says_so(folder, ask):
    (folder / "server.py").write_text(SERVER)
    before = ask(".", "--format", "json")
    code, out, told = ask("init")
    assert (code, told) == (0, "")
    assert out == (
        "mcp-review.toml: written, with the profile core (the default; nothing in the code calls for another); all else in it is commented out\n"
    )
    assert tomllib.loads((folder / "mcp-review.toml").read_text()) == {"profile": "core"}
    assert ask(".", "--format", "json") == before


def test_the_profile_is_the_one_that_fits(folder, ask):
    (folder / "actions.py").write_text(
        "def respond(action, value):\n    return {'_meta': {'request_id': 1}, **value}\n# mcp\n"
    )
    (folder / "server.py").write_text(SERVER)
    fitting = ask(".")[1].split()[1]
    assert fitting in ask("init")[1]
    assert read_configuration(folder).configuration.profile == fitting


def test_a_folder_without_a_server_gets_the_default(folder, ask):
    (folder / "new").mkdir()
    code, out, _ = ask("init", "new")
    assert (code, out.partition(";")[0]) == (0, "new/mcp-review.toml: written, with the profile core (the default")


@pytest.mark.parametrize("line", SETTINGS)
def test_each_line_holds_when_it_is_uncommented(folder, line):
    (folder / "mcp-review.toml").write_text(format_configuration("core", "x").replace(line, line[1:]))
    found = read_configuration(folder).configuration
    assert found != Configuration(profile="core")
    Draft202012Validator(build_config_schema()).validate(tomllib.loads(line[1:]))


def test_all_lines_hold_together(folder, ask):
    (folder / "server.py").write_text(SERVER)
    (folder / "mcp-review-baseline.json").write_text('{"version": 1, "findings": []}')
    written = format_configuration("core", "x")
    for line in SETTINGS:
        written = written.replace(line, line[1:])
    (folder / "mcp-review.toml").write_text(written)
    assert ask(".")[0] in (0, 1)


def test_every_key_is_there_with_what_it_sets():
    named = {each.name for each in dataclasses.fields(Configuration)}
    assert named - {"profile"} == set(EXAMPLES)
    assert all(each.metadata["doc"] in format_configuration("core", "x") for each in dataclasses.fields(Configuration))


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("mcp-review.toml", ""),
        ("pyproject.toml", "[tool.mcp-review]\n"),
        ("Cargo.toml", "[package.metadata.mcp-review]\n"),
        ("package.json", '{"mcp-review": {}}'),
    ],
)
def test_it_writes_nothing_over_a_configuration(folder, ask, name, held):
    (folder / name).write_text(held)
    told = f"mcp-review: {name}: mcp-review is already configured there; nothing was written\n"
    assert ask("init") == (2, "", told)
    assert [each.name for each in folder.iterdir() if each.is_file()] == [name]


def test_a_configuration_above_does_not_stand_in_the_way(folder, ask):
    (folder / "mcp-review.toml").write_text("")
    (folder / "inner").mkdir()
    assert ask("init", "inner")[0] == 0


def test_what_is_no_folder_is_refused(folder, ask):
    (folder / "server.py").write_text(SERVER)
    for name in ("server.py", "nowhere"):
        assert ask("init", name)[2] == (
            f"mcp-review: {name}: not a folder; give the one that mcp-review.toml is to be written into\n"
        )
