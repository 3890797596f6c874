"""The published schemas take what the command takes and writes, and refuse what it refuses."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from reviewer.cli.app import run
from reviewer.config import list_profiles, load_profile
from reviewer.handbook.json_schemas import build_config_schema, build_report_schema, render_schemas

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
CONFIG, REPORT = Draft202012Validator(build_config_schema()), Draft202012Validator(build_report_schema())


@pytest.mark.slow
@pytest.mark.parametrize("each", [CONFIG, REPORT], ids=["config", "report"])
def test_a_schema_is_one(each):
    Draft202012Validator.check_schema(each.schema)
    assert each.schema["additionalProperties"] is False


@pytest.mark.slow
def test_the_files_are_fresh():
    assert {path: (ROOT / path).read_text("utf-8") for path in render_schemas()} == render_schemas()


@pytest.mark.parametrize("server", ["notes-python", "bookmarks-rust", "tools/tools.json"])
def test_reports_are_valid(server, capsys):
    run([str(EXAMPLES / server), "--format", "json"])
    REPORT.validate(json.loads(capsys.readouterr().out))


@pytest.mark.slow
def test_reports_with_open_questions_and_comparisons_are_valid(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    run([str(EXAMPLES / "notes-python"), "--judge", "host", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["unanswered"]
    REPORT.validate(report)
    (tmp_path / "server.py").write_text((EXAMPLES / "notes-python/notes/server.py").read_text())
    own = ["-c", "user.name=a", "-c", "user.email=a@localhost"]
    for asked in (["init", "-q"], ["add", "server.py"], [*own, "commit", "-qm", "one"]):
        subprocess.run(["git", *asked], cwd=tmp_path, check=True)
    (tmp_path / "server.py").write_text((tmp_path / "server.py").read_text().replace('transport="sse"', ""))
    run([str(tmp_path), "--diff", "HEAD", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert len(report["compared"]["fixed"]) == 1
    REPORT.validate(report)


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(version=2),
        lambda report: report.pop("folder"),
        lambda report: report.update(further=1),
        lambda report: report["sections"][0].update(status="fine"),
        lambda report: report["summary"].update(verdict="pass"),
    ],
)
def test_what_is_no_report_is_refused(change, capsys):
    run([str(EXAMPLES / "notes-python"), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    change(report)
    with pytest.raises(ValidationError):
        REPORT.validate(report)


@pytest.mark.parametrize("name", list_profiles())
def test_what_profiles_set_is_valid_as_configuration(name):
    CONFIG.validate(json.loads(json.dumps({"rules": load_profile(name).rules})))


GOOD = [
    'profile = "core"\nselect = ["NAM-002", "sse-transport"]\nexclude = ["old/*"]\ninclude-tests = true',
    'fail-on = "warning"\n[sdk]\nmcp = "1.9.4"\n[judge]\nmax-questions = 20\nmax-cost = 1\nfail-on-unanswered = true',
    '[rules]\ntool-name-style = "off"\n"§5" = "warning"\nNAM-002 = { severity = "error", style = "camelCase" }',
    "[rules.list-without-cursor]\nverbs = ['list', 'all']\naccept-cap = false",
    "",
]
BAD = [
    'profil = "core"',
    'profile = "cor"',
    'include_tests = true',
    'include-tests = "perhaps"',
    'fail-on = "never"',
    '[judge]\nmodel = "mine"',
    "[judge]\nmax-cost = 'much'",
    '[rules]\nno-such-rule = "off"',
    '[rules]\ntool-name-style = "loud"',
    '[rules.tool-name-style]\nstyle = "shouting"',
    "[rules.tool-name-style]\nstyles = 'snake_case'",
    "[rules.sse-transport]\naccept_beside = true",
    'ignore = ["no-such-rule"]',
    "rules = 3",
    '[sdk]\nfastmpc = "2.14.1"',
    '[sdk]\nfastmcp = "newest"',
]  # fmt: skip


def reviewed(text: str, tmp_path: Path) -> int:
    (tmp_path / "mcp-review.toml").write_text(text)
    return run([str(EXAMPLES / "bookmarks-rust"), "--config", str(tmp_path / "mcp-review.toml")])


@pytest.mark.slow
@pytest.mark.parametrize("text", GOOD)
def test_a_configuration_that_is_taken_is_valid(text, tmp_path):
    assert reviewed(text, tmp_path) in (0, 1)
    CONFIG.validate(tomllib.loads(text))


@pytest.mark.parametrize("text", BAD)
def test_a_configuration_that_is_refused_is_not_valid(text, tmp_path):
    assert reviewed(text, tmp_path) == 2
    with pytest.raises(ValidationError):
        CONFIG.validate(tomllib.loads(text))
