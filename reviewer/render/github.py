"""GitHub's workflow commands: an annotation for each finding, as many as GitHub shows, and the rest as lines of the log.

Source: GitHub's reference of workflow commands, and how its runner reads them: a command begins a line, or `##[` stands anywhere.
"""

from collections import Counter
from collections.abc import Iterator

from reviewer.failures import ROOT, Unreviewed
from reviewer.render.plain import plain
from reviewer.render.reasons import explained, located
from reviewer.render.text import server_line, summary
from reviewer.report.model import Finding, Report, Reviewed
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
            commands.append(_command(finding, report))
        else:
            lines.append(_render_line(finding, report))
    gaps = [_gap(each, report) for each in report.unreviewed]
    lines += [_render_unread(each, report) for each in report.unread_parts]
    lines += [*_iter_counts(report, seen), *(_server(each, report) for each in report.servers), summary(report)]
    return "".join(f"{line}\n" for line in (*gaps, *commands, *lines))


def _server(server: Reviewed, report: Report) -> str:
    place = f"{report.place(server.span)}:{server.span.line}"
    return plain(f"{place} {server_line(server, report)}").replace("##[", "## [")


def _render_unread(part: Opaque, report: Report) -> str:
    place = f" at {report.place(part.span)}:{part.span.line}" if part.span != ROOT else ""
    return plain(f"not read{place}: {part.reason}").replace("##[", "## [")


def _gap(part: Unreviewed, report: Report) -> str:
    place = f",file={escaped_property(report.place(part.span))},line={part.span.line}" if part.span != ROOT else ""
    return f"::error title=mcp-review not reviewed{place}::{escaped(part.reason)}"


def _iter_counts(report: Report, seen: Counter[Severity]) -> Iterator[str]:
    beyond = {COMMANDS[each]: count - MOST for each, count in sorted(seen.items()) if count > MOST}
    if beyond:
        yield f"Beyond the {MOST} annotations of a kind that are shown: " + ", ".join(
            f"{count} of kind {kind}" for kind, count in beyond.items()
        )
    unchanged = len(report.findings) - len(report.counting)
    if unchanged:
        yield f"Unchanged and not annotated: {unchanged}"


def _command(finding: Finding, report: Report) -> str:
    span = finding.span
    properties: dict[str, str | int] = {"title": f"mcp-review {finding.rule.slug}", "file": report.place(span)}
    properties |= {"line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:  # GitHub takes columns of a single line only
        properties |= {"col": span.column, "endColumn": span.end_column}
    told = ",".join(f"{name}={escaped_property(str(value))}" for name, value in properties.items())
    page = find_page(finding.rule.slug)
    more = "".join(f" {each}" for each in (finding.help, page) if each)
    return f"::{COMMANDS[finding.severity]} {told}::{escaped(f'{explained(finding, located(report))}.{more}')}"


def _render_line(finding: Finding, report: Report) -> str:
    place = f"{report.place(finding.span)}:{finding.span.line}"
    return plain(f"{finding.severity.value} at {place} {finding.message}").replace("##[", "## [")


def escaped(data: str) -> str:
    """Escape the text of a command."""
    return plain(data).replace("%", "%25")


def escaped_property(value: str) -> str:
    """Escape the value of a command's property."""
    return escaped(value).replace(":", "%3A").replace(",", "%2C")
