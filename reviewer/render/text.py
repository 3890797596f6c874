"""The checklist's own report: sections, one line for each finding, the verdict last."""

from collections.abc import Iterator

from reviewer.failures import ROOT
from reviewer.render.lines import finding_line, place
from reviewer.render.plain import plain
from reviewer.report import Comparison, Maturity, Report, SectionReport
from reviewer.rules import Severity

VERDICT_COLOURS = {"FAIL": "31", "INCOMPLETE": "31", "PASS with warnings": "33", "PASS": "32"}


def render(report: Report, *, colour: bool = False, unchanged: bool = False) -> str:
    """Render the report. With `colour`, for a terminal: severities and the verdict in colour.

    What stood at the base of a comparison is counted, and shown only if `unchanged` says so.
    """
    lines = [f"profile: {plain(report.profile)} ({plain(report.because)})"]
    for section in report.sections:
        lines.append(f"=== §{section.section.number}: {section.section.title} ===")
        lines += _section(section, report, colour, unchanged)
    if report.unreviewed:
        lines.append("=== Not reviewed ===")
        places = (f"{place(each.span, report)} " if each.span != ROOT else "" for each in report.unreviewed)
        lines += [where + plain(each.reason) for where, each in zip(places, report.unreviewed, strict=True)]
    lines += _offered(report)
    lines += _compared(report, report.compared, colour) if report.compared is not None else ()
    accepted = sum(each.status == "baseline" for part in report.sections for each in part.findings)
    lines += [f"baseline: {accepted} finding{'' if accepted == 1 else 's'} accepted"] if accepted else ()
    lines.append(maturity(report.maturity))
    lines.append(summary(report, colour=colour))
    return "\n".join(lines) + "\n"


def _offered(report: Report) -> Iterator[str]:
    """Show the descriptions that a model proposes, each line of them behind a bar: no one is taken for a line of the report."""
    if report.offers:
        yield "=== Proposed descriptions ==="
    for offer in report.offers:
        by = f"by {plain(offer.writer)}, judged anew by {plain(offer.judge)}: meets {', '.join(offer.meets)}"
        yield f"{place(offer.span, report)} tool `{plain(offer.tool)}`, {by}"
        yield from (f"  | {plain(line)}" for line in offer.text.split("\n"))


def maturity(scored: Maturity) -> str:
    """Render the score of all tools in one line."""
    if scored.score is None:
        return f"maturity: withheld, {plain(scored.withheld or '')}"
    return f"maturity: {scored.score}/100 ({scored.level})"


def _compared(report: Report, compared: Comparison, colour: bool) -> Iterator[str]:
    """Say what was fixed, and count what is new and what is not."""
    if compared.fixed:
        yield "=== Fixed ==="
        yield from (finding_line(each, report, colour=colour) for each in compared.fixed)
    from reviewer.render.alterations import plain_lines

    alterations = [*plain_lines(report)]
    if alterations:
        yield "=== Alterations of the review ==="
        yield from alterations
    introduced = len(report.counting)
    yield (
        f"since {plain(compared.base)} ({compared.commit[:10]}): {introduced} introduced, {len(compared.fixed)} fixed,"
        f" {len(report.findings) - introduced} unchanged"
    )


def _section(section: SectionReport, report: Report, colour: bool, unchanged: bool) -> Iterator[str]:
    before = sum(each.status == "reported" and each.change == "unchanged" for each in section.findings)
    if section.status == "ok":
        yield "OK"
    elif section.status != "violations":
        yield f"{section.status.replace('-', ' ')}: {plain(section.reason or '')}"
    elif section.waiting:
        yield f"not judged: {len(section.waiting)} question{'' if len(section.waiting) == 1 else 's'}"
    for finding in section.findings:
        if finding.status == "reported" and (unchanged or finding.change != "unchanged"):
            yield finding_line(finding, report, colour=colour)
    if before and not unchanged:
        yield f"unchanged: {before} finding{'' if before == 1 else 's'}"


def summary(report: Report, *, colour: bool = False) -> str:
    """Render the counts and the verdict in one line."""
    verdict = report.verdict.value
    if colour:
        verdict = f"\x1b[1;{VERDICT_COLOURS[verdict]}m{verdict}\x1b[0m"
    count = sum(each.severity is not Severity.SUGGESTION for each in report.counting)
    noun = "violation" if count == 1 else "violations"
    noun += " introduced" if report.compared is not None else ""
    sections = "section" if report.sections_ok == 1 else "sections"
    return f"{count} {noun}, {report.sections_ok} {sections} OK. Verdict: {verdict}"
