"""What each format says of the same report, that its readers take it, and that reviewed text breaks out of none."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from reviewer import Flags
from reviewer.pipeline import add_excerpts, read, run_rules
from reviewer.render import QUOTING, RENDERERS
from reviewer.render.github import MOST
from reviewer.render.markdown import render as markdown
from reviewer.render.sarif import _build_rule
from reviewer.report.model import BaseComparison
from reviewer.rules import Severity, load

ROOT = Path(__file__).parent.parent.parent
SOURCE = """from mcp.server.fastmcp import FastMCP

mcp = FastMCP("größe")


@mcp.tool()
def a(schlüssel: str, größe: str = "ä", *, ü: str = "") -> str:
    return schlüssel


# mcp-review: ignore[tool-without-description] kept short
@mcp.tool()
def b(url: str) -> str:
    return url
"""


@pytest.fixture
def reading(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "servers/größe 1").mkdir(parents=True)
    (tmp_path / "servers/größe 1/server.py").write_text(SOURCE, "utf-8")
    return read(tmp_path / "servers/größe 1")


@pytest.fixture
def report(reading):
    return add_excerpts(run_rules(reading, Flags(profile="core"))[0], reading)


@pytest.fixture
def compared(report):
    first, *others = report.findings
    changes = {id(first): "introduced", **{id(each): "unchanged" for each in others}}
    sections = tuple(
        replace(part, findings=tuple(replace(each, change=changes.get(id(each))) for each in part.findings))
        for part in report.sections
    )
    fixed = (replace(first, fingerprint="0", message="gone"),)
    return replace(report, sections=sections, compared=BaseComparison("main", fixed))


def parsed(name, report):
    return json.loads(RENDERERS[name](report))


class TestTheSameStory:
    def test_paths_are_those_of_the_repository(self, report):
        assert report.folder == "servers/größe 1"
        result = parsed("sarif", report)["runs"][0]["results"][0]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "servers/gr%C3%B6%C3%9Fe%201/server.py", "uriBaseId": "%SRCROOT%"}
        for name in ("github", "markdown", "gitlab", "junit", "rdjson"):
            assert "servers/größe 1/server.py" in RENDERERS[name](report)
        assert parsed("json", report)["sections"][9]["findings"][0]["path"] == "server.py"

    def test_counts_and_verdict(self, report):
        counts, found = (report.violations, len(report.findings))
        assert (counts, found) == (3, 5)
        assert report.verdict.value in markdown(report).splitlines()[0]
        assert RENDERERS["github"](report).count("\n::") + 1 == found
        assert RENDERERS["github"](report).endswith(RENDERERS["text"](report).splitlines()[-1] + "\n")
        assert len(parsed("gitlab", report)) == len(parsed("rdjson", report)["diagnostics"]) == found
        suites = ET.fromstring(RENDERERS["junit"](report))
        assert len(suites) == len(report.sections)
        assert sum(int(suite.attrib["failures"]) for suite in suites) == len(suites.findall(".//failure")) == counts
        run = parsed("sarif", report)["runs"][0]
        assert (run["properties"]["verdict"], run["properties"]["violations"]) == (report.verdict.value, counts)

    def test_what_does_not_count(self, report):
        everything, counting = (parsed(name, report)["runs"][0]["results"] for name in ("sarif", "sarif-github"))
        hidden = [each for each in everything if "suppressions" in each]
        assert [each["suppressions"][0]["kind"] for each in hidden] == ["inSource"]
        assert [each for each in everything if each not in hidden] == counting
        assert "Not counted: 1 suppressed." in markdown(report)
        assert 'skipped message="suppressed"' in RENDERERS["junit"](report)

    def test_what_changed(self, compared):
        states = [
            each["baselineState"] for each in parsed("sarif", compared)["runs"][0]["results"] if "baselineState" in each
        ]
        assert sorted(states) == ["absent", "new", *["unchanged"] * 4]
        assert len(parsed("sarif-github", compared)["runs"][0]["results"]) == 5
        assert len(parsed("rdjson", compared)["diagnostics"]) == 1
        assert RENDERERS["github"](compared).count("title=") == 1
        assert "Unchanged and not annotated: 4" in RENDERERS["github"](compared)
        shown = markdown(compared)
        assert "Since `main`: 1 introduced, 1 fixed, 4 unchanged." in shown
        assert shown.index("Fixed: 1") < shown.index("Unchanged: 4")


class TestPlaces:
    def test_sarif_names_the_other_places_of_a_cause(self, report):
        found = report.findings[0]
        related = (found.span._replace(line=7, end_line=7),)
        sections = tuple(
            replace(part, findings=tuple(replace(each, related=related) for each in part.findings if each == found))
            for part in report.sections
        )
        (result,) = parsed("sarif", replace(report, sections=sections))["runs"][0]["results"]
        (place,) = result["relatedLocations"]
        assert place["physicalLocation"]["region"]["startLine"] == 7
        assert (
            place["physicalLocation"]["artifactLocation"]
            == result["locations"][0]["physicalLocation"]["artifactLocation"]
        )

    def test_sarif_counts_characters_and_quotes_them(self, report):
        run = parsed("sarif", report)["runs"][0]
        assert run["columnKind"] == "unicodeCodePoints"
        snippets = [each["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] for each in run["results"]]
        assert {'größe: str = "ä"', 'ü: str = ""'} <= set(snippets)

    def test_rdjson_counts_bytes(self, report):
        ranges = [each["location"]["range"] for each in parsed("rdjson", report)["diagnostics"]]
        line = SOURCE.splitlines()[6].encode()
        assert {line[each["start"]["column"] - 1 : each["end"]["column"] - 1].decode() for each in ranges} >= {
            'größe: str = "ä"',
            'ü: str = ""',
        }

    def test_without_the_lines_there_are_no_columns(self, report):
        first = report.findings[0]
        bare = replace(report, sections=(replace(report.sections[0], findings=(replace(first, excerpt=()),)),))
        (told,) = parsed("rdjson", bare)["diagnostics"]
        assert told["location"]["range"] == {"start": {"line": first.span.line}, "end": {"line": first.span.end_line}}


class TestLimits:
    def many(self, report, count):
        section = next(each for each in report.sections if each.findings)
        found = tuple(replace(section.findings[0], severity=Severity.ERROR, fingerprint=str(n)) for n in range(count))
        return replace(report, sections=(replace(section, findings=found),))

    def test_annotations_that_are_shown(self, report):
        lines = RENDERERS["github"](self.many(report, MOST + 3)).splitlines()
        assert sum(line.startswith("::error ") for line in lines) == MOST
        assert sum(line.startswith("error at ") for line in lines) == 3
        assert "3 of kind error" in lines[-2]

    def test_a_summary_that_is_full(self, report):
        shown = markdown(self.many(report, 1000), 20_000)
        assert 19_000 < len(shown.encode()) <= 20_000
        left = int(shown.partition("… and ")[2].partition(" more")[0])
        assert shown.count("\n- ") == 1000 - left

    def test_results_that_are_taken(self, report, monkeypatch):
        monkeypatch.setattr("reviewer.render.sarif.MOST", 3)
        run = parsed("sarif", report)["runs"][0]
        assert len(run["results"]) == 3
        assert run["results"][0]["level"] == "warning"
        assert "3 lighter results" in run["invocations"][0]["toolExecutionNotifications"][-1]["message"]["text"]

    def test_one_fingerprint_for_each(self, report):
        twins = replace(report, sections=report.sections * 2)
        assert len({each["fingerprint"] for each in parsed("gitlab", twins)}) == 2 * len(report.findings)


GITLAB = {
    "type": "array",
    "items": {
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./|/).+"},
                    "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}
"""What GitLab's documentation asks of a report; the public schemas of the others are held against in `evals/formats`."""


TEXT = {"required": ["text"], "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 1024}}}
POSITION = {"type": "integer", "minimum": 1}
REGION = dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITION)
PLACE = {
    "required": ["artifactLocation", "region"],
    "properties": {
        "artifactLocation": {"properties": {"uri": {"pattern": "^(?!/)([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}}},
        "region": {"required": list(REGION), "properties": REGION},
    },
}
RULE = {
    "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"],
    "properties": {
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": {"required": ["text", "markdown"]},
        "defaultConfiguration": {"properties": {"level": {"enum": ["error", "warning", "note"]}}},
        "properties": {
            "properties": {
                "tags": {"type": "array", "maxItems": 20, "uniqueItems": True},
                "problem.severity": {"enum": ["error", "warning", "recommendation"]},
                "security-severity": {"pattern": "^([1-9]|10)\\.0$"},
            }
        },
    },
}
RESULT = {
    "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
    "properties": {"message": TEXT, "locations": {"items": {"properties": {"physicalLocation": PLACE}}, "minItems": 1}},
}


def test_gitlab_takes_it(report):
    jsonschema.validate(parsed("gitlab", report), GITLAB)


@pytest.mark.parametrize("name", ["sarif", "sarif-github"])
def test_code_scanning_takes_it(name, reading):
    report = add_excerpts(run_rules(reading, Flags(profile="validator-46"))[0], reading)
    (run,) = parsed(name, report)["runs"]
    rules = run["tool"]["driver"]["rules"]
    jsonschema.validate(rules, {"items": RULE})
    jsonschema.validate(run["results"], {"items": RESULT})
    assert {each["ruleId"] for each in run["results"]} == {each["id"] for each in rules}
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])


def test_rules_of_security_alone_are_weighed_as_security():
    chosen = [load()[slug] for slug in ("hidden-characters", "http-without-auth", "tool-name-style")]
    rules = {rule.slug: _build_rule(rule, Severity.WARNING)["properties"] for rule in chosen}
    weighed = {name for name, properties in rules.items() if "security-severity" in properties}
    assert weighed == {name for name, properties in rules.items() if "security" in properties["tags"]}
    assert weighed == {"hidden-characters", "http-without-auth"}


@pytest.mark.parametrize("name", RENDERERS)
def test_two_renderings_are_the_same(name, report):
    assert RENDERERS[name](report) == RENDERERS[name](report)


@pytest.mark.slow
class TestTheCommand:
    def run(self, *arguments):
        command = [sys.executable, "-c", "from reviewer.cli import main; main()", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)

    def test_several_outputs_of_one_review(self, tmp_path):
        result = self.run(
            *(
                "examples/notes-python",
                "--format",
                "github",
                "--also",
                f"sarif:{tmp_path}/a",
                "--also",
                f"junit:{tmp_path}/b",
            )
        )
        assert result.returncode == 1
        assert result.stdout.startswith("::error ")
        assert json.loads((tmp_path / "a").read_text())["version"] == "2.1.0"
        assert ET.parse(tmp_path / "b").getroot().tag == "testsuites"

    @pytest.mark.parametrize(
        ("also", "said"),
        [
            ("sarf:x", "did you mean sarif?"),
            ("x", "known are text"),
            ("sarif", "give FORMAT:FILE"),
            ("sarif:/nowhere/x", "/nowhere/x: cannot be written"),
        ],
    )
    def test_outputs_that_cannot_be(self, also, said):
        result = self.run("examples/notes-python", "--also", also)
        assert result.returncode == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1

    def test_a_plain_review_loads_no_other_format(self):
        code = "import sys; from reviewer.cli.app import run; run(['examples/bookmarks-rust']); print(*sys.modules)"
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
        )
        loaded = result.stdout.splitlines()[-1].split()
        assert {name for name in loaded if name.startswith("reviewer.render.")} == {
            "reviewer.render.lines",
            "reviewer.render.plain",
            "reviewer.render.text",
        }
        assert not {"xml.etree.ElementTree", "importlib.metadata"} & set(loaded)


def test_quoting_formats_are_formats():
    assert set(RENDERERS) >= QUOTING


@pytest.mark.slow
def test_a_half_of_a_character_is_no_traceback(tmp_path):
    (tmp_path / "server.py").write_text(
        "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool(name='\\ud800')\ndef a() -> str: ...\n"
    )
    for name in RENDERERS:
        command = [sys.executable, "-m", "reviewer", str(tmp_path), "--format", name]
        result = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=ROOT)
        assert result.returncode in (0, 1), result.stderr
        result.stdout.decode("utf-8")


def test_json_is_what_strict_readers_take():
    from pydantic_core import from_json

    from reviewer.render.as_json import as_json

    assert from_json(as_json({"half": "\ud800x", "whole": "😀"})) == {"half": "\ufffdx", "whole": "😀"}
    assert from_json(as_json({"large": 10**5000, "flag": True, "some": 3})) == {"large": None, "flag": True, "some": 3}
    assert from_json(as_json([float("inf"), {"a": (float("nan"), 1.5)}]), allow_inf_nan=False) == [
        None,
        {"a": [None, 1.5]},
    ]
