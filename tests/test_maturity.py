"""The score: its arithmetic, who it is said of, when it is withheld, and how it is shown."""

import json
from dataclasses import replace

import pytest

from reviewer.cli.app import run
from reviewer.facts import Tool
from reviewer.inputs import definitions, documents
from reviewer.judge import Judged
from reviewer.judge.grades import Grades
from reviewer.maturity import LEVELS, count_judged, score_project
from reviewer.render.score import render_text
from reviewer.render.text import render_grades as lines
from reviewer.render.text import render_maturity as shown
from reviewer.report.model import Decision, Finding, Maturity, ToolScore
from reviewer.rules import Severity, load
from reviewer.source import Span, Text

GOOD = {
    "name": "get-note",
    "title": "Get a note",
    "description": 'Gets one note by its number, for example "7". Use this when you know the number; otherwise call find-notes first.',
    "inputSchema": {
        "type": "object",
        "properties": {
            "number": {
                "type": "integer",
                "description": "The number of the note, minimum 1, maximum 9999",
                "minimum": 1,
                "maximum": 9999,
            }
        },
        "required": ["number"],
    },
    "outputSchema": {
        "type": "object",
        "description": "The note",
        "properties": {"text": {"type": "string", "description": "What the note says, as Markdown"}},
    },
    "annotations": {"title": "Get a note", "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True},
}


def scored(*tools):
    project = definitions.build_project(documents.parse_document(json.dumps({"tools": tools}).encode(), "tools.json"))
    return score_project(project)


def test_a_tool_without_a_flaw_has_100():
    found = scored(GOOD)
    assert found.tools[0].costs == ()
    assert (found.score, found.level, found.withheld) == (100, "exemplary", None)


def test_errors_cost_5_warnings_2_suggestions_1():
    tool = {**GOOD, "annotations": {"title": "Get a note", "destructiveHint": False}}  # two suggestions
    tool["inputSchema"] = {**GOOD["inputSchema"], "required": ["number", "absent"]}  # an error
    tool["name"] = "2get-note"  # a warning for the digit, an error for the style, a warning for the verb
    points = {cost.rule.codes[0]: cost.points for cost in scored(tool).tools[0].costs}
    assert {code: points[code] for code in ("SCH-008", "BP-002", "BP-004", "NAM-004")} == {
        "SCH-008": 5,
        "BP-002": 1,
        "BP-004": 1,
        "NAM-004": 2,
    }


def test_a_rule_of_two_codes_costs_both():
    tool = {key: value for key, value in GOOD.items() if key != "description"}
    (cost,) = [cost for cost in scored(tool).tools[0].costs if "SCH-002" in cost.rule.codes]
    assert cost.points == 10


def test_no_score_is_below_0():
    properties = {f"value{index}": {"type": "string"} for index in range(30)}
    assert scored({"name": "x", "inputSchema": {"type": "object", "properties": properties}}).score == 0


def test_the_mean_is_rounded_halves_up():
    half = {**GOOD, "annotations": {**GOOD["annotations"]}}
    del half["annotations"]["idempotentHint"]
    half["name"] = "list-notes"
    found = scored(GOOD, half)
    assert sorted(each.score for each in found.tools) == [99, 100]
    assert found.score == 100


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (100, "exemplary"),
        (91, "exemplary"),
        (90, "mature"),
        (71, "mature"),
        (70, "moderate"),
        (41, "moderate"),
        (40, "immature"),
        (0, "immature"),
    ],
)
def test_levels(score, level):
    assert next(name for least, name in LEVELS if score >= least) == level


def test_withheld_where_a_part_cannot_be_read(tmp_path, capsys):
    (tmp_path / "server.py").write_text(
        "import os\nfrom mcp.server import MCPServer\n\nmcp = MCPServer('n')\n\n"
        "@mcp.tool(description=os.environ['TEXT'])\ndef read() -> None: ...\n"
    )
    assert run(["score", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("  -  read  withheld, description: ")
    assert lines[1].startswith("maturity: no score, a part of `read` cannot be read: description: ")
    assert run(["score", str(tmp_path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["score"], document["level"]) == (None, None)
    assert document["tools"][0]["score"] is None


def test_the_table_has_the_worst_first():
    bare = {"name": "thing", "inputSchema": {"type": "object", "properties": {}}}
    lines = render_text(scored(GOOD, bare)).splitlines()
    assert [line.split()[1] for line in lines[:-1]] == ["thing", "get-note"]
    assert "-10 tool-without-description" in lines[0]
    assert lines[1] == "100  get-note"
    assert lines[2].startswith("maturity: ")


def test_hostile_names_stay_in_their_line():
    lines = render_text(scored({**GOOD, "name": "a\nmaturity: 100/100 (exemplary)"})).splitlines()
    assert len(lines) == 2


def test_the_report_shows_it(tmp_path, capsys):
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [GOOD]}))
    assert run([str(tmp_path / "tools.json")]) == 0
    assert capsys.readouterr().out.splitlines()[-2] == "maturity: 100/100 (exemplary)"
    assert run([str(tmp_path / "tools.json"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["maturity"] == {
        "score": 100,
        "level": "exemplary",
        "withheld": None,
    }


def test_the_score_counts_what_a_judge_found_and_says_so():
    span, other = Span("server.py", 3, 1, 5, 1), Span("server.py", 13, 1, 15, 1)
    rule = load()["purpose-not-told"]
    found = Finding(
        rule, Severity.WARNING, span, "m", "h", "sync", decided=Decision(Judged("not_met", None, "", "", "m"))
    )
    plain = replace(found, decided=None)
    before = Maturity(100, "exemplary", None, (ToolScore("sync", span, 100, None), ToolScore("copy", other, 100, None)))
    with_judge = count_judged(
        before, [found, found, plain], [(Tool(Text("sync", span), span), Grades((1, 2, 3, 4, 5, 3), "m"))]
    )
    assert [each.score for each in with_judge.tools] == [96, 100]
    assert with_judge.judged == 2
    assert [each.mean for each in with_judge.graded] == [3.0]
    assert shown(with_judge) == "maturity: 98/100 (exemplary); includes 2 findings of the judge"
    assert lines(with_judge) == (
        "grades of 1 description, 1 to 5, by m: purpose 1.0, usage 2.0, limitations 3.0, parameters 4.0, examples 5.0, "
        "completeness 3.0"
    )


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), True),
        (("--format", "json"), True),
        (("--format", "sarif", "--also", "markdown:report.md"), True),
        (("--format", "sarif"), False),
        (("--format", "concise"), False),
        (("--statistics",), False),
        (("--quiet",), False),
    ],
)
def test_the_score_is_made_where_a_format_shows_it(options, asked, tmp_path, monkeypatch):
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"tools": [GOOD]}))
    monkeypatch.chdir(tmp_path)
    made = []
    monkeypatch.setattr("reviewer.pipeline.score_project", lambda *given: made.append(1) or score_project(*given))
    run([str(tools), *options])
    assert bool(made) is asked
