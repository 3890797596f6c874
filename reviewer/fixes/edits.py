"""Findings → what fixes each, byte by byte; made only where a format shows it or `--fix` applies it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviewer.failures import contained
from reviewer.languages import edits as editing
from reviewer.pipeline import ProjectReading
from reviewer.report.model import Finding, Fix, Lines, Report
from reviewer.source import Edit, Source

MOST_LINES = 40
"""Lines.

A fix that changes more is not shown as a whole, since it would fill a screen; a fix of a rule changes one call or one struct.
"""

MOST_BYTES = 10_000
"""What lines may hold that a fix is shown in: a document may be one line."""


def add_fixes(report: Report, reading: ProjectReading) -> Report:
    """Return for each finding its fix, where one is certain."""
    if reading.tree is None or not any(each.fix_plan for part in report.sections for each in part.findings):
        return report
    sources = reading.tree.sources
    sections = (
        replace(part, findings=tuple(_add_fix(each, sources) for each in part.findings)) for part in report.sections
    )
    return replace(report, sections=tuple(sections))


def _add_fix(finding: Finding, sources: Mapping[str, Source]) -> Finding:
    with contained(f"a fix of `{finding.rule.slug}` was not made", finding.span):
        return replace(finding, fix=build_fix(finding, sources))
    return finding


def build_fix(finding: Finding, sources: Mapping[str, Source]) -> Fix | None:
    """Make what fixes a finding, as its files stand; None if nothing certainly does."""
    try:
        fix_plan = finding.fix_plan() if finding.fix_plan is not None and finding.status == "reported" else None
        edits = editing.compute_edits(fix_plan, sources) if fix_plan is not None else None
    except RecursionError:  # it lies deeper than can be followed
        return None
    if fix_plan is None or not edits:
        return None
    return Fix(fix_plan.title, "safe" if fix_plan.safe else "unsafe", edits, _collect_changed_lines(edits, sources))


def _collect_changed_lines(edits: Sequence[Edit], sources: Mapping[str, Source]) -> Lines | None:
    """Return the whole lines that the edits of one file touch, as they stand afterwards."""
    path = edits[0].span.path
    first, last = min(each.span.line for each in edits), max(each.span.end_line for each in edits)
    data = sources[path].data
    start, end = min(each.start for each in edits), max(each.end for each in edits)
    begin, after = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end)
    before = data[begin : after if after >= 0 else len(data)]
    if (
        any(each.span.path != path for each in edits)
        or last - first >= MOST_LINES
        or len(before) > MOST_BYTES
        or data.rfind(b"\n", 0, end) + 1 == len(data)  # behind the last line
    ):
        return None
    moved = [each._replace(start=each.start - begin, end=each.end - begin) for each in edits]
    shown = (tuple(each.decode("utf-8").split("\n")) for each in (editing.apply_edits(before, moved), before))
    return Lines(path, first, last, *shown)
