"""The checklist's own report: sections, one line for each finding, the verdict last."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reviewer.failures import ROOT
from reviewer.judge import UNCHANGED
from reviewer.records import dataclass
from reviewer.render.lines import render_finding_line, render_message, render_other_places, render_place
from reviewer.render.plain import escape_hidden
from reviewer.report.model import BaseComparison, Finding, Maturity, Open, Report, SectionReport, ServerReport
from reviewer.report.relocation import find_way, relocate_places
from reviewer.rules import Section
from reviewer.source import Opaque
from reviewer.text.excerpts import format_count

VERDICT_COLOURS = {"FAIL": "31", "INCOMPLETE": "31", "PASS with warnings": "33", "PASS": "32"}


@dataclass(frozen=True, slots=True)
class Style:
    """How the report is shown.

    `colour` marks severities and the verdict. `unchanged` shows also what stood at the base of a comparison. `details` puts the
    line of source and the remedy under each finding, and a summary before the verdict. `screen` is the size of the terminal, on
    which sections without findings stand together; None if it is none.
    """

    colour: bool = False
    unchanged: bool = False
    details: bool = False
    screen: os.terminal_size | None = None


PLAIN = Style()
"""The report as scripts and logs get it."""


def render(report: Report, style: Style = PLAIN) -> str:
    """Render the report."""
    lines = [f"profile: {escape_hidden(report.profile)} ({render_message(report.because, report)})"]
    for part in report.sections:
        lines += _iter_section_lines(part, report, style)
    if report.servers:
        lines.append("=== Servers ===")
        lines += (f"{render_place(each.span, report)} {render_server_line(each, report)}" for each in report.servers)
    if report.unreviewed:
        lines.append("=== Not reviewed ===")
        lines += (_render_located(each, report) for each in report.unreviewed)
    if report.unread_parts:
        lines.append("=== Not read ===")
        lines += (_render_located(each, report) for each in report.unread_parts)
    lines += _iter_offer_lines(report)
    lines += _iter_comparison_lines(report, report.compared, style) if report.compared is not None else ()
    accepted = sum(each.status == "baseline" for part in report.sections for each in part.findings)
    lines += [f"baseline: {format_count(accepted, 'finding')} accepted"] if accepted else ()
    lines += (line for each in _iter_lines_without_findings(report, style) for line in _wrap_line(each, style))
    lines.append(render_maturity(report.maturity))
    lines += [render_grades(report.maturity)] if report.maturity.graded else []
    if style.details:
        from reviewer.render.digest import digest

        lines += digest(report, style.screen, colour=style.colour)
    lines.append(render_summary(report, colour=style.colour))
    return "\n".join(lines) + "\n"


def render_server_line(server: ServerReport, report: Report) -> str:
    """Return the name of one of several servers, its verdict, what was found, and what holds for it."""
    outcome = report.summarize_server(server)
    named = f" `{escape_hidden(server.name)}`" if server.name else ""
    sections = ", ".join(f"§{number}" for number in outcome.sections)
    found = f"{format_count(outcome.grave, 'violation')}{f' ({sections})' if sections else ''}"
    profile = f"profile {escape_hidden(server.profile)} ({render_message(server.because, report)})"
    return f"server{named}: {outcome.verdict.value}, {found}, {profile}"


def _render_located(part: Opaque, report: Report) -> str:
    where = f"{render_place(part.span, report)} " if part.span != ROOT else ""
    return where + render_message(part.reason, report)


def render_maturity(scored: Maturity) -> str:
    """Render the score of all tools in one line."""
    if scored.score is None:
        return f"maturity: no score, {escape_hidden(scored.withheld or '')}"
    counts = f"; includes {format_count(scored.judged, 'finding')} of the judge" if scored.judged else ""
    return f"maturity: {scored.score}/100 ({escape_hidden(str(scored.level))}){counts}"  # it may be read from a stored report


def render_grades(scored: Maturity) -> str:
    """Render the means of a judge's grades in one line, and whose they are."""
    from reviewer.judge.grades import compute_means

    given = scored.graded
    listed = ", ".join(f"{name} {mean:.1f}" for name, mean in compute_means(given).items())
    models = ", ".join(sorted({escape_hidden(each.model) for each in given}))
    return f"grades of {format_count(len(given), 'description')}, 1 to 5, by {models}: {listed}"


def render_summary(report: Report, *, colour: bool = False) -> str:
    """Render the counts and the verdict in one line."""
    verdict = report.verdict.value
    if colour:
        verdict = f"\x1b[1;{VERDICT_COLOURS[verdict]}m{verdict}\x1b[0m"
    count = len(report.grave)
    noun = "violation" if count == 1 else "violations"
    noun += " introduced" if report.compared is not None else ""
    sections = "section" if report.sections_ok == 1 else "sections"
    return f"{count} {noun}, {report.sections_ok} {sections} OK. Verdict: {verdict}{render_hidden(report)}"


def render_hidden(report: Report) -> str:
    """Return the text after a verdict that depends on findings hidden by the change; empty if it hides none."""
    if report.compared is None:
        return ""
    from reviewer.render.setting_changes import describe_hidden

    hidden = describe_hidden(report)
    return f"; {hidden}" if hidden else ""


def _iter_section_lines(part: SectionReport, report: Report, style: Style) -> Iterator[str]:
    """Yield the heading of a section, how it stands, and its findings; nothing for one that stands in a line with others."""
    if _is_shown_with_others(part, style):
        return
    yield f"=== §{part.section.number}: {part.section.title} ==="
    yield from _iter_standing_lines(part, report)
    if part.section.scope:
        yield from _wrap_line(f"covers only: {part.section.scope}", style)
    before = sum(each.change == "unchanged" for each in part.reported)
    for finding in part.reported:
        if style.unchanged or finding.change != "unchanged":
            yield from _iter_finding_lines(finding, report, style)
    if before and not style.unchanged:
        yield f"unchanged: {format_count(before, 'finding')}"


def _iter_standing_lines(part: SectionReport, report: Report) -> Iterator[str]:
    """Say how a section stands; nothing where its findings say it."""
    if part.clean:
        yield "OK"
    elif part.status == "ok":
        yield f"no violations, {format_count(len(part.reported), 'suggestion')}"
    elif part.status != "violations":
        counts = f"; no violations, {format_count(len(part.reported), 'suggestion')}" if part.reported else ""
        yield f"{part.status.replace('-', ' ')}: {render_message(part.reason or '', report)}{counts}"
    elif part.waiting:
        yield f"not judged: {format_count(len(part.waiting), 'question')}"


def _is_shown_with_others(part: SectionReport, style: Style) -> bool:
    """Return whether a section has nothing of its own to say: nothing was checked, or on a terminal, nothing is reported."""
    if part.status == "not-applicable":
        return not part.reported
    told_elsewhere = bool(part.waiting) or (part.clean and not part.section.scope)
    return style.screen is not None and told_elsewhere and not part.reported


def _iter_finding_lines(finding: Finding, report: Report, style: Style) -> Iterator[str]:
    yield render_finding_line(finding, report, colour=style.colour)
    if finding.decided is not None:
        from reviewer.render.reasons import explain_decision

        yield from _wrap_line(
            f"because: {escape_hidden(explain_decision(finding, lambda span: render_place(span, report)))}", style
        )
    if finding.related:
        yield from _wrap_line(f"also at {render_other_places(finding, report)}", style)
    if style.details:
        from reviewer.render.snippet import iter_snippet_lines

        shown = replace(finding, help=relocate_places(finding.help, report.files, find_way(report.root)))
        yield from iter_snippet_lines(shown, style.screen.columns if style.screen else None, colour=style.colour)


def _iter_offer_lines(report: Report) -> Iterator[str]:
    """Show the descriptions that a model proposes, each line of them behind a bar: no one is taken for a line of the report."""
    if report.offers:
        yield "=== Proposed descriptions ==="
    for offer in report.offers:
        by = f"by {escape_hidden(offer.writer)}, judged again by {escape_hidden(offer.judge)}: meets {', '.join(offer.meets)}"
        yield f"{render_place(offer.span, report)} tool `{escape_hidden(offer.tool)}`, {by}"
        yield from (f"  | {escape_hidden(line)}" for line in offer.text.split("\n"))


def _iter_comparison_lines(report: Report, compared: BaseComparison, style: Style) -> Iterator[str]:
    """Say what was fixed, and count what is new and what is not."""
    if compared.fixed:
        yield "=== Fixed ==="
        yield from (render_finding_line(each, report, colour=style.colour) for each in compared.fixed)
    from reviewer.render.setting_changes import iter_plain_alterations

    setting_changes = [*iter_plain_alterations(report)]
    if setting_changes:
        yield "=== Alterations of the review ==="
        yield from setting_changes
    introduced = len(report.counting)
    yield (
        f"since {escape_hidden(compared.base)} ({compared.commit[:10]}): {introduced} introduced, {len(compared.fixed)} fixed,"
        f" {len(report.findings) - introduced} unchanged"
    )


def _iter_lines_without_findings(report: Report, style: Style) -> Iterator[str]:
    """Name the sections that stand together, and count what waits for a judge."""
    together = [part for part in report.sections if _is_shown_with_others(part, style)]
    fine = [part.section for part in together if part.clean]
    if fine:
        yield f"OK: {_render_numbers(fine)}"
    reasons: defaultdict[str, list[Section]] = defaultdict(list)
    for part in together:
        if part.status == "not-applicable":
            reasons[render_message(part.reason or "", report)].append(part.section)
    if reasons:
        yield "not applicable: " + "; ".join(f"{_render_numbers(each)} ({reason})" for reason, each in reasons.items())
    waiting = [each for part in report.sections for each in part.waiting]
    yield from _iter_waiting_counts(
        "not judged",
        (each for each in waiting if each.why is None),
        "; ask a model: --judge auto (see `mcp-review review --help`)",
    )
    yield from _iter_waiting_counts(
        "not judged again, as nothing changed since the base", (each for each in waiting if each.why == UNCHANGED)
    )
    yield from _iter_waiting_counts("unanswered", report.unanswered)


def _wrap_line(line: str, style: Style) -> list[str]:
    """Return a line as a terminal shows it without breaking words; where there is none, it stays one line."""
    if style.screen is None:
        return [line]
    from textwrap import wrap

    return wrap(line, style.screen.columns, subsequent_indent="  ")


def _render_numbers(sections: Iterable[Section]) -> str:
    return ", ".join(f"§{each.number}" for each in sections)


def _iter_waiting_counts(state: str, questions: Iterable[Open], remedy: str = "") -> Iterator[str]:
    """Count the questions in one state, section by section; yield nothing if there is none."""
    counts: defaultdict[int, int] = defaultdict(int)
    for each in questions:
        counts[each.rule.section.number] += 1
    if counts:
        by_section = ", ".join(f"§{number}: {count}" for number, count in counts.items())
        yield f"{state}: {format_count(sum(counts.values()), 'question')} ({by_section}){remedy}"
