"""One line for each finding, by place, and nothing else: what editors and `grep` read."""

from reviewer.render.lines import render_finding_line
from reviewer.report.model import Report


def render(report: Report, *, colour: bool = False, unchanged: bool = False) -> str:
    """Render the findings; of a comparison those that were introduced, with `unchanged` all."""
    found = sorted(report.findings if unchanged else report.counting, key=lambda each: each.span)
    return "".join(f"{render_finding_line(each, report, colour=colour)}\n" for each in found)
