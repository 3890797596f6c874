"""SARIF 2.1.0: for editors, archives and GitHub code scanning.

Source: the OASIS standard, and GitHub's page on what of it code scanning takes. GitHub knows neither suppressions nor baseline
states: it opens an alert for each result, so it is rendered for GitHub with the findings alone that count.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any
from urllib.parse import quote

from reviewer.failures import Unreviewed
from reviewer.render.as_json import as_json
from reviewer.render.json import build_report_v1, build_server_v1
from reviewer.render.plain import escape_hidden
from reviewer.render.reasons import build_locator, explain_finding
from reviewer.report.model import Decision, Finding, Fix, Report
from reviewer.report.rule_pages import find_page
from reviewer.rules import Rule, Severity
from reviewer.source import Opaque, Span
from reviewer.version import __version__

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.SUGGESTION: "note"}

MOST = 25_000
"""Results of a run that GitHub takes."""

LONGEST = 1000
"""Characters of a text; GitHub takes 1024 of a description."""

SECURITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.0", Severity.SUGGESTION: "2.0"}
"""What GitHub shows as high, medium and low."""

SECURITY_RULES = frozenset(
    {
        *("http-without-auth", "destructive-without-elicitation", "selection-manipulated", "read-only-claim-untrue"),
        *("panic-text-leaked", "exception-text-leaked", "error-leaks-path"),
    }
)
"""Rules of other sections than §12 whose findings an attacker gains by."""

ROOT = "%SRCROOT%"


def render(report: Report) -> str:
    """Render all that was found: also what is suppressed, in the baseline, or fixed since the base."""
    fixed = report.compared.fixed if report.compared is not None else ()
    return _render_run(report, [each for part in report.sections for each in part.findings], fixed)


def render_for_github(report: Report) -> str:
    """Render what counts, which is what code scanning makes alerts of."""
    return _render_run(report, list(report.findings), ())


def _render_run(report: Report, found: list[Finding], fixed: Iterable[Finding]) -> str:
    heaviest = sorted([*found, *fixed], key=lambda each: list(LEVELS).index(each.severity))
    kept = {id(each) for each in heaviest[:MOST]}
    rules = _list_rules(heaviest)
    index = {rule.slug: number for number, (rule, _) in enumerate(rules)}
    results = [_build_result(each, report, index) for each in found if id(each) in kept]
    results += [{**_build_result(each, report, index), "baselineState": "absent"} for each in fixed if id(each) in kept]
    driver = {"name": "mcp-review", "semanticVersion": __version__, "rules": [_build_rule(*each) for each in rules]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {
            "id": "/".join(["mcp-review", *([quote_path(report.folder)] if report.folder else []), ""])
        },
        "originalUriBaseIds": {ROOT: {"description": {"text": "The top of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_build_invocation(report, len(heaviest) - len(results))],
        "results": results,
        "properties": {"profile": report.profile, **build_report_v1(report)["summary"], **_build_servers(report)},
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return as_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _build_servers(report: Report) -> dict[str, Any]:
    """Return the properties of each of several servers; empty for a single one."""
    told = [
        {
            **build_server_v1(each, report),
            "name": escape_hidden(each.name) or None,
            "path": escape_hidden(report.place(each.span)),
            "because": escape_hidden(each.because),
        }
        for each in report.servers
    ]
    return {"servers": told} if told else {}


def _list_rules(found: list[Finding]) -> list[tuple[Rule, Severity]]:
    """Return the rules that found something, in the order of the report, with the weight they have in it."""
    weights: dict[str, tuple[Rule, Severity]] = {}
    for each in found:  # the heaviest comes first
        weights.setdefault(each.rule.slug, (each.rule, each.severity))
    return sorted(weights.values(), key=lambda each: (each[0].section.number, each[0].slug))


def _build_rule(rule: Rule, severity: Severity) -> dict[str, Any]:
    secure = rule.section.folder == "security" or rule.slug in SECURITY_RULES
    tags = ["mcp", rule.section.folder, *rule.codes, *(["security"] if secure else [])]
    page = find_page(rule.slug)
    problem = "recommendation" if severity is Severity.SUGGESTION else severity.value
    suppress = f"Suppress with `mcp-review: ignore[{rule.slug}] the reason` in a comment on the line or above the item."
    return {
        "id": rule.slug,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": _cut(" ".join(_get_reasons(rule).split()))},
        "help": {"text": f"{rule.page}\n\n{suppress}", "markdown": f"{rule.page}\n\n{suppress}"},
        **({"helpUri": page} if page is not None else {}),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "tags": list(dict.fromkeys(tags)),
            "precision": "medium" if rule.judged else "high",
            "problem.severity": problem,
            **({"security-severity": SECURITY[severity]} if secure else {}),
        },
    }


def _build_judged(decision: Decision) -> dict[str, Any]:
    judged = decision.judged
    return {
        "failing": list(decision.failing),
        "why": escape_hidden(judged.why),
        "names": [escape_hidden(each) for each in judged.names],
        "quote": escape_hidden(judged.quote or ""),
        "evidence": escape_hidden(judged.evidence or ""),
        "model": escape_hidden(judged.model),
    }


def _get_reasons(rule: Rule) -> str:
    """Return the text of a rule's page before its examples."""
    return re.split(r"\n\n(?=Bad:|Good:)", rule.page, maxsplit=1)[0]


def _build_result(finding: Finding, report: Report, index: dict[str, int]) -> dict[str, Any]:
    said = f"{explain_finding(finding, build_locator(report))}." + (f" {finding.help}" if finding.help else "")
    judged = finding.decided
    result: dict[str, Any] = {
        "ruleId": finding.rule.slug,
        "ruleIndex": index[finding.rule.slug],
        "level": LEVELS[finding.severity],
        "message": {"text": escape_message(said)},
        "locations": [_build_location(finding.span, report, finding.excerpt)],
        "partialFingerprints": {"mcpReview/v1": finding.fingerprint},
        "properties": {
            "tool": escape_hidden(finding.tool) if finding.tool is not None else None,
            "decidedBy": "check" if judged is None else "judge",
            **(_build_judged(judged) if judged is not None else {}),
        },
    }
    evidence = (judged.evidence,) if judged is not None and judged.evidence is not None else ()
    if finding.related or evidence:
        result["relatedLocations"] = [_build_location(each, report) for each in (*evidence, *finding.related)]
    if finding.status != "reported":
        kind = "inSource" if finding.status == "suppressed" else "external"
        result["suppressions"] = [{"kind": kind, "status": "accepted"}]
    if finding.fix is not None:
        result["fixes"] = [_build_fix(finding.fix, report)]
    if finding.change is not None:
        result["baselineState"] = "new" if finding.change == "introduced" else "unchanged"
    return result


def _build_fix(fix: Fix, report: Report) -> dict[str, Any]:
    changes = []
    for path, edits in groupby(fix.edits, key=lambda each: each.span.path):
        replacements = [
            {"deletedRegion": _build_region(each.span), "insertedContent": {"text": each.text}} for each in edits
        ]
        place = {"uri": quote_path(report.place(Span(path, 1, 1, 1, 1))), "uriBaseId": ROOT}
        changes.append({"artifactLocation": place, "replacements": replacements})
    unsafe = " (unsafe)" if fix.applicability == "unsafe" else ""
    return {"description": {"text": escape_message(fix.title) + unsafe}, "artifactChanges": changes}


def _build_region(span: Span) -> dict[str, Any]:
    region = {"startLine": span.line, "startColumn": span.column}
    return region | {"endLine": span.end_line, "endColumn": span.end_column}


def _build_location(span: Span, report: Report, excerpt: tuple[str, ...] = ()) -> dict[str, Any]:
    region = _build_region(span)
    if len(excerpt) == span.end_line - span.line + 1:
        region["snippet"] = {"text": _cut(_cut_to_span(span, excerpt))}
    artifact = {"uri": quote_path(report.place(span)), "uriBaseId": ROOT}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _cut_to_span(span: Span, excerpt: tuple[str, ...]) -> str:
    """Return the text between the first and the last column of a place."""
    lines = [*excerpt[:-1], excerpt[-1][: span.end_column - 1]]
    return "\n".join([lines[0][span.column - 1 :], *lines[1:]])


def _build_invocation(report: Report, left: int) -> dict[str, Any]:
    notes = [
        _build_notification(*_choose_kind_and_level(each), each.reason, each.span, report) for each in report.broken
    ]
    for each in report.unanswered:
        said = f"{each.rule.slug} has no answer: {each.why}"
        notes.append(_build_notification("no-answer", "note", said, each.span, report))
    if left:
        notes.append(
            {"level": "warning", "message": {"text": f"{left} lighter results are left out, of more than {MOST}."}}
        )
    return {"executionSuccessful": not report.unreviewed, "toolExecutionNotifications": notes}


def _choose_kind_and_level(part: Opaque) -> tuple[str, str]:
    """Return the kind and the level of what is said of a part that was not read."""
    return ("not-reviewed", "error") if isinstance(part, Unreviewed) else ("not-read", "warning")


def _build_notification(kind: str, level: str, said: str, span: Span, report: Report) -> dict[str, Any]:
    location = _build_location(span, report)
    return {
        "descriptor": {"id": kind},
        "level": level,
        "message": {"text": escape_message(said)},
        "locations": [location],
    }


def escape_message(said: str) -> str:
    """Write a text so that no viewer takes a part of it for a link, as SARIF allows in messages."""
    shown = _cut(said)
    return re.sub(r"([\\\[\]])", r"\\\1", shown) if "](" in shown else shown


def _cut(said: str) -> str:
    return "\n".join(map(escape_hidden, (said if len(said) <= LONGEST else f"{said[:LONGEST]}…").split("\n")))


def quote_path(path: str) -> str:
    """Write a path as a relative reference."""
    return quote(path.encode("utf-8", "surrogateescape" if _from_disk(path) else "backslashreplace"))


def _from_disk(path: str) -> bool:
    """Return whether a name holds no other halves of characters than those that stand for bytes of its own."""
    return not any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in path)
