"""The Reviewdog Diagnostic Format, from which reviewdog comments wherever it can.

Source: reviewdog's schema of the format. Columns count bytes of UTF-8. Messages become Markdown in comments.
"""

from reviewer.failures import Unreviewed
from reviewer.render.as_json import as_json
from reviewer.render.markdown import render_prose
from reviewer.render.plain import is_plain
from reviewer.render.reasons import build_locator, explain_finding
from reviewer.report.model import Finding, Lines, Report
from reviewer.report.rule_pages import find_page
from reviewer.rules import Severity
from reviewer.source import Opaque

SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.SUGGESTION: "INFO"}


def render(report: Report) -> str:
    """Render the reported findings that are not unchanged; suppressed ones and those of a baseline are none here."""
    diagnostics = [_build_gap(each, report) for each in (*report.unreviewed, *report.unread_parts)]
    diagnostics += [_build_diagnostic(each, report) for each in report.counting]
    document = {"source": {"name": "mcp-review"}, "diagnostics": diagnostics}
    return as_json(document)


def _build_diagnostic(finding: Finding, report: Report) -> dict[str, object]:
    page = find_page(finding.rule.slug)
    help_text = f" {render_prose(finding.help)}" if finding.help else ""
    lines = finding.fix.suggested if finding.fix is not None else None
    suggested = [_build_suggestion(lines)] if lines is not None and is_plain(lines.text) else []
    return {
        "message": f"{render_prose(explain_finding(finding, build_locator(report)))}.{help_text}",
        "location": {"path": report.place(finding.span), "range": _build_range(finding)},
        "severity": SEVERITIES[finding.severity],
        "code": {"value": finding.rule.slug, **({"url": page} if page is not None else {})},
        **({"suggestions": suggested} if suggested else {}),
    }


def _build_gap(part: Opaque, report: Report) -> dict[str, object]:
    is_gap = isinstance(part, Unreviewed)
    place = {"path": report.place(part.span), "range": {"start": {"line": part.span.line}}}
    return {
        "message": f"{render_prose(part.reason)}.",
        "location": place,
        "severity": "ERROR" if is_gap else "INFO",
        "code": {"value": "not-reviewed" if is_gap else "not-read"},
    }


def _build_suggestion(lines: Lines) -> dict[str, object]:
    """Return whole lines, which is what hosts take, and what has no columns to be counted."""
    return {"range": {"start": {"line": lines.first}, "end": {"line": lines.last}}, "text": "\n".join(lines.text)}


def _build_range(finding: Finding) -> dict[str, dict[str, int]]:
    """Return the lines, and the columns where the excerpt has the lines that they count in."""
    span, lines = finding.span, finding.excerpt
    last = span.end_line - span.line
    if not last < len(lines):
        return {"start": {"line": span.line}, "end": {"line": span.end_line}}
    return {
        "start": {"line": span.line, "column": _count_bytes(lines[0], span.column)},
        "end": {"line": span.end_line, "column": _count_bytes(lines[last], span.end_column)},
    }


def _count_bytes(line: str, column: int) -> int:
    return len(line[: column - 1].encode("utf-8", "replace")) + 1
