"""What the end of a report repeats: the violations by weight, errors last, as many as a screen holds."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reviewer.render.cells import cut, measure_width
from reviewer.render.lines import render_finding_line, render_message
from reviewer.report.model import Finding, Report
from reviewer.rules import Severity

USUAL_SCREEN = os.terminal_size((80, 24))
"""The size for which the end of a report is made where no terminal says its own."""

OTHER_ROWS = 5
"""Rows of the screen that hold the heading, the count of what is not repeated, the verdict, and a prompt of two rows."""

LEAST_MESSAGE = 20
"""Cells of a message that are worth a row; where the place leaves fewer, the line takes another row."""


def digest(report: Report, screen: os.terminal_size | None, *, colour: bool = False) -> Iterator[str]:
    """Yield the violations that verdict and exit code speak of, errors last; nothing if there are none.

    On a terminal each is cut to its width: it stands above in full.
    """
    counts = Counter(each.severity for each in report.counting)
    heaviest = [each for severity in VIOLATIONS for each in report.counting if each.severity is severity]
    if not heaviest:
        return
    lines = _choose_fitting((_cut(each, report, screen) if screen else each for each in heaviest), report, screen)
    yield f"=== Summary: {_count_severities(counts)} ==="
    hidden = Counter(each.severity for each in heaviest[len(lines) :])
    if hidden:
        yield f"not repeated here: {_count_severities(hidden)}"
    for severity in reversed(VIOLATIONS):
        yield from (render_finding_line(each, report, colour=colour) for each in lines if each.severity is severity)


VIOLATIONS = (Severity.ERROR, Severity.WARNING)


def _count_severities(counts: Counter[Severity]) -> str:
    """Name the severities that are there with their counts, the heaviest last."""
    present = [each for each in reversed(Severity) if counts[each]]
    return ", ".join(f"{counts[each]} {each.value}{'' if counts[each] == 1 else 's'}" for each in present)


def _cut(finding: Finding, report: Report, screen: os.terminal_size) -> Finding:
    """Return a finding whose line fits into the width of the screen, or into two rows if its place is long."""
    room = screen.columns - measure_width(render_finding_line(replace(finding, message=""), report))
    room += screen.columns if room < LEAST_MESSAGE else 0
    return replace(finding, message=cut(render_message(finding.message, report), max(room, LEAST_MESSAGE)))


def _choose_fitting(findings: Iterable[Finding], report: Report, screen: os.terminal_size | None) -> list[Finding]:
    """Return the first findings, as many as have their rows on the screen, but one at least."""
    columns, rows = screen or USUAL_SCREEN
    rows -= OTHER_ROWS
    kept: list[Finding] = []
    for each in findings:
        rows -= -(-measure_width(render_finding_line(each, report)) // columns) if screen else 1
        if rows < 0 and kept:
            break
        kept.append(each)
    return kept
