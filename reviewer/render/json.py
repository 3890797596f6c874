"""JSON report v1: a wire format of its own, which changes only with its version number."""

from typing import TYPE_CHECKING, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads these types back, and wants its own before Python 3.12

from reviewer.failures import Unreviewed
from reviewer.render.as_json import as_json
from reviewer.report.model import (
    Altered,
    BaseComparison,
    Decision,
    Finding,
    Fix,
    Lines,
    Open,
    Report,
    SectionReport,
    ServerReport,
    Suppression,
    ToolScore,
)
from reviewer.rules import Severity
from reviewer.source import Edit, Span

if TYPE_CHECKING:
    from reviewer.judge.grades import Grades
    from reviewer.judge.offers import Offer, Refused


class EditV1(TypedDict):
    """A stretch of a file, places as those of a finding, and the text that is to stand there instead."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class LinesV1(TypedDict):
    """Whole lines of the file, and what stands in their place once the fix is applied."""

    path: str
    line: int
    end_line: int
    text: list[str]


class FixV1(TypedDict):
    """The edits that fix a finding; they do not overlap. `lines` are the same as whole lines, null if in several files."""

    title: str
    applicability: Literal["safe", "unsafe"]
    edits: list[EditV1]
    lines: LinesV1 | None


class ClaimV1(TypedDict):
    """A sentence of a new description, and the words of the source that it rests on."""

    claim: str
    quotes: list[str]


class RewriteV1(TypedDict):
    """A description that a model wrote: judged anew it meets `meets`, which the old one did not, and fails nothing more.

    `fix` of the finding, where there is one, puts it there; `--fix` never does.
    """

    text: str
    claims: list[ClaimV1]
    meets: list[str]
    prompt: str
    writer: str
    judge: str


class NotOfferedV1(TypedDict):
    """A tool of which a new description was asked for and none is offered."""

    path: str
    line: int
    tool: str
    why: str


class PlaceV1(TypedDict):
    """A place of the code, as that of a finding."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class JudgedV1(TypedDict):
    """Why a judge decided so: what is wanting, in words, the model's own sentence, and the evidence beside the description.

    `names` are the arguments that it is about. `evidence_at` is null where the evidence has no line of its own.
    """

    failing: list[str]
    why: str
    names: list[str]
    evidence: str | None
    evidence_at: PlaceV1 | None
    model: str
    rubric: str


class FindingV1(TypedDict):
    """One finding. `change` is there where the report is a comparison, `related` where other places have the same cause."""

    rule: str
    codes: list[str]
    severity: Literal["error", "warning", "suggestion"]
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    tool: str | None
    message: str
    help: str
    decided_by: Literal["check", "judge"]
    quote: str | None
    cites: list[str]
    status: Literal["reported", "suppressed", "baseline"]
    fingerprint: str
    change: NotRequired[Literal["introduced", "unchanged"]]
    fix: NotRequired[FixV1]
    rewrite: NotRequired[RewriteV1]
    judged: NotRequired[JudgedV1]
    related: NotRequired[list[PlaceV1]]


class SectionV1(TypedDict):
    """One section; `reason` is null when the section is judged.

    A section is `ok` also with suggestions; `sections_ok` of the summary counts those without. `looked_at` says what its rules
    look at and what they do not, where the title promises more.
    """

    number: int
    title: str
    status: Literal["ok", "violations", "not-applicable", "not-judged"]
    reason: str | None
    findings: list[FindingV1]
    looked_at: NotRequired[str]


class MaturityV1(TypedDict):
    """The score of the tool definitions, 0 to 100, with its level; both are null where `withheld` says why.

    `judged` is the number of a judge's findings that it counts.
    """

    score: int | None
    level: str | None
    withheld: str | None
    judged: NotRequired[int]


class GradesV1(TypedDict):
    """The grades that a judge gave a description, 1 to 5, and its model."""

    tool: str
    path: str
    line: int
    purpose: int
    usage: int
    limitations: int
    parameters: int
    examples: int
    completeness: int
    model: str


class SummaryV1(TypedDict):
    """The counts, the verdict and the score. INCOMPLETE: no error was found, and something was not reviewed."""

    violations: int
    errors: int
    warnings: int
    suggestions: int
    sections_ok: int
    verdict: Literal["FAIL", "INCOMPLETE", "PASS with warnings", "PASS"]
    tools: int
    maturity: MaturityV1


class UnansweredV1(TypedDict):
    """A question that a judge was asked and did not answer."""

    rule: str
    path: str
    line: int
    tool: str | None
    why: str


class SettingV1(TypedDict):
    """A key of the configuration that the change sets otherwise; its values as JSON, cut if long, null where it is not set."""

    key: str
    old: str | None
    new: str | None


class SuppressionV1(TypedDict):
    """A suppression comment that the change introduces, or that hides findings now; `hides` are their fingerprints."""

    path: str
    line: int
    rules: list[str]
    reason: str | None
    hides: list[str]


class AcceptedV1(TypedDict):
    """An entry that the change adds to the baseline; `tool` is null if its finding stands in none."""

    path: str
    rule: str
    tool: str | None


class LeftOutV1(TypedDict):
    """A file or folder that is not reviewed because of the change, and why.

    `was` is the file of the base that was reviewed and whose code stands there now; null where configuration or ignore files of
    the change leave it out.
    """

    path: str
    reason: str
    was: str | None


class AlteredV1(TypedDict):
    """What the change alters about its review. `excluded` are the paths of what it leaves out, and `left_out` says why."""

    configuration: list[SettingV1]
    suppressions: list[SuppressionV1]
    excluded: list[str]
    baseline: list[AcceptedV1]
    left_out: NotRequired[list[LeftOutV1]]


class ComparedV1(TypedDict):
    """What the report is compared with, as it was named and as a commit; the counts, and the findings that are gone.

    `config_from` says whose configuration, ignore files and baseline hold.
    """

    base: str
    commit: str
    introduced: int
    unchanged: int
    fixed: list[FindingV1]
    config_from: NotRequired[Literal["base", "head"]]
    altered: NotRequired[AlteredV1]


class NotReviewedV1(TypedDict):
    """What was not reviewed. `error` names the type of an unexpected exception, and `place` the line of mcp-review's own code.

    Both are null where a bound was reached.
    """

    path: str
    line: int
    reason: str
    error: str | None
    place: str | None


class NotReadV1(TypedDict):
    """What was not read or not followed, and why; the verdict does not speak of it."""

    path: str
    line: int
    reason: str


class ServerV1(TypedDict):
    """One of several servers, with its own profile, counts and verdict; what several share is counted for each of them.

    `introduced` is there where the report is a comparison: the violations that the change introduces.
    """

    name: str | None
    path: str
    line: int
    profile: str
    because: str
    tools: int
    violations: int
    errors: int
    warnings: int
    suggestions: int
    verdict: Literal["FAIL", "INCOMPLETE", "PASS with warnings", "PASS"]
    introduced: NotRequired[int]


class ReportV1(TypedDict):
    """The whole report. Paths in it are below `folder` of the repository, which is empty for its top.

    `compared` is there where it is a comparison: the verdict then speaks of what was introduced. `checked` names the rules that
    ran and left no question open, each with a digest of what decides its findings besides the code: release, profile, options,
    judge, which files. `unread` names the files, and with a slash at the end the folders, of which not all was read; `unwatched`
    the files that the change makes or alters and that are not reviewed.
    `not_reviewed` is there where something was not reviewed: the verdict is then FAIL or INCOMPLETE, and the exit code 2.
    `not_read` is there where something was not read or not followed that costs the report no more than that.
    `servers` is there where several were reviewed; `profile` then names each profile that holds for one of them.
    `grades` is there where a judge graded descriptions.
    """

    version: Literal[1]
    profile: str
    sections: list[SectionV1]
    unanswered: list[UnansweredV1]
    summary: SummaryV1
    folder: str
    compared: NotRequired[ComparedV1]
    not_offered: NotRequired[list[NotOfferedV1]]
    not_reviewed: NotRequired[list[NotReviewedV1]]
    not_read: NotRequired[list[NotReadV1]]
    checked: NotRequired[dict[str, str]]
    unread: NotRequired[list[str]]
    unwatched: NotRequired[list[str]]
    servers: NotRequired[list[ServerV1]]
    grades: NotRequired[list[GradesV1]]


def render(report: Report) -> str:
    """Render the report as JSON."""
    return as_json(build_report_v1(report))


def build_report_v1(report: Report) -> ReportV1:
    """Turn a report into its wire format."""
    document: ReportV1 = {
        "version": 1,
        "profile": report.profile,
        "sections": [_build_section(each) for each in report.sections],
        "unanswered": [_build_unanswered(each) for each in report.unanswered],
        "summary": build_summary_v1(report),
        "folder": report.folder,
        "checked": dict(report.checked),
        "unread": list(report.unread),
    }
    if report.compared is not None:
        document["compared"] = _build_compared(report, report.compared)
        document["unwatched"] = list(report.unwatched)
    if report.refused:
        document["not_offered"] = [_build_not_offered(each) for each in report.refused]
    if report.unreviewed:
        document["not_reviewed"] = [_build_not_reviewed(each) for each in report.unreviewed]
    if report.unread_parts:
        document["not_read"] = [
            {"path": each.span.path, "line": each.span.line, "reason": each.reason} for each in report.unread_parts
        ]
    if report.servers:
        document["servers"] = [build_server_v1(each, report) for each in report.servers]
    if report.maturity.graded:
        tools = ((each, each.grades) for each in report.maturity.tools)
        document["grades"] = [_build_grades(tool, given) for tool, given in tools if given is not None]
    return document


def build_server_v1(server: ServerReport, report: Report) -> ServerV1:
    """Turn what is said of one of several servers into its wire format."""
    outcome = report.summarize_server(server)
    document: ServerV1 = {
        "name": server.name or None,
        "path": server.span.path,
        "line": server.span.line,
        "profile": server.profile,
        "because": server.because,
        "tools": outcome.tools,
        "violations": outcome.errors + outcome.warnings,
        "errors": outcome.errors,
        "warnings": outcome.warnings,
        "suggestions": outcome.suggestions,
        "verdict": outcome.verdict.value,
    }
    if report.compared is not None:
        document["introduced"] = outcome.grave
    return document


def _build_compared(report: Report, compared: BaseComparison) -> ComparedV1:
    introduced = len(report.counting)
    return {
        "base": compared.base,
        "commit": compared.commit,
        "introduced": introduced,
        "unchanged": len(report.findings) - introduced,
        "fixed": [_build_finding(each) for each in compared.fixed],
        "config_from": compared.altered.source,
        "altered": _build_altered(compared.altered),
    }


def _build_altered(altered: Altered) -> AlteredV1:
    return {
        "configuration": [{"key": each.key, "old": each.old, "new": each.new} for each in altered.settings],
        "suppressions": [_build_suppression(each) for each in altered.suppressions],
        "excluded": sorted({each.path for each in altered.excluded}),
        "baseline": [{"path": each.path, "rule": each.rule, "tool": each.tool or None} for each in altered.accepted],
        "left_out": [{"path": each.path, "reason": each.why, "was": each.was} for each in altered.excluded],
    }


def _build_suppression(each: Suppression) -> SuppressionV1:
    return {
        "path": each.span.path,
        "line": each.span.line,
        "rules": list(each.rules),
        "reason": each.reason,
        "hides": list(each.hides),
    }


def _build_section(part: SectionReport) -> SectionV1:
    document: SectionV1 = {
        "number": part.section.number,
        "title": part.section.title,
        "status": part.status,
        "reason": part.reason,
        "findings": [_build_finding(each) for each in part.findings],
    }
    if part.section.scope:
        document["looked_at"] = part.section.scope
    return document


def _build_finding(finding: Finding) -> FindingV1:
    rule, span = finding.rule, finding.span
    document: FindingV1 = {
        "rule": rule.slug,
        "codes": [*rule.codes, f"§{rule.section.number}"],
        "severity": finding.severity.value,
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "tool": finding.tool,
        "message": finding.message,
        "help": finding.help,
        "decided_by": "check" if finding.decided is None else "judge",
        "quote": finding.decided.judged.quote if finding.decided is not None else None,
        "cites": list(rule.cites),
        "status": finding.status,
        "fingerprint": finding.fingerprint,
    }
    if finding.decided is not None:
        document["judged"] = _build_judged(finding.decided)
    if finding.change is not None:
        document["change"] = finding.change
    if finding.fix is not None:
        document["fix"] = _build_fix(finding.fix)
    if finding.offer is not None:
        document["rewrite"] = _build_rewrite(finding.offer)
    if finding.related:
        document["related"] = [_build_place(each) for each in finding.related]
    return document


def _build_judged(decision: Decision) -> JudgedV1:
    judged = decision.judged
    return {
        "failing": list(decision.failing),
        "why": judged.why,
        "names": list(judged.names),
        "evidence": judged.evidence,
        "evidence_at": _build_place(decision.evidence) if decision.evidence is not None else None,
        "model": judged.model,
        "rubric": judged.rubric,
    }


def _build_place(span: Span) -> PlaceV1:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _build_rewrite(offer: "Offer") -> RewriteV1:
    return {
        "text": offer.text,
        "claims": [{"claim": each.text, "quotes": list(each.quotes)} for each in offer.claims],
        "meets": list(offer.meets),
        "prompt": offer.prompt,
        "writer": offer.writer,
        "judge": offer.judge,
    }


def _build_not_offered(refused: "Refused") -> NotOfferedV1:
    return {"path": refused.span.path, "line": refused.span.line, "tool": refused.tool, "why": refused.why}


def _build_not_reviewed(part: Unreviewed) -> NotReviewedV1:
    return {
        "path": part.span.path,
        "line": part.span.line,
        "reason": part.reason,
        "error": part.error or None,
        "place": part.place or None,
    }


def _build_grades(score: ToolScore, grades: "Grades") -> GradesV1:
    purpose, usage, limitations, parameters, examples, completeness = grades.values
    return {
        "tool": score.name,
        "path": score.span.path,
        "line": score.span.line,
        "purpose": purpose,
        "usage": usage,
        "limitations": limitations,
        "parameters": parameters,
        "examples": examples,
        "completeness": completeness,
        "model": grades.model,
    }


def _build_fix(fix: Fix) -> FixV1:
    return {
        "title": fix.title,
        "applicability": fix.applicability,
        "edits": [_build_edit(each) for each in fix.edits],
        "lines": _build_lines(fix.lines) if fix.lines is not None else None,
    }


def _build_edit(edit: Edit) -> EditV1:
    return {**_build_place(edit.span), "text": edit.text}


def _build_lines(lines: Lines) -> LinesV1:
    return {"path": lines.path, "line": lines.first, "end_line": lines.last, "text": list(lines.text)}


def _build_unanswered(question: Open) -> UnansweredV1:
    return {
        "rule": question.rule.slug,
        "path": question.span.path,
        "line": question.span.line,
        "tool": question.tool,
        "why": question.why or "",
    }


def build_summary_v1(report: Report) -> SummaryV1:
    """Return the counts, the verdict and the score of a report."""
    scored = report.maturity
    maturity: MaturityV1 = {"score": scored.score, "level": scored.level, "withheld": scored.withheld}
    if scored.judged:
        maturity["judged"] = scored.judged
    return {
        "violations": report.violations,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "suggestions": report.count(Severity.SUGGESTION),
        "sections_ok": report.sections_ok,
        "verdict": report.verdict.value,
        "tools": report.tools,
        "maturity": maturity,
    }
