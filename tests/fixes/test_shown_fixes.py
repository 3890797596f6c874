"""How formats and comments show a fix, and that nothing in one breaks out of them."""

import json
from dataclasses import replace

import pytest

from reviewer.config import Flags
from reviewer.files.discovery import CannotReviewError
from reviewer.fixes.edits import add_fixes
from reviewer.github.texts import find_suggestion, format_line_comment
from reviewer.pipeline import add_excerpts, read, run_rules
from reviewer.render import RENDERERS
from reviewer.report import reader
from reviewer.report.model import Fix, Lines
from reviewer.source import Edit, Span
from tests.fixes.conftest import HIGH, swapped
from tests.github.conftest import fixing, report

PRINTING = swapped(
    HIGH, ("    return gone(id)", "    print(id)  # ä\n    return id"), ("mcp = F", "import sys\n\nmcp = F")
)


@pytest.fixture
def shown(tmp_path):
    (tmp_path / "server.py").write_text(PRINTING)
    flags = Flags("core", ("prints-to-stdout",))
    reading = read(tmp_path, flags)
    return add_fixes(add_excerpts(run_rules(reading, flags)[0], reading), reading)


def test_json_tells_edits_and_lines_and_is_read_again(shown, tmp_path):
    document = RENDERERS["json"](shown)
    (found,) = [each["fix"] for part in json.loads(document)["sections"] for each in part["findings"]]
    place = {"path": "server.py", "line": 11, "column": 13, "end_line": 11, "end_column": 13}
    assert found == {
        "title": "print to the standard error",
        "applicability": "safe",
        "edits": [{**place, "text": ", file=sys.stderr"}],
        "lines": {"path": "server.py", "line": 11, "end_line": 11, "text": ["    print(id, file=sys.stderr)  # ä"]},
    }
    (tmp_path / "report.json").write_text(document)
    again = reader.read(tmp_path / "report.json").findings[0].fix
    assert again == Fix(found["title"], "safe", (), shown.findings[0].fix.lines)


@pytest.mark.parametrize("lines", [{"line": 0}, {"line": 12}, {"path": "../x.py"}, {"path": "/etc/passwd"}])
def test_a_stored_fix_that_leads_elsewhere_is_refused(shown, tmp_path, lines):
    document = json.loads(RENDERERS["json"](shown))
    for part in document["sections"]:
        for each in part["findings"]:
            each["fix"]["lines"] |= lines
    (tmp_path / "report.json").write_text(json.dumps(document))
    with pytest.raises(CannotReviewError, match="not a report of this version"):
        reader.read(tmp_path / "report.json")


def test_sarif_and_rdjson(shown):
    result = json.loads(RENDERERS["sarif"](shown))["runs"][0]["results"][0]
    region = {"startLine": 11, "startColumn": 13, "endLine": 11, "endColumn": 13}
    assert result["fixes"] == [
        {
            "description": {"text": "print to the standard error"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "server.py", "uriBaseId": "%SRCROOT%"},
                    "replacements": [{"deletedRegion": region, "insertedContent": {"text": ", file=sys.stderr"}}],
                }
            ],
        }
    ]
    diagnostic = json.loads(RENDERERS["rdjson"](shown))["diagnostics"][0]
    line = {"line": 11}
    assert diagnostic["suggestions"] == [
        {"range": {"start": line, "end": line}, "text": "    print(id, file=sys.stderr)  # ä"}
    ]


def test_the_page_tells_the_option_and_marks_what_changes(shown):
    page = RENDERERS["html"](shown)
    assert "Fix: print to the standard error (<code>--fix</code>)" in page
    assert '<code class="del" data-line="11"><span class="heard">removed: </span>    print(id)  # ä</code>' in page
    assert "added: </span>    print(id<ins>, file=sys.stderr</ins>)  # ä</code>" in page


def test_of_a_stored_report_the_page_tells_what_stands_there_afterwards():
    page = RENDERERS["html"](report(fixing("    x = 1", first=3)))
    assert '<code data-line="3">    x = 1</code>' in page
    assert "<ins>" not in page.partition("<body>")[2]


def test_of_a_long_line_the_page_shows_what_changes():
    line = f"[{'1, ' * 500}2]"
    lines = Lines("server.py", 1, 2, (line.replace("2]", "3]"), "  new"), before=(line, "old"))
    page = RENDERERS["html"](report(replace(fixing("x"), fix=Fix("do it", "safe", (), lines))))
    assert "1, <ins>3</ins>]" in page
    assert "added: </span><ins>  new</ins></code>" in page
    assert "1, " * 100 not in page


def test_the_lines_of_a_hostile_file_are_text():
    lines = Lines("server.py", 1, 1, ("</pre><b>\u202e",), before=("</code><script>x",))
    page = RENDERERS["html"](report(replace(fixing("x"), fix=Fix("do it", "safe", (), lines))))
    assert "<script>x" not in page
    assert "</pre><b>" not in page
    assert "\u202e" not in page


def test_markdown_tells_the_option(shown):
    assert "\n  - `--fix`: print to the standard error\n" in RENDERERS["markdown"](shown)


def test_a_fix_of_a_very_long_line_has_no_lines(tmp_path):
    (tmp_path / "t.json").write_text(
        '{"name": "a", "description": "%s", "inputSchema": {"type": "str"}}' % ("x" * 10_000)
    )
    flags = Flags("core", ("schema-not-valid",))
    reading = read(tmp_path / "t.json", flags)
    (found,) = add_fixes(run_rules(reading, flags)[0], reading).findings
    assert found.fix.lines is None
    assert [each.text for each in found.fix.edits] == ['"string"']


def test_definitions_are_suggested_to_pull_requests(tmp_path):
    text = '{\n  "name": "a",\n  "inputSchema": {\n    "properties": {"x": {"type": "str"}}\n  }\n}\n'
    (tmp_path / "t.json").write_text(text)
    flags = Flags("core", ("schema-not-valid",))
    reading = read(tmp_path / "t.json", flags)
    (found,) = add_fixes(run_rules(reading, flags)[0], reading).findings
    suggested = find_suggestion(found, "t.json", {"t.json": frozenset({4})})
    assert '\n```suggestion\n    "properties": {"x": {"type": "string"}}\n```\n' in format_line_comment(
        found, "mcp-review", suggested
    )


def test_the_page_holds_hostile_lines(shown):
    page = RENDERERS["html"](report(fixing("<script>alert(1)</script>\u202e", "</code></pre>")))
    assert "<script>alert" not in page
    assert "\\u{202e}" in page


def test_an_edit_of_several_files_has_no_lines():
    from reviewer.fixes.edits import _collect_changed_lines
    from reviewer.source import Source

    places = [Edit(Span(name, 1, 1, 1, 1), 0, 0, "x") for name in ("a.py", "b.py")]
    assert _collect_changed_lines(places, {name: Source(name, b"y\n") for name in ("a.py", "b.py")}) is None
