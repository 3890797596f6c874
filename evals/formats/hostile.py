"""The corpus of hostile texts, reports that hold one of them wherever reviewed text can stand, and their benign twins."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from reviewer.config import Flags
from reviewer.judge import Judged
from reviewer.judge.offers import Claim, Offer, Refused
from reviewer.pipeline import add_excerpts, read, run_rules
from reviewer.render.plain import is_plain
from reviewer.report.model import (
    BaseComparison,
    Decision,
    Finding,
    Fix,
    Lines,
    Maturity,
    Open,
    Report,
    SectionReport,
    add_fingerprints,
)
from reviewer.report.provenance import FORMS, Provenance
from reviewer.rules import SECTIONS, Section, Severity, load
from reviewer.source import Edit, Opaque, Span

TIME = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
CORPUS = Path(__file__).parent / "hostile.jsonl"


class Case(NamedTuple):
    """A hostile text, and what it tries."""

    kind: str
    text: str


def corpus() -> list[Case]:
    """Read all hostile texts."""
    return [Case(**json.loads(line)) for line in CORPUS.read_text("utf-8").splitlines()]


def made(text: str) -> Report:
    """Make a report that holds the text in every field, in every severity and status, and as a part of messages."""
    sections = tuple(_section(section, text) for section in SECTIONS[9:12])
    fixed = tuple(replace(each, fingerprint=f"{number}") for number, each in enumerate(_findings(SECTIONS[9], text)))
    broken = (Opaque(text, Span(_path(text), 1, 1, 1, 1)),)
    scored = Maturity(None, None, text)
    refused = (Refused(text, Span(_path(text), 1, 1, 1, 1), text),)
    compared = BaseComparison(text, fixed)
    come = Provenance((text, text), TIME, "github.com/owner/name", "a" * 40, FORMS["github.com"])
    return Report(
        "core",
        text,
        sections,
        3,
        broken,
        scored,
        compared,
        folder=_path(text),
        refused=refused,
        root=Path("reviewed"),
        provenance=come,
    )


def _path(text: str) -> str:
    """Make a path of a text: what no file can be named is left out, and what is too long to be linked."""
    return "/".join(part for part in text[:140].replace("\0", "").split("/") if part not in ("", ".", "..")) or "x"


def _section(section: Section, text: str) -> SectionReport:
    rules = [each for each in load().values() if each.section is section]
    spans = (Span(_path(text), 3, 1, 3, 9), Span(_path(text), 4, 1, 4, 9))
    waiting = (Open(rules[0], spans[0], text, text), Open(rules[0], spans[1], text, None))
    if section.number % 3:
        return SectionReport(section, "violations", add_fingerprints(_findings(section, text)), None, waiting)
    return SectionReport(section, "not-applicable", (), text)


def _findings(section: Section, text: str) -> Iterator[Finding]:
    rule = next(each for each in load().values() if each.section is section)
    lines = tuple(text.split("\n")[:2]) or ("",)
    span = Span(_path(text), 1, 1, len(lines), len(lines[-1]) + 1)
    messages = (text, f"tool `{text}` has no description", f"{text} and `{text}`, as in {text}:1")
    for severity, message in zip(Severity, messages, strict=True):
        finding = Finding(rule, severity, span, message, text, text, excerpt=lines, fix=_fix(span, text, lines))
        yield replace(finding, change="introduced", offer=_offer(span, text))
        yield replace(finding, status="suppressed", change="unchanged")
        yield replace(finding, status="baseline", decided=_decision(span, text))
        yield replace(finding, change="unchanged")


def _decision(span: Span, text: str) -> Decision:
    return Decision(Judged("not_met", text, text, "1", "model", (1,), text, (text,)), (text,), span)


def _offer(span: Span, text: str) -> Offer:
    return Offer(text, span, text, (Claim(text, (text, text)),), "rewrite@1", text, text, ("purpose-not-told@2",))


def _fix(span: Span, text: str, lines: tuple[str, ...]) -> Fix:
    return Fix(text, "safe", (Edit(span, 0, len(text.encode("utf-8", "replace")), text),), _replaced(span.path, lines))


def _replaced(path: str, lines: tuple[str, ...]) -> Lines:
    return Lines(path, 1, len(lines), lines)


def served(text: str, folder: Path) -> Iterator[Report]:
    """Review servers whose definitions, and whose source and file name, hold the text; none if it cannot stand there."""
    safe = text.encode("utf-8", "replace").decode()
    schema = {"type": "object", "properties": {safe: {"type": "string", "description": safe, "enum": [safe]}}}
    tool = {"name": safe, "title": safe, "description": safe, "inputSchema": schema}
    (folder / "tools.json").write_text(json.dumps({"tools": [tool, {"name": safe}]}), "utf-8")
    yield reviewed_example(folder / "tools.json")
    name = (
        "".join(char for char in safe if char not in "/\0").encode()[:200].decode("utf-8", "ignore").strip(".") + "x.py"
    )
    tools = "\n".join(f"@mcp.tool(name={text!r})\ndef tool_{n}(value: str = {text!r}): '''{n}'''\n" for n in "ab")
    source = folder / "source" / name
    source.parent.mkdir()
    source.write_text(f"from mcp.server.fastmcp import FastMCP\nmcp = FastMCP({text!r})\n{tools}", "utf-8")
    yield reviewed_example(source.parent)
    source.unlink()
    source.parent.rmdir()


def reviewed_example(path: Path) -> Report:
    """Review a path by the profile with the most to say, with the lines of each finding."""
    reading = read(path)
    return add_excerpts(run_rules(reading, Flags(profile="validator-46"))[0], reading)


def benign(report: Report) -> Report:
    """Return the same report with plain words for all that was read."""
    sections = tuple(
        replace(
            part,
            findings=tuple(map(_plain_finding, part.findings)),
            reason=part.reason and "some reason",
            waiting=tuple(map(_plain_question, part.waiting)),
        )
        for part in report.sections
    )
    return replace(
        report,
        because="some reason",
        sections=sections,
        broken=tuple(Opaque("some reason", _plain_span(each.span)) for each in report.broken),
        maturity=replace(report.maturity, withheld=report.maturity.withheld and "some reason"),
        compared=report.compared and BaseComparison("some base", tuple(map(_plain_finding, report.compared.fixed))),
        folder=report.folder and "folder",
        provenance=report.provenance and replace(report.provenance, named=("folder", "folder")),
        refused=tuple(Refused("tool", _plain_span(each.span), "some reason") for each in report.refused),
    )


def _plain_span(span: Span) -> Span:
    return span._replace(path="server.py")


def _plain_finding(finding: Finding) -> Finding:
    return replace(
        finding,
        span=_plain_span(finding.span),
        message="some message",
        help=finding.help and "some help",
        tool=finding.tool and "tool",
        decided=finding.decided and _decision(_plain_span(finding.span), "some text"),
        excerpt=tuple("x" * len(line) for line in finding.excerpt),
        fix=finding.fix and _plain_fix(finding.fix),
        offer=finding.offer and _plain_offer(finding.offer),
    )


def _plain_offer(offer: Offer) -> Offer:
    text = "\n".join("x" * len(line) for line in offer.text.split("\n"))
    claims = tuple(Claim("a claim", tuple("a quote" for _ in each.quotes)) for each in offer.claims)
    return replace(
        offer, tool="tool", span=_plain_span(offer.span), text=text, claims=claims, writer="model", judge="model"
    )


def _plain_fix(fix: Fix) -> Fix:
    """Return a fix of as many edits and lines, in plain words; what hides is suggested nowhere, so neither is its twin."""
    edits = tuple(each._replace(span=_plain_span(each.span), text="x" * len(each.text)) for each in fix.edits)
    lines = fix.lines and _replaced("server.py", tuple("x" * len(line) for line in fix.lines.text))
    kept = fix.lines is None or is_plain(fix.lines.text)
    return Fix("do it otherwise", fix.applicability if kept else "unsafe", edits, lines)


def _plain_question(question: Open) -> Open:
    return replace(question, span=_plain_span(question.span), tool="tool", why=question.why and "some reason")
