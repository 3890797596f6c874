"""The line of a finding: `path:line:column severity rule message`, with a path that leads to the file from here."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from reports import finding, full, span

from reviewer.judge import Judged
from reviewer.render.lines import render_finding_line, render_place
from reviewer.report.model import Decision
from reviewer.report.relocation import find_path_from_here
from reviewer.rules import Severity
from reviewer.source import Span

LINE = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+) (?P<severity>error|warning|suggestion) (?P<rule>\S+) .+"
)


@pytest.mark.parametrize("severity", Severity)
def test_a_line_has_place_severity_rule_and_message(severity):
    shown = render_finding_line(replace(finding(7, severity=severity), span=Span("a.py", 7, 3, 7, 9)), full())
    assert shown == f"a.py:7:3 {severity.value} tool-without-description tool `word` is word"


def test_marks_stand_at_the_end():
    verdict = Decision(Judged("not_met", "word", "because", "1", "m"))
    shown = render_finding_line(finding(1, decided=verdict, change="introduced"), full())
    assert shown.endswith(" tool `word` is word (judged) (introduced)")


@pytest.mark.parametrize("path", ["a.py:1:1 error x y", "=== a.py", "a b.py", "OK", "C:1.py", "a\n.py", "maturity: 1"])
def test_no_path_forges_a_place_or_a_heading(path):
    found = LINE.fullmatch(render_finding_line(replace(finding(7), span=span(path, 7)), full()))
    assert found is not None
    assert (found["line"], found["column"], found["severity"]) == ("7", "1", "error")
    assert not found["path"].startswith(("=", "maturity"))


def test_a_path_leads_from_the_current_folder_to_the_file(tmp_path, monkeypatch):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert find_path_from_here("src/a.py", None) == "src/a.py"
    assert find_path_from_here("src/a.py", Path()) == "src/a.py"
    assert find_path_from_here("src/a.py", Path("server")) == "server/src/a.py"
    assert find_path_from_here("src/a.py", Path("../server")) == "../server/src/a.py"
    assert find_path_from_here("src/a.py", here / "server") == "server/src/a.py"
    assert find_path_from_here("src/a.py", tmp_path / "server") == f"{tmp_path.as_posix()}/server/src/a.py"


def test_a_current_folder_that_is_gone_stops_no_report(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert find_path_from_here("a.py", tmp_path) == f"{tmp_path.as_posix()}/a.py"


def test_a_place_that_leads_up_is_no_heading(tmp_path):
    assert render_place(span("=== a.py", 1), replace(full(), root=Path())) == "./=== a.py:1:1"
    assert render_place(span("a b.py", 1), replace(full(), root=tmp_path)) == f"{tmp_path.as_posix()}/a b.py:1:1"
