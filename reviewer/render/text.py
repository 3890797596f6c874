"""The checklist's own report: sections, one line for each finding, the verdict last."""

from collections.abc import Iterator

from reviewer.render.plain import plain
from reviewer.report import Finding, Maturity, Report, SectionReport
from reviewer.rules import Severity

COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.SUGGESTION: "36"}
VERDICT_COLOURS = {"FAIL": "31", "PASS with warnings": "33", "PASS": "32"}


def render(report: Report, *, colour: bool = False) -> str:
    """Render the report. With `colour`, for a terminal: severities in colour and the rule at each line's end."""
    lines = [f"profile: {plain(report.profile)} ({plain(report.because)})"]
    for section in report.sections:
        lines.append(f"=== §{section.section.number}: {section.section.title} ===")
        lines += _section(section, colour)
    lines.append(maturity(report.maturity))
    lines.append(summary(report, colour=colour))
    return "\n".join(lines) + "\n"


def maturity(scored: Maturity) -> str:
    """Render the score of all tools in one line."""
    if scored.score is None:
        return f"maturity: withheld, {plain(scored.withheld or '')}"
    return f"maturity: {scored.score}/100 ({scored.level})"


def _section(section: SectionReport, colour: bool) -> Iterator[str]:
    if section.status == "ok":
        yield "OK"
    elif section.status != "violations":
        yield f"{section.status.replace('-', ' ')}: {plain(section.reason or '')}"
    elif section.waiting:
        yield f"not judged: {len(section.waiting)} question{'' if len(section.waiting) == 1 else 's'}"
    for finding in section.findings:
        if finding.status == "reported":
            yield _line(finding, colour)


def _line(finding: Finding, colour: bool) -> str:
    path = plain(finding.span.path)
    place = f"{'./' if path.startswith('=') else ''}{path}:{finding.span.line}"  # no file is taken for a heading
    mark = "suggestion: " if finding.severity is Severity.SUGGESTION else ""
    said = plain(finding.message) + (" (judged)" if finding.decided is not None else "")
    if not colour:
        return f"{place} {mark}{said}"
    paint = f"\x1b[{COLOURS[finding.severity]}m"
    return f"{paint}{place}\x1b[0m {mark}{said} \x1b[2m{finding.rule.slug}\x1b[0m"


def summary(report: Report, *, colour: bool = False) -> str:
    """Render the counts and the verdict in one line."""
    verdict = report.verdict.value
    if colour:
        verdict = f"\x1b[1;{VERDICT_COLOURS[verdict]}m{verdict}\x1b[0m"
    noun = "violation" if report.violations == 1 else "violations"
    sections = "section" if report.sections_ok == 1 else "sections"
    return f"{report.violations} {noun}, {report.sections_ok} {sections} OK. Verdict: {verdict}"
