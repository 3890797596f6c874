"""Findings that a project lives with, in a file: accepted where they still stand, named where they are gone.

One finding a line, sorted, without line numbers: the file changes only where findings do, and merges as code does.
"""

import json
import os
import stat
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from reviewer.compare.changes import ReadLines, Step, match_partners, strip_blanks
from reviewer.config import Reads
from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular, replace_file
from reviewer.records import dataclass
from reviewer.report.groups import group_by_cause, list_one_by_one
from reviewer.report.model import Finding, Report, decide_status, digest_finding

FILE = Path("mcp-review-baseline.json")
"""Where a baseline is written if nothing else is said."""

VERSION = 1
"""Goes up when an older release would misread a baseline: it refuses one then, and does not pass findings over."""

LARGEST = 64 * 2**20
"""Bytes.

A larger file is refused before it is parsed, so that no file takes all memory. A finding takes 140, so it holds 480,000.
"""


@dataclass(frozen=True, order=True)
class BaselineEntry:
    """One accepted finding. `tool` is empty if it stands in none; `text` is a digest of its line."""

    path: str
    rule: str
    tool: str
    fingerprint: str
    text: str


STEPS: tuple[Step[BaselineEntry], ...] = (
    (lambda entry: entry, None),
    (lambda entry: (entry.fingerprint, entry.path), None),
    (lambda entry: (entry.fingerprint, entry.text), None),
    (lambda entry: entry.fingerprint, None),
)
"""By what an entry is found again, the surest first."""


def read(file: Path, reads: Reads | None = None) -> tuple[BaselineEntry, ...]:
    """Read a baseline. Raises CannotReviewError, in one line, if there is none or it cannot be understood.

    One that is read by `reads` is empty if it is not there: it is another side's.
    """
    try:
        data = reads(file) if reads is not None else _read_data(file)
        return tuple(_iter_entries(json.loads(data))) if data is not None else ()
    except FileNotFoundError:
        raise CannotReviewError(f"{file}: no such baseline; create it with --write-baseline") from None
    except OSError as error:
        raise CannotReviewError(f"{file}: the baseline cannot be read: {(error.strerror or '').lower()}") from None
    except (ValueError, RecursionError) as error:
        said = f"no JSON in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise CannotReviewError(f"{file}: not a baseline: {said}; fix it, or delete it and create a new one") from None


def _read_data(file: Path) -> bytes:
    try:
        if stat.S_ISREG(os.stat(file).st_mode):
            return read_regular(file, LARGEST)
    except TooLargeError:
        pass
    raise CannotReviewError(f"{file}: not a baseline; create one with --write-baseline")


def _iter_entries(document: Any) -> Iterable[BaselineEntry]:
    if not isinstance(document, dict) or not isinstance(document.get("findings"), list):
        raise ValueError("it has no list of findings")
    if document.get("version") != VERSION:
        raise ValueError(f"it has version {document.get('version')!r:.20}, and this release knows version {VERSION}")
    for number, each in enumerate(document["findings"], 1):
        parts = [each.get(name) for name in BaselineEntry.__dataclass_fields__] if isinstance(each, dict) else [None]
        if not all(isinstance(part, str) for part in parts):
            raise ValueError(f"finding {number} is incomplete")
        yield BaselineEntry(*parts)


def mark_accepted(
    report: Report, entries: Iterable[BaselineEntry], lines: ReadLines, ran: frozenset[str]
) -> tuple[Report, tuple[BaselineEntry, ...]]:
    """Mark the findings that a baseline holds, and give its entries that were looked for and are gone.

    `ran` are the rules that ran; of those and of rules with open questions nothing is known.
    """
    report = list_one_by_one(report)
    found = [each for part in report.sections for each in part.findings if each.status == "reported"]
    named = {id(each): build_entry(each, lines) for each in found}
    known = list(entries)
    kept = match_partners(known, list(named.values()), STEPS)
    marked = {key for key, each in named.items() if id(each) in kept}
    sections = []
    for part in report.sections:
        findings = tuple(replace(each, status="baseline") if id(each) in marked else each for each in part.findings)
        status, reason = decide_status(findings, part.waiting) or ("ok", None)
        settled = replace(part, status=status, reason=reason) if part.status == "violations" else part
        sections.append(replace(settled, findings=findings))
    unsure = {each.rule.slug for part in report.sections for each in part.waiting}
    present = {id(each) for each in kept.values()}
    gone = tuple(each for each in known if id(each) not in present and each.rule in ran - unsure)
    return group_by_cause(replace(report, sections=tuple(sections))), gone


def build_entry(finding: Finding, lines: ReadLines) -> BaselineEntry:
    """Return the baseline's entry for a finding."""
    listed = lines(finding.span.path)
    line = listed[finding.span.line - 1] if 0 < finding.span.line <= len(listed) else ""
    text = sha256(strip_blanks(line).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return BaselineEntry(finding.span.path, finding.rule.slug, finding.tool or "", digest_finding(finding), text)


def write(file: Path, entries: Iterable[BaselineEntry]) -> None:
    """Write a baseline in one stroke: it is there as a whole or as it was. Raises CannotReviewError, in one line."""
    rows = ",\n".join(
        "  " + json.dumps({name: getattr(each, name) for name in BaselineEntry.__dataclass_fields__})
        for each in sorted(entries)
    )
    text = f'{{\n "version": {VERSION},\n "findings": [\n{rows}\n ]\n}}\n'
    try:
        replace_file(file, text.encode("ascii"))
    except OSError as error:
        raise CannotReviewError(f"{file}: the baseline cannot be written: {(error.strerror or '').lower()}") from None
