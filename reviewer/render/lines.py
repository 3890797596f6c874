"""The line of a finding, `path:line:column severity rule message`, the same wherever a report is lines of text."""

from reviewer.render.plain import escape_hidden
from reviewer.report.model import Finding, Report
from reviewer.report.relocation import find_path_from_here, find_way, relocate_places
from reviewer.rules import Severity
from reviewer.source import Span
from reviewer.text.patterns import pattern

COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.SUGGESTION: "36"}
"""The colour of each severity on a terminal, as the parameter of its escape sequence."""


def render_finding_line(finding: Finding, report: Report, *, colour: bool = False) -> str:
    """Return a finding as one line. `(judged)` and `(introduced)` at its end say who found it, and that it is new."""
    severity, rule = finding.severity.value, finding.rule.slug
    if colour:
        severity = f"\x1b[{COLOURS[finding.severity]}m{severity}\x1b[0m"
        rule = f"\x1b[2m{rule}\x1b[0m"
    marks = " (judged)" if finding.decided is not None else ""
    marks += " (introduced)" if finding.change == "introduced" else ""
    return f"{render_place(finding.span, report)} {severity} {rule} {render_message(finding.message, report)}{marks}"


MOST_NAMED = 20
"""Other places of one cause that are named. Reports of real servers have up to ninety; JSON and SARIF hold all."""


def render_other_places(finding: Finding, report: Report) -> str:
    """Return where else the cause of a finding shows: `server.py:12, 40; tools.py:7`; empty if nowhere."""
    lines: dict[str, list[str]] = {}
    for each in finding.related[:MOST_NAMED]:
        lines.setdefault(_render_path(find_path_from_here(each.path, report.root)), []).append(str(each.line))
    left = len(finding.related) - MOST_NAMED
    named = "; ".join(f"{shown}:{', '.join(dict.fromkeys(numbers))}" for shown, numbers in lines.items())
    return f"{named}; {left} more in JSON" if left > 0 else named


def render_place(span: Span, report: Report) -> str:
    """Return where a span begins, `path:line:column`, such that terminals and editors find the file."""
    return f"{_render_path(find_path_from_here(span.path, report.root))}:{span.line}:{span.column}"


def render_message(text: str, report: Report) -> str:
    """Return a text of a report in which the places in reviewed files lead there from the current folder."""
    return escape_hidden(relocate_places(text, report.files, find_way(report.root)))


_PLACE = pattern(r":(?=\d)")
"""A colon with a digit behind it in a path would be taken for its line by whatever reads `path:line:column`."""


def _render_path(path: str) -> str:
    """Return a path that is taken for no other line of a report, and holds no place of its own: its name may be hostile."""
    shown = _PLACE.sub(r"\\u{3a}", escape_hidden(path))
    like_another = shown.startswith("=") or (" " in shown and not shown.startswith((".", "/")))
    return f"./{shown}" if like_another else shown
