"""GitHub's workflow commands: an annotation for each finding, as many as GitHub shows, and the rest as lines of the log.

Source: GitHub's reference of workflow commands, and how its runner reads them: a command begins a line, or `##[` stands anywhere.
"""

from collections import Counter
from collections.abc import Iterator

from reviewer.failures import ROOT, Unreviewed
from reviewer.render.plain import escape_hidden
from reviewer.render.reasons import build_locator, explain_finding
from reviewer.render.text import render_server_line, render_summary
from reviewer.report.model import Finding, Report, ServerReport
from reviewer.report.rule_pages import find_page
from reviewer.rules import Severity
from reviewer.source import Opaque

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.SUGGESTION: "notice"}

MOST = 10
"""Annotations of one kind that GitHub shows of a step."""


def render(report: Report) -> str:
    """Render the commands, heaviest first, and the verdict in the last line."""
    seen: Counter[Severity] = Counter()
    commands, lines = [], []
    for finding in sorted(report.counting, key=lambda each: list(Severity).index(each.severity)):
        seen[finding.severity] += 1
        if seen[finding.severity] <= MOST:
            commands.append(_render_command(finding, report))
        else:
            lines.append(_render_line(finding, report))
    gaps = [_render_gap(each, report) for each in report.unreviewed]
    lines += [_render_unread(each, report) for each in report.unread_parts]
    lines += [
        *_iter_counts(report, seen),
        *(_render_server(each, report) for each in report.servers),
        render_summary(report),
    ]
    return "".join(f"{line}\n" for line in (*gaps, *commands, *lines))


def _render_server(server: ServerReport, report: Report) -> str:
    place = f"{report.place(server.span)}:{server.span.line}"
    return escape_hidden(f"{place} {render_server_line(server, report)}").replace("##[", "## [")


def _render_unread(part: Opaque, report: Report) -> str:
    place = f" at {report.place(part.span)}:{part.span.line}" if part.span != ROOT else ""
    return escape_hidden(f"not read{place}: {part.reason}").replace("##[", "## [")


def _render_gap(part: Unreviewed, report: Report) -> str:
    place = f",file={escape_property(report.place(part.span))},line={part.span.line}" if part.span != ROOT else ""
    return f"::error title=mcp-review not reviewed{place}::{escape_data(part.reason)}"


def _iter_counts(report: Report, seen: Counter[Severity]) -> Iterator[str]:
    beyond = {COMMANDS[each]: count - MOST for each, count in sorted(seen.items()) if count > MOST}
    if beyond:
        yield f"Beyond the {MOST} annotations of a kind that are shown: " + ", ".join(
            f"{count} of kind {kind}" for kind, count in beyond.items()
        )
    unchanged = len(report.findings) - len(report.counting)
    if unchanged:
        yield f"Unchanged and not annotated: {unchanged}"


def _render_command(finding: Finding, report: Report) -> str:
    span = finding.span
    properties: dict[str, str | int] = {"title": f"mcp-review {finding.rule.slug}", "file": report.place(span)}
    properties |= {"line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:  # GitHub takes columns of a single line only
        properties |= {"col": span.column, "endColumn": span.end_column}
    told = ",".join(f"{name}={escape_property(str(value))}" for name, value in properties.items())
    page = find_page(finding.rule.slug)
    more = "".join(f" {each}" for each in (finding.help, page) if each)
    return f"::{COMMANDS[finding.severity]} {told}::{escape_data(f'{explain_finding(finding, build_locator(report))}.{more}')}"


def _render_line(finding: Finding, report: Report) -> str:
    place = f"{report.place(finding.span)}:{finding.span.line}"
    return escape_hidden(f"{finding.severity.value} at {place} {finding.message}").replace("##[", "## [")


def escape_data(data: str) -> str:
    """Escape the text of a command."""
    return escape_hidden(data).replace("%", "%25")


def escape_property(value: str) -> str:
    """Escape the value of a command's property."""
    return escape_data(value).replace(":", "%3A").replace(",", "%2C")
