"""Findings of one cause: a report tells them once, with their count and all places.

A comparison with a base and a baseline look at each by itself: one more of a known cause is new.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from reviewer.report.model import Finding, Report
from reviewer.rules.shared.words.identifiers import format_places
from reviewer.source import Span


def group_by_cause(report: Report) -> Report:
    """Return a report that tells findings of one cause as the first of them; suppressed, accepted and new ones by themselves."""
    sections = (replace(part, findings=tuple(iter_once(part.findings))) for part in report.sections)
    compared = report.compared
    if compared is not None:
        compared = replace(compared, fixed=tuple(iter_once(compared.fixed)))
    return replace(report, sections=tuple(sections), compared=compared)


def list_one_by_one(report: Report) -> Report:
    """Return a report that tells every finding by itself, also those of one cause."""
    sections = (replace(part, findings=tuple(iter_apart(part.findings))) for part in report.sections)
    return replace(report, sections=tuple(sections))


def iter_once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield of findings of one cause the first, with how many there are and where."""
    causes: dict[tuple[str | None, ...], list[Finding]] = {}
    for number, each in enumerate(findings):
        causes.setdefault((each.rule.slug, each.cause or str(number), each.status, each.change), []).append(each)
    for same in causes.values():
        first, related = same[0], _list_other_places(same)
        if not related:
            yield replace(first, related=())
            continue
        yield replace(
            first,
            message=format_places(first.message, len(related)),
            related=related,
            fingerprint=_digest_cause(first) if first.cause else first.fingerprint,
            parts=tuple(same),
        )


def _list_other_places(same: Sequence[Finding]) -> tuple[Span, ...]:
    """Return the other places of findings of one cause, each line once, and not that of the first."""
    spans = [*(each.span for each in same[1:]), *(span for each in same for span in each.related)]
    lines: dict[tuple[str, int], Span] = {}
    for each in spans:
        if each[:2] != same[0].span[:2]:
            lines.setdefault(each[:2], each)
    return tuple(lines.values())


def iter_apart(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield every finding by itself."""
    return (one for each in findings for one in each.parts or (each,))


def _digest_cause(finding: Finding) -> str:
    """Return a digest that identifies a cause, whichever of its places comes first."""
    key = "\0".join((finding.rule.slug, finding.cause, finding.change or ""))
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
