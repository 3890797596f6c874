"""How the text report says how a section stands, in the seed's form and on a terminal."""

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from reports import RULES, finding, full, many, span

from reviewer.judge import UNCHANGED
from reviewer.render import RENDERERS, concise, text
from reviewer.render.cells import measure_width
from reviewer.report.model import Open, Report, SectionReport
from reviewer.rules import SECTIONS, Severity

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import benign, corpus, made
from shapes import of_concise, of_text

SCREEN = os.terminal_size((80, 24))
TERMINAL = text.Style(details=True, screen=SCREEN)
SUGGESTED = finding(1, severity=Severity.SUGGESTION)
INDENTED = re.compile(r"^ .*\n", re.MULTILINE)
LINE = re.compile(r".+:\d+:\d+ (error|warning|suggestion) \S+ .+")


def report(**sections) -> Report:
    """Return a report of the sections that are given by number, `s9=…`; nothing was checked in the others."""
    given = {int(name[1:]): part for name, part in sections.items()}
    absent = (SectionReport(each, "not-applicable", (), "no tool is there") for each in SECTIONS)
    return Report("core", "the default", tuple(given.get(part.section.number, part) for part in absent), 1)


def section(number: int, status="ok", findings=(), reason=None, waiting=()) -> SectionReport:
    return SectionReport(SECTIONS[number - 1], status, tuple(findings), reason, tuple(waiting))


def below(shown: str, number: int) -> list[str]:
    """Return the lines below the heading of a section, up to the next."""
    rest = shown.split(f"=== §{number}: ")[1].split("\n")[1:]
    return rest[: next(index for index, line in enumerate(rest) if re.match("===|not |base|matur", line))]


class TestSections:
    def test_ok_stands_alone_and_only_where_nothing_is_reported(self):
        shown = text.render(report(s1=section(1), s5=section(5, findings=[SUGGESTED] * 3), s6=section(6)))
        assert below(shown, 1) == ["OK"]
        assert below(shown, 5)[0] == "no violations, 3 suggestions"
        assert len(below(shown, 5)) == 4
        assert shown.endswith("\n0 violations, 2 sections OK. Verdict: PASS\n")

    @pytest.mark.parametrize("status", ["suppressed", "baseline"])
    def test_what_is_not_reported_leaves_a_section_ok(self, status):
        assert below(text.render(report(s1=section(1, findings=[replace(SUGGESTED, status=status)]))), 1) == ["OK"]

    def test_sections_in_which_nothing_was_checked_stand_together_by_reason(self):
        parts = {f"s{number}": section(number) for number in range(4, 18)}
        parts["s2"] = section(2, "not-applicable", reason="the profile has no rules for this section")
        lines = text.render(report(**parts)).splitlines()
        assert "not applicable: §1, §3 (no tool is there); §2 (the profile has no rules for this section)" in lines
        assert sum(line.startswith("===") for line in lines) == 14

    def test_a_section_says_what_it_looked_at_where_its_title_promises_more(self):
        for part in (section(12), section(12, findings=[SUGGESTED]), section(12, "violations", [finding(1)])):
            shown = text.render(report(s12=part))
            assert "covers only: schema bounds and patterns" in shown
            assert "arguments seen to reach paths, commands, SQL, hosts or code" in " ".join(shown.split())
            assert "covers only: schema bounds" in text.render(report(s12=part), TERMINAL)
        assert "covers only" not in text.render(report(s12=section(12, "not-applicable", reason="no tool")))

    @pytest.mark.parametrize("name", ["markdown", "html", "json"])
    def test_other_formats_say_it_too(self, name):
        assert "schema bounds and patterns" in RENDERERS[name](report(s12=section(12)))


class TestQuestions:
    def asked(self, *whys: str | None) -> Report:
        waiting = [Open(RULES["purpose-not-told"], span("a.py", 1), "read", why) for why in whys]
        return report(s9=section(9, "not-judged", reason=f"{len(whys)} questions", waiting=waiting))

    def test_what_nobody_was_asked_says_which_option_asks(self):
        lines = text.render(self.asked(None, None)).splitlines()
        assert "not judged: 2 questions (§9: 2); ask a model: --judge auto (see `mcp-review review --help`)" in lines
        assert below("\n".join(lines), 9) == []  # its state begins with "not "
        assert lines[lines.index("=== §9: Tool description: 4-element template ===") + 1] == "not judged: 2 questions"

    def test_what_was_asked_in_vain_does_not_say_to_ask(self):
        shown = text.render(self.asked("no answer", UNCHANGED))
        assert "unanswered: 1 question (§9: 1)\n" in shown
        assert "not judged again, as nothing changed since the base: 1 question (§9: 1)\n" in shown
        assert "--judge" not in shown

    def test_a_section_that_waits_is_never_ok(self):
        waiting = [Open(RULES["purpose-not-told"], span("a.py", 1), "read", None)]
        found = [finding(2, severity=Severity.SUGGESTION)]
        shown = text.render(report(s9=section(9, "not-judged", found, "1 question", waiting)))
        assert (
            "=== §9: Tool description: 4-element template ===\nnot judged: 1 question; no violations, 1 suggestion\nword.py:2:1 suggestion "
            in shown
        )


class TestTerminal:
    def test_sections_without_findings_stand_together(self):
        lines = text.render(report(s1=section(1), s6=section(6), s5=section(5, findings=[SUGGESTED])), TERMINAL)
        assert "OK: §1, §6\n" in lines
        assert [line for line in lines.splitlines() if line.startswith("===")] == ["=== §5: Tool registration ==="]

    def test_the_errors_are_on_the_screen_at_the_end(self):
        lines = text.render(many(200), TERMINAL).splitlines()
        assert len(lines) > 200
        rows = [row for line in lines for row in (line[at : at + 80] for at in range(0, len(line), 80))]
        screen = rows[-22:]  # with a prompt of two rows
        assert screen[0] == "=== Summary: 67 suggestions, 67 warnings, 66 errors ==="
        assert screen[1] == "not repeated here: 67 warnings, 47 errors"
        assert all(" error tool-without-description " in line for line in screen[2:-1])
        assert len(screen[2:-1]) == 66 - 47
        assert screen[-1] == lines[-1]

    def test_errors_come_after_warnings(self):
        few = report(
            s10=section(10, "violations", [finding(1), finding(2, severity=Severity.WARNING), SUGGESTED, finding(4)])
        )
        lines = text.render(few, text.Style(details=True)).splitlines()
        start = lines.index("=== Summary: 1 suggestion, 1 warning, 2 errors ===")
        assert [line.split()[:2] for line in lines[start + 1 : -1]] == [
            ["word.py:2:1", "warning"],
            ["word.py:1:1", "error"],
            ["word.py:4:1", "error"],
        ]

    def test_no_violation_needs_no_summary(self):
        assert "Summary" not in text.render(report(s1=section(1, findings=[SUGGESTED])), TERMINAL)

    def test_a_long_place_takes_two_rows_and_is_counted_so(self):
        deep = many(100)
        long = tuple(
            replace(each, span=each.span._replace(path="a/" * 40 + each.span.path), message="m" * 300)
            for each in deep.sections[0].findings
        )
        report = replace(deep, sections=(replace(deep.sections[0], findings=long),))
        lines = text.render(report, TERMINAL).splitlines()
        summary = lines[next(i for i, line in enumerate(lines) if line.startswith("=== Summary")) :]
        assert sum(-(-measure_width(line) // 80) for line in summary) <= 22

    def test_details_need_no_terminal(self):
        lines = text.render(full(), text.Style(details=True)).splitlines()
        at = next(index for index, line in enumerate(lines) if line.startswith("word.py:1:1 error "))
        assert lines[at + 1 : at + 4] == ["    1 | word = 1", "      | ^^^^", "      = help: mend word"]
        assert "OK" in lines  # the seed's form


class TestConcise:
    def test_a_line_for_each_finding_by_place_and_nothing_else(self):
        lines = concise.render(many(30)).splitlines()
        assert len(lines) == 30
        assert all(LINE.fullmatch(line) for line in lines)
        assert concise.render(report(s1=section(1))) == ""

    def test_what_was_there_before_is_left_out_unless_asked_for(self):
        assert concise.render(full()).count("\n") == len(full().counting)
        assert concise.render(full(), unchanged=True).count("\n") == len(full().findings)

    def test_a_line_that_is_no_finding_is_caught(self):
        with pytest.raises(ValueError, match="no finding"):
            of_concise("4 violations, 4 sections OK. Verdict: FAIL\n")


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.kind)
def test_hostile_text_changes_no_shape_with_details_either(case):
    style = text.Style(details=True)
    hostile = made(case.text)
    shapes = (of_text(INDENTED.sub("", text.render(each, style))) for each in (hostile, benign(hostile)))
    assert next(shapes) == next(shapes)
