"""A JSON report v1 → the report it was written from. The file may come from a stranger: nothing in it is believed unread."""

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from reviewer.caching import cache
from reviewer.compare.moved_code import REASONS
from reviewer.failures import Unreviewed
from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular
from reviewer.judge import Judged
from reviewer.render.json import AlteredV1, FindingV1, FixV1, LeftOutV1, PlaceV1, ReportV1, SectionV1, ServerV1
from reviewer.report.model import (
    Accepted,
    Altered,
    BaseComparison,
    ConfigFrom,
    Decision,
    Finding,
    Fix,
    LeftOut,
    Lines,
    Maturity,
    Open,
    Outcome,
    Report,
    SectionReport,
    ServerReport,
    Setting,
    Suppression,
    Verdict,
)
from reviewer.rules import SECTIONS, Rule, Section, Severity, load
from reviewer.source import Opaque, Span
from reviewer.text.patterns import pattern

MOST_BYTES = 32 * 2**20
"""A report of tens of thousands of findings is smaller."""

FARTHEST = 2**31
"""No file that is read has so many lines, for it has fewer bytes (`LARGEST` of files/discovery.py)."""

LONGEST_PATH = 4096
"""PATH_MAX of Linux: no file of a review has a longer path."""

_DIGEST = pattern(r"[0-9a-f]{1,64}")
"""It is written into hidden marks of comments, where other signs could end the mark."""

_FINGERPRINT = pattern(r"[0-9A-Za-z._:-]{1,128}")
"""Another release may make it in another way; nothing that it is written into gives these signs a meaning."""


def read(file: Path) -> Report:
    """Read a report.

    Raises CannotReviewError if the file is no such report: of another version, with rules that are not known here, with
    paths that lead out of the repository.
    """
    written = _validate_file(file)
    try:
        return _read_report(written)
    except _UnfitError as error:
        raise CannotReviewError(f"{file}: not a report of this version: {error}") from None


class _UnfitError(Exception):
    """Something in a report that its writer would not have written."""


def _validate_file(file: Path) -> ReportV1:
    try:
        if not file.is_file() or file.is_symlink():
            raise CannotReviewError(f"{file}: no such file")
        data = read_regular(file, MOST_BYTES, follow=False)
    except TooLargeError:
        raise CannotReviewError(f"{file}: too large for a report") from None
    except OSError as error:
        raise CannotReviewError(f"{file}: cannot be read: {(error.strerror or '').lower()}") from None
    try:
        return _build_adapter().validate_json(data, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise CannotReviewError(f"{file}: not a report in JSON v1: {place}: {first['msg'].lower()}") from None


@cache
def _build_adapter() -> TypeAdapter[ReportV1]:
    """Return the validator of reports. Making it takes longer than reading one, so it is kept."""
    return TypeAdapter(ReportV1)


def _read_report(written: ReportV1) -> Report:
    score = written["summary"]["maturity"]
    if not (0 <= (score["score"] or 0) <= 100 and 0 <= written["summary"]["tools"] < FARTHEST):
        raise _UnfitError("a number in it is none")
    numbers = [each["number"] for each in written["sections"]]
    if len({*numbers}) < len(numbers):
        raise _UnfitError("a section of it stands twice")
    waiting: dict[int, list[Open]] = {}
    for each in written["unanswered"]:
        rule = _find_rule(each["rule"])
        span = _read_span(each["path"], each["line"])
        waiting.setdefault(rule.section.number, []).append(Open(rule, span, each["tool"], each["why"]))
    return Report(
        written["profile"],
        "as it was reviewed",
        tuple(_read_section(each, waiting) for each in written["sections"]),
        written["summary"]["tools"],
        maturity=Maturity(score["score"], score["level"], score["withheld"]),
        broken=(*_iter_not_reviewed(written), *_iter_not_read(written)),
        compared=_read_comparison(written),
        folder=_check_path(written["folder"]) if written["folder"] else "",
        checked={_find_rule(slug).slug: _check_digest(each) for slug, each in written.get("checked", {}).items()},
        unread=tuple(written.get("unread", ())),
        unwatched=tuple(written.get("unwatched", ())),
        servers=tuple(map(_read_server, written.get("servers", ()))),
    )


def _read_server(written: ServerV1) -> ServerReport:
    """Read what was said of one of several servers; a report that was written before each had its own says nothing of any."""
    counts = (written["tools"], written["errors"], written["warnings"], written["suggestions"])
    grave = written.get("introduced", written["violations"])
    if not all(0 <= each < FARTHEST for each in (*counts, grave)):
        raise _UnfitError("a count of a server is none")
    outcome = Outcome(*counts, grave, Verdict(written["verdict"]))
    span = _read_span(written["path"], written["line"])
    because = written["because"]
    return ServerReport(written["name"] or "", span, written["profile"], because, frozenset(), frozenset(), outcome)


def _iter_not_reviewed(written: ReportV1) -> Iterator[Unreviewed]:
    for each in written.get("not_reviewed", ()):
        trail = (each["place"],) if each["place"] else ()
        yield Unreviewed(each["reason"], _read_span(each["path"], each["line"]), each["error"] or "", trail)


def _iter_not_read(written: ReportV1) -> Iterator[Opaque]:
    for each in written.get("not_read", ()):
        yield Opaque(each["reason"], _read_span(each["path"], each["line"]))


def _read_section(part: SectionV1, waiting: dict[int, list[Open]]) -> SectionReport:
    section = _find_section(part["number"])
    findings = tuple(_iter_findings(part["findings"]))
    return SectionReport(section, part["status"], findings, part["reason"], tuple(waiting.get(section.number, ())))


def _read_comparison(written: ReportV1) -> BaseComparison | None:
    compared = written.get("compared")
    if compared is None:
        return None
    altered = _read_altered(compared.get("altered"), compared.get("config_from", "head"), written["folder"])
    return BaseComparison(
        compared["base"], tuple(_iter_findings(compared["fixed"])), compared["commit"], altered=altered
    )


def _read_altered(written: AlteredV1 | None, source: ConfigFrom, folder: str) -> Altered:
    if written is None:
        return Altered(source)
    return Altered(
        source,
        tuple(Setting(each["key"], each["old"], each["new"]) for each in written["configuration"]),
        tuple(
            Suppression(
                _read_span(each["path"], each["line"]), tuple(each["rules"]), each["reason"], tuple(each["hides"])
            )
            for each in written["suppressions"]
        ),
        tuple(_iter_left_out(written, folder)),
        tuple(Accepted(each["path"], each["rule"], each["tool"] or "") for each in written["baseline"]),
    )


def _iter_left_out(written: AlteredV1, folder: str) -> Iterator[LeftOut]:
    """Read what a change leaves out; an older report has the paths alone."""
    paths: list[LeftOutV1] = [{"path": path, "reason": "", "was": None} for path in written["excluded"]]
    for each in written.get("left_out", paths):
        _check_path(posixpath.normpath(posixpath.join(folder, each["path"])))  # it may lie beside the reviewed folder
        was = _check_path(each["was"]) if each["was"] is not None else None
        yield LeftOut(each["path"], each["reason"] if each["reason"] in REASONS else "", was)


def _iter_findings(written: Iterable[FindingV1]) -> Iterator[Finding]:
    for each in written:
        if not _FINGERPRINT.fullmatch(each["fingerprint"]):
            raise _UnfitError("a fingerprint is none")
        yield Finding(
            _find_rule(each["rule"]),
            Severity(each["severity"]),
            _read_place(each),
            each["message"],
            each["help"],
            each["tool"],
            each["status"],
            each["fingerprint"],
            _read_decision(each) if each["decided_by"] == "judge" else None,
            each.get("change"),
            fix=_read_fix(each["fix"]) if "fix" in each else None,
            related=tuple(map(_read_place, each.get("related", ()))),
        )


def _read_decision(written: FindingV1) -> Decision:
    """Read by what a judge decided; a report that was written before each had its reasons has the quote alone."""
    said = written.get("judged")
    if said is None:
        return Decision(Judged("not_met", written["quote"], "", "", ""))
    names = tuple(said["names"])
    judged = Judged(
        "not_met", written["quote"], said["why"], said["rubric"], said["model"], (), said["evidence"], names
    )
    at = said["evidence_at"]
    return Decision(judged, tuple(said["failing"]), _read_place(at) if at is not None else None)


def _read_place(written: FindingV1 | PlaceV1) -> Span:
    return _read_span(written["path"], written["line"], written["column"], written["end_line"], written["end_column"])


def _read_fix(written: FixV1) -> Fix:
    """Return a fix as it is shown: whole lines. Its edits are made again when it is applied."""
    lines = written["lines"]
    if lines is not None and not (0 < lines["line"] <= lines["end_line"] < FARTHEST):
        raise _UnfitError("the lines of a fix are none")
    shown = Lines(_check_path(lines["path"]), lines["line"], lines["end_line"], tuple(lines["text"])) if lines else None
    return Fix(written["title"], written["applicability"], (), shown)


def _check_digest(written: str) -> str:
    """Return a digest, which stands in hidden marks of comments. Raises _UnfitError for what is none."""
    if not _DIGEST.fullmatch(written):
        raise _UnfitError("a digest is none")
    return written


def _find_rule(slug: str) -> Rule:
    rule = load().get(slug)
    if rule is None:
        raise _UnfitError("it has findings of rules that are not known here")
    return rule


def _find_section(number: int) -> Section:
    for section in SECTIONS:
        if section.number == number:
            return section
    raise _UnfitError("it has a section that is not known here")


def _read_span(path: str, *places: int) -> Span:
    if not all(0 <= each < FARTHEST for each in places):
        raise _UnfitError("a place in it is none")
    line, column, end_line, end_column = (*places, 1, places[0], 1) if len(places) == 1 else places
    return Span(_check_path(path), line, column, end_line, end_column)


def _check_path(path: str) -> str:
    """Return a path that stays within what it is relative to. Raises _UnfitError for any other."""
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or len(path) > LONGEST_PATH:
        raise _UnfitError("a path in it leads out of the repository")
    return path
