"""How often each rule found something, heaviest severity first: as lines, and as data."""

from collections import Counter
from typing import Any

from reviewer.render.as_json import as_json
from reviewer.render.json import server_v1, summary_v1
from reviewer.render.lines import place
from reviewer.render.text import server_line, summary
from reviewer.report.model import Report
from reviewer.rules import Rule, Severity, load


def counts(report: Report) -> list[tuple[Rule, Severity, int]]:
    """Count the findings that verdict and exit code speak of, by rule: by severity, then most first, then by section."""
    found = Counter((each.rule.slug, each.severity) for each in report.counting)
    order, heaviest = {slug: place for place, slug in enumerate(load())}, list(Severity)
    rows = sorted(found.items(), key=lambda row: (heaviest.index(row[0][1]), -row[1], order[row[0][0]]))
    return [(load()[slug], severity, count) for (slug, severity), count in rows]


def render_text(report: Report) -> str:
    """Render a line for each rule that found something, and the verdict."""
    rows = counts(report)
    wide = max((len(str(count)) for _, _, count in rows), default=0)
    longest = max((len(each.slug) for each, _, _ in rows), default=0)
    lines = [
        f"{count:>{wide}} {severity.value:<10} §{each.section.number:<2} {each.slug:<{longest}}  {each.title}"
        for each, severity, count in rows
    ]
    lines += [f"{place(each.span, report)} {server_line(each, report)}" for each in report.servers]
    return "\n".join([*lines, summary(report)]) + "\n"


def render_json(report: Report) -> str:
    """Render the same as data, with the summary of JSON report v1."""
    rows: list[dict[str, Any]] = [
        {"rule": each.slug, "section": each.section.number, "severity": severity.value, "count": count}
        for each, severity, count in counts(report)
    ]
    document = {"version": 1, "profile": report.profile, "statistics": rows, "summary": summary_v1(report)}
    if report.servers:
        document["servers"] = [server_v1(each, report) for each in report.servers]
    return as_json(document)
