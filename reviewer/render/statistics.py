"""How often each rule found something, heaviest severity first: as lines, and as data."""

from collections import Counter
from typing import Any

from reviewer.render.as_json import as_json
from reviewer.render.json import build_server_v1, build_summary_v1
from reviewer.render.lines import render_place
from reviewer.render.text import render_server_line, render_summary
from reviewer.report.model import Report
from reviewer.rules import Rule, Severity, load


def count_by_rule(report: Report) -> list[tuple[Rule, Severity, int]]:
    """Count the findings that verdict and exit code speak of, by rule: by severity, then most first, then by section."""
    found = Counter((each.rule.slug, each.severity) for each in report.counting)
    order, heaviest = {slug: place for place, slug in enumerate(load())}, list(Severity)
    rows = sorted(found.items(), key=lambda row: (heaviest.index(row[0][1]), -row[1], order[row[0][0]]))
    return [(load()[slug], severity, count) for (slug, severity), count in rows]


def render_text(report: Report) -> str:
    """Render a line for each rule that found something, and the verdict."""
    rows = count_by_rule(report)
    wide = max((len(str(count)) for _, _, count in rows), default=0)
    longest = max((len(each.slug) for each, _, _ in rows), default=0)
    lines = [
        f"{count:>{wide}} {severity.value:<10} §{each.section.number:<2} {each.slug:<{longest}}  {each.title}"
        for each, severity, count in rows
    ]
    lines += [f"{render_place(each.span, report)} {render_server_line(each, report)}" for each in report.servers]
    return "\n".join([*lines, render_summary(report)]) + "\n"


def render_json(report: Report) -> str:
    """Render the same as data, with the summary of JSON report v1."""
    rows: list[dict[str, Any]] = [
        {"rule": each.slug, "section": each.section.number, "severity": severity.value, "count": count}
        for each, severity, count in count_by_rule(report)
    ]
    document = {"version": 1, "profile": report.profile, "statistics": rows, "summary": build_summary_v1(report)}
    if report.servers:
        document["servers"] = [build_server_v1(each, report) for each in report.servers]
    return as_json(document)
