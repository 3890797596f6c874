"""GitLab's Code Quality report: an array of findings, which GitLab compares with that of the target branch itself.

Source: GitLab's documentation of the report format: description, check_name, fingerprint, severity, location.
"""

from collections import Counter
from hashlib import sha256

from reviewer.failures import Unreviewed
from reviewer.render.as_json import as_json
from reviewer.render.plain import escape_hidden
from reviewer.render.reasons import build_locator, explain_finding
from reviewer.report.model import Finding, Report
from reviewer.rules import Severity
from reviewer.source import Opaque

SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.SUGGESTION: "info"}


def render(report: Report) -> str:
    """Render the reported findings; suppressed ones and those of a baseline are none here."""
    seen: Counter[str] = Counter()
    issues = [_build_gap(each, report) for each in (*report.unreviewed, *report.unread_parts)]
    issues += [_issue(each, report, seen) for each in report.findings]
    return as_json(issues)


def _build_gap(part: Opaque, report: Report) -> dict[str, object]:
    path, is_gap = report.place(part.span), isinstance(part, Unreviewed)
    return {
        "description": escape_hidden(part.reason),
        "check_name": "not-reviewed" if is_gap else "not-read",
        "fingerprint": _digest_parts(report.folder, path, part.reason, *(() if is_gap else (str(part.span.line),))),
        "severity": "blocker" if is_gap else "info",
        "location": {"path": path, "lines": {"begin": part.span.line, "end": part.span.end_line}},
    }


def _digest_parts(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _issue(finding: Finding, report: Report, seen: Counter[str]) -> dict[str, object]:
    # One merge request may bring reports of several servers, and GitLab drops all but one of equal fingerprints.
    seen[finding.fingerprint] += 1
    return {
        "description": escape_hidden(explain_finding(finding, build_locator(report))),
        "check_name": finding.rule.slug,
        "fingerprint": _digest_parts(report.folder, finding.fingerprint, str(seen[finding.fingerprint])),
        "severity": SEVERITIES[finding.severity],
        "location": {
            "path": report.place(finding.span),
            "lines": {"begin": finding.span.line, "end": finding.span.end_line},
        },
    }
