"""Reports made by hand, with a given word wherever reviewed text, a model's words or a caller's can stand."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from reviewer.judge import Judged
from reviewer.report.model import (
    BaseComparison,
    Cost,
    Decision,
    Finding,
    Maturity,
    Open,
    Report,
    SectionReport,
    ToolScore,
)
from reviewer.report.provenance import FORMS, Provenance
from reviewer.rules import SECTIONS, Severity, load
from reviewer.source import Opaque, Span

RULES = load()
CHECKED, JUDGED = RULES["tool-without-description"], RULES["purpose-not-told"]


def span(path: str, line: int, width: int = 5) -> Span:
    return Span(path, line, 1, line, 1 + width)


def finding(number: int, word: str = "word", severity: Severity = Severity.ERROR, **changed) -> Finding:
    told = Finding(CHECKED, severity, span(f"{word}.py", number), f"tool `{word}` is {word}", f"mend {word}", word)
    return replace(told, **{"excerpt": (f"{word} = {number}",), "fingerprint": f"{number:016x}"} | changed)


def full(word: str = "word") -> Report:
    """Return a report in which every part of a page is there: five findings that are reported, two that are not."""
    judgement = Judged("not_met", word, f"because {word}", "1", word, (1,), f"evidence {word}", (word,))
    verdict = Decision(judgement, (f"says nothing of {word}",), span(f"{word}.py", 6))
    described = (
        finding(1, word, change="introduced"),
        finding(2, word, Severity.WARNING, change="unchanged"),
        finding(3, word, Severity.SUGGESTION, change="unchanged", tool=f"second {word}"),
        finding(4, word, status="suppressed"),
        finding(5, word, status="baseline"),
    )
    judged = (
        finding(6, word, Severity.WARNING, rule=JUDGED, decided=verdict, change="introduced"),
        finding(
            7,
            word,
            rule=JUDGED,
            decided=Decision(replace(judgement, quote=None, evidence=None, names=())),
            tool=None,
            excerpt=(),
        ),
    )
    open_questions = (
        Open(JUDGED, span(f"{word}.py", 8), word, f"no answer: {word}"),
        Open(JUDGED, span(f"{word}.py", 9), word, None),
    )
    filled = {10: ("violations", described, None, ()), 9: ("violations", judged, None, open_questions)}
    filled[6] = ("not-applicable", (), f"no {word}", ())
    filled[13] = ("not-judged", (), "1 question", open_questions[:1])
    parts = []
    for each in SECTIONS:
        status, findings, reason, waiting = filled.get(each.number, ("ok", (), None, ()))
        parts.append(SectionReport(each, status, findings, reason, waiting))
    tools = (
        ToolScore(word, span(f"{word}.py", 1), 60, None, tuple(Cost(CHECKED, each, 2, 10) for each in Severity) * 2),
        ToolScore(word, span(f"{word}.py", 2), None, f"hidden {word}"),
        ToolScore("", span(f"{word}.py", 3), 100, None),
    )
    return Report(
        "core",
        f"because {word}",
        tuple(parts),
        3,
        (Opaque(f"broken {word}", span(f"{word}.py", 1)),),
        Maturity(80, "mature", None, tools),
        BaseComparison(word, (finding(20, word),)),
    )


def known(word: str = "word") -> Report:
    """Return the same report of a checkout at a host that is known, so that places are links."""
    come = Provenance((word,), datetime(2026, 1, 2, tzinfo=UTC), "github.com/owner/name", "a" * 40, FORMS["github.com"])
    return replace(full(word), root=Path("reviewed"), provenance=come)


def many(count: int) -> Report:
    """Return a report of that many findings in one section."""
    kinds = list(Severity)
    found = tuple(finding(line, f"tool{line % 40}", kinds[line % 3]) for line in range(1, count + 1))
    return Report("core", "the default", (SectionReport(SECTIONS[9], "violations", found),), 40)
