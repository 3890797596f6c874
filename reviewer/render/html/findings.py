"""Sections with their findings, rule by rule, each with the lines of its place."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from reviewer.render.html.excerpt import render_difference, render_excerpt
from reviewer.render.html.markup import Part, format_count, link, render_aside, render_prose, tag
from reviewer.report.model import Finding, Fix, Open, Report, SectionReport
from reviewer.report.rule_pages import find_page
from reviewer.rules import Rule, Severity
from reviewer.source import Opaque, Span

if TYPE_CHECKING:
    from reviewer.judge.offers import Offer

SIGNS = {Severity.ERROR: "✕", Severity.WARNING: "!", Severity.SUGGESTION: "○"}
"""What tells severities apart without colour, beside the word."""


class References:
    """What findings refer to: tools by numbers, for names are hostile and an attribute takes a number; places by addresses."""

    def __init__(self, report: Report) -> None:
        self._report = report
        every = (each.tool for part in report.sections for each in part.findings)
        self._numbers = {name: number for number, name in enumerate(dict.fromkeys(filter(None, every)))}

    def number(self, tool: str | None) -> int | None:
        """Return the number of a tool, None if no finding is about it."""
        return None if tool is None else self._numbers.get(tool)

    def place(self, span: Span) -> Element:
        """Show where a span begins, as a link if its address is known."""
        return link(tag("code", f"{span.path}:{span.line}", class_="place"), self._report.link(span))


def render_errors(report: Report) -> Element | None:
    """List the errors of all sections, each with the way to it; None if there is none that counts."""
    found = [each for each in report.counting if each.severity is Severity.ERROR]
    if not found:
        return None
    more = len(found) - MOST_ERRORS
    return tag(
        "section",
        tag("h2", format_count(len(found), "error"), id="terrors"),
        tag("ol", [tag("li", _render_way(each)) for each in found[:MOST_ERRORS]]),
        tag("p", f"and {more:,} more below", class_="standing") if more > 0 else None,
        id="errors",
        aria_labelledby="terrors",
        class_="section",
    )


def _render_way(finding: Finding) -> Iterator[Part]:
    anchor = f"#f-{finding.fingerprint}" if finding.fingerprint else f"#s{finding.rule.section.number}"
    yield tag("a", tag("code", f"{finding.span.path}:{finding.span.line}", class_="place"), href=anchor)
    yield " "
    yield render_prose(finding.message)


MOST_ERRORS = 20
"""Errors that are listed before the sections: a screen holds no more."""


def render_section(part: SectionReport, refer: References) -> Element:
    """Return the element of a section: its state, its findings by rule, then its unanswered questions."""
    number = part.section.number
    return tag(
        "section",
        tag(
            "div",
            tag("h2", tag("span", f"§{number}", class_="number"), f" {part.section.title}", id=f"t{number}"),
            _render_standing(part),
            class_="title",
        ),
        [_render_group(rule, found, refer) for rule, found in _group_by_rule(part.findings)],
        _render_questions(part.waiting, refer),
        id=f"s{number}",
        aria_labelledby=f"t{number}",
        class_="section" if part.findings or part.waiting else "section brief",
        data_section=number,
    )


def _render_standing(part: SectionReport) -> Element:
    counts = ((each, sum(finding.severity is each for finding in part.reported)) for each in Severity)
    said = [format_count(count, severity.value) for severity, count in counts if count]
    if part.status == "ok":
        said.insert(0, "OK" if part.clean else "no violations")
    elif part.status != "violations":
        said.insert(0, f"{part.status.replace('-', ' ')}: {part.reason}")
    elif part.waiting:
        said.append(f"not judged: {format_count(len(part.waiting), 'question')}")
    if part.section.scope and part.status != "not-applicable":
        said[-1] += f"; covers only: {part.section.scope}"
    return tag("p", ", ".join(said), class_=f"standing {part.status}")


def _group_by_rule(findings: Iterable[Finding]) -> list[tuple[Rule, list[Finding]]]:
    """Group findings by rule: what is new, then what weighs most, then what comes first."""
    groups: defaultdict[str, list[Finding]] = defaultdict(list)
    for each in findings:
        groups[each.rule.slug].append(each)
    ranked = sorted(groups.values(), key=lambda found: min(_rank(each) for each in found))
    return [(found[0].rule, sorted(found, key=_rank)) for found in ranked]


def _rank(finding: Finding) -> tuple[bool, bool, int]:
    return finding.status != "reported", finding.change == "unchanged", list(Severity).index(finding.severity)


def _render_group(rule: Rule, found: list[Finding], refer: References) -> Element:
    """Show the findings of a rule under what the rule wants; a help that all of them share is said once."""
    helps = {each.help for each in found}
    shared = helps.pop() if len(helps) == 1 else None
    return tag(
        "div",
        tag("h3", render_prose(rule.title)),
        tag("p", render_prose(shared), class_="help") if shared else None,
        tag("ul", [_render_finding(each, refer, told=shared is not None) for each in found], class_="findings"),
        _render_about(rule),
        class_="rule",
    )


def _render_about(rule: Rule) -> Element:
    reasons = [tag("p", render_prose(each)) for each in _iter_reasons(rule)]
    command = tag("code", f"mcp-review explain {rule.slug}", class_="command")
    return tag(
        "details",
        tag("summary", tag("code", rule.slug), ": why, and from which source"),
        reasons,
        tag(
            "p",
            f"{', '.join((*rule.codes, f'§{rule.section.number}'))}. Sources: {'; '.join(rule.cites) or 'our own'}.",
        ),
        tag("p", "With examples and options: ", link(command, find_page(rule.slug))),
        class_="about",
    )


def _iter_reasons(rule: Rule) -> Iterator[str]:
    """Yield the paragraphs of a rule's page between its title and its examples."""
    _, _, rest = rule.page.partition("\n\n")
    said = re.split(r"^(?:Bad|Good)\b.*:$|^```", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return (" ".join(each.split()) for each in said.split("\n\n") if each.strip())


def _render_finding(finding: Finding, refer: References, *, told: bool = False) -> Element:
    severity = finding.severity.value
    return tag(
        "li",
        tag(
            "p",
            tag(
                "span",
                tag("span", SIGNS[finding.severity], class_="sign", aria_hidden="true"),
                severity,
                class_="severity",
            ),
            tag("span", list(_render_badges(finding)), render_prose(finding.message), class_="message"),
            class_="head",
        ),
        tag("p", _render_place(finding, refer.place(finding.span)), class_="meta"),
        render_excerpt(finding.span, finding.excerpt),
        _render_judged(finding, refer),
        tag("p", render_prose(finding.help), class_="help") if finding.help and not told else None,
        _render_offer(finding.offer)
        if finding.offer is not None
        else _render_fix(finding.fix)
        if finding.fix is not None
        else None,
        id=f"f-{finding.fingerprint}" if finding.fingerprint else None,
        class_=f"finding {severity} {finding.status}",
        data_severity=severity,
        data_status=finding.status,
        data_change=finding.change,
        data_tool=refer.number(finding.tool),
    )


def _render_fix(fix: Fix) -> Element:
    """Return how it is fixed, and by which option; folded in, the lines as they stand then."""
    told = ["Fix: ", render_prose(fix.title), " (", tag("code", fix.option), ")"]
    if fix.lines is None:
        return tag("p", told, class_="help")
    return tag("details", tag("summary", told), render_difference(fix.lines))


def _render_offer(offer: "Offer") -> Element:
    """Show the description that a model proposes; folded in, the text and what it rests on."""
    rows = [tag("code", line, data_line=number) for number, line in enumerate(offer.text.split("\n"), 1)]
    quotes = [tag("li", each.text, ": ", [(tag("q", quote), " ") for quote in each.quotes]) for each in offer.claims]
    told = f"Proposed description, by {offer.writer}, judged again by {offer.judge}"
    return tag(
        "details",
        tag("summary", told),
        tag("pre", render_aside("Proposed description: "), rows),
        tag("ul", quotes, class_="help"),
    )


def _render_badges(finding: Finding) -> Iterator[Part]:
    if finding.change == "introduced":
        yield tag("span", "introduced", class_="badge new")
    if finding.status != "reported":
        yield tag("span", "in the baseline" if finding.status == "baseline" else "suppressed", class_="badge")


def _render_place(finding: Finding, place: Element) -> Iterator[Part]:
    yield place
    if finding.tool is not None:
        yield tag("span", "tool ", tag("code", finding.tool))
    yield tag("span", "found by check" if finding.decided is None else f"judged by {finding.decided.judged.model}")


def _render_judged(finding: Finding, refer: References) -> Element | None:
    """Show why a judge found a finding: what is wanting, its own sentence, and both quotes."""
    if finding.decided is None:
        return None
    judged, evidence = finding.decided.judged, finding.decided.evidence
    named = [[", " if place else " ", tag("code", each)] for place, each in enumerate(judged.names)]
    wanting = tag("p", tag("b", "; ".join(finding.decided.failing)), named) if finding.decided.failing else None
    return tag(
        "div",
        wanting,
        tag("p", judged.why) if judged.why else None,
        tag("p", "It says ", tag("q", judged.quote)) if judged.quote else None,
        tag(
            "p",
            refer.place(evidence) if evidence is not None else "Compare",
            " ",
            tag("code", judged.evidence),
        )
        if judged.evidence
        else None,
        class_="judged",
    )


def _render_questions(waiting: tuple[Open, ...], refer: References) -> Element | None:
    """List what no judge answered, rule by rule."""
    if not waiting:
        return None
    groups: defaultdict[str, list[Open]] = defaultdict(list)
    for each in waiting:
        groups[each.rule.slug].append(each)
    return tag(
        "details",
        tag("summary", f"{format_count(len(waiting), 'question')} without an answer"),
        tag(
            "dl",
            [
                (
                    tag("dt", render_prose(asked[0].rule.title)),
                    tag("dd", tag("ul", [_render_question(each, refer) for each in asked])),
                )
                for asked in groups.values()
            ],
        ),
        class_="questions",
    )


def _render_question(question: Open, refer: References) -> Element:
    return tag(
        "li",
        tag("code", question.tool) if question.tool is not None else None,
        " ",
        refer.place(question.span),
        f" {question.why}" if question.why else None,
    )


def render_fixed(report: Report) -> Element | None:
    """List the findings that stood in the base and are gone."""
    if report.compared is None or not report.compared.fixed:
        return None
    return tag(
        "section",
        tag("h2", f"Fixed since {report.compared.base}", id="tfixed"),
        tag("ul", [_render_fixed_finding(each) for each in report.compared.fixed], class_="findings gone"),
        id="fixed",
        aria_labelledby="tfixed",
        class_="section",
    )


def _render_fixed_finding(finding: Finding) -> Element:
    gone = tag(
        "code", f"{finding.span.path}:{finding.span.line}", class_="place"
    )  # no line of today: it has no address
    return tag(
        "li",
        tag(
            "p",
            tag("span", tag("span", "✓", class_="sign", aria_hidden="true"), "fixed", class_="severity"),
            tag("span", render_prose(finding.message), class_="message"),
            class_="head",
        ),
        tag("p", _render_place(finding, gone), tag("code", finding.rule.slug), class_="meta"),
        class_="finding fixed",
    )


def render_unread(broken: tuple[Opaque, ...], refer: References) -> Element | None:
    """List the files that could not be read."""
    if not broken:
        return None
    rows = [tag("li", refer.place(each.span), f" {each.reason}") for each in broken]
    heading = tag("h2", "Not read", id="tunread")
    return tag("section", heading, tag("ul", rows), id="unread", aria_labelledby="tunread", class_="section")
