"""The report in Markdown, for job summaries and comments; and reviewed text made safe in it, whoever renders it.

What hosts add to Markdown (mentions, references, bare links, emoji, formulas) is found in text after it was parsed, where neither
backslashes nor entities help; it is never looked for in code. So a word stays text only if it is plainly one: all else is code.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from reviewer.render.lines import render_other_places
from reviewer.render.plain import escape_hidden
from reviewer.render.quoting import iter_quoted_parts
from reviewer.render.reasons import build_locator, explain_decision
from reviewer.render.setting_changes import iter_alterations
from reviewer.render.text import render_hidden, render_maturity, render_summary
from reviewer.report.model import Finding, Report, SectionReport, ServerReport
from reviewer.report.provenance import Provenance
from reviewer.report.rule_pages import find_page
from reviewer.rules import Severity
from reviewer.source import Span
from reviewer.text.excerpts import format_count
from reviewer.text.patterns import pattern
from reviewer.version import __version__

if TYPE_CHECKING:
    from reviewer.judge.offers import Offer

MOST = 1_000_000
"""Bytes of a job summary, of which GitHub takes no more than a MiB."""

LONGEST = 1000
"""Characters of one text that are shown."""


class HeadedList(NamedTuple):
    """A headed list of the report, each of its items one or more lines; folded, it shows its title until it is opened."""

    title: str
    items: list[str]
    folded: bool = False


def render(report: Report, most: int = MOST) -> str:
    """Render the report in no more than so many bytes: what does not fit is counted."""
    written = [
        "\n\n".join([f"## MCP review: {report.verdict.value}{render_hidden(report)}", *_iter_head_lines(report)]) + "\n"
    ]
    room = most - len(written[0].encode())
    for group in iter_groups(report):
        written.append(fit_group(group, room))
        room -= len(written[-1].encode()) + 1
    return "\n".join(part for part in written if part)


def _iter_head_lines(report: Report) -> Iterator[str]:
    yield f"{render_summary(report)}."
    if report.provenance is not None:
        yield f"Reviewed: {', '.join(_iter_provenance_parts(report.provenance))}."
    if report.unreviewed:
        first = report.unreviewed[0]
        more = f" (and {len(report.unreviewed) - 1} more)" if len(report.unreviewed) > 1 else ""
        yield f"**Not reviewed**: {_render_place(report, first.span)} {render_prose(first.reason)}{more}."
    if report.compared is not None:
        changes = [each.change for each in report.findings]
        new, old, gone = changes.count("introduced"), changes.count("unchanged"), len(report.compared.fixed)
        yield f"Since {render_code(report.compared.base)}: {new} introduced, {gone} fixed, {old} unchanged."
    scored = render_prose(render_maturity(report.maturity)).removeprefix("maturity")
    yield f"Maturity{scored}. Profile: {render_prose(report.profile)} ({render_prose(report.because)})."
    statuses = [each.status for part in report.sections for each in part.findings]
    hidden = {"suppressed": statuses.count("suppressed"), "in the baseline": statuses.count("baseline")}
    if any(hidden.values()):
        yield f"Not counted: {', '.join(f'{count} {where}' for where, count in hidden.items() if count)}."


def _iter_provenance_parts(given: Provenance) -> Iterator[str]:
    """Name what was reviewed, where it is from, when, and by which version."""
    yield from map(render_code, given.named)
    if given.repository:
        yield _render_link(render_code(given.repository), given.home)
    if given.commit:
        yield f"commit {_render_link(render_code(given.commit[:12]), given.commit_link)}"
    yield given.moment
    yield f"mcp-review {__version__}"


def _render_link(shown: str, target: str | None) -> str:
    """Make a link of safe Markdown to an address of our own making."""
    return f"[{shown}]({target})" if target is not None else shown


def link_rule(slug: str) -> str:
    """Name a rule, as a link if the address of its page is known."""
    return _render_link(render_code(slug), find_page(slug))


def iter_groups(report: Report) -> Iterator[HeadedList]:
    """Yield the lists of the report, those that matter most first; none is empty."""
    violations = sorted(
        (each for each in report.counting if each.severity is not Severity.SUGGESTION),
        key=lambda each: list(Severity).index(each.severity),
    )
    suggestions = [each for each in report.counting if each.severity is Severity.SUGGESTION]
    unchanged = [each for each in report.findings if each.change == "unchanged"]
    if report.compared is not None:
        yield from _iter_finding_lists("Introduced", violations, report)
        setting_changes = [f"- {each}" for each in iter_alterations(report, render_code)]
        if setting_changes:
            yield HeadedList(f"Alterations of the review: {len(setting_changes)}", setting_changes)
        yield from _iter_finding_lists("Fixed", report.compared.fixed, report, folded=True)
    else:
        for severity, title in ((Severity.ERROR, "Errors"), (Severity.WARNING, "Warnings")):
            yield from _iter_finding_lists(title, [each for each in violations if each.severity is severity], report)
    yield from _iter_finding_lists("Suggestions", suggestions, report, folded=True)
    yield from _iter_finding_lists("Unchanged", unchanged, report, folded=True)
    if report.servers:
        each = [_render_server(one, report) for one in report.servers]
        yield HeadedList(f"Servers: {len(each)}", each, folded=True)
    if report.offers:
        proposed = [_render_proposal(each, report) for each in report.offers]
        yield HeadedList(f"Proposed descriptions: {len(proposed)}", proposed, folded=True)
    if report.unanswered:
        asked = [
            f"- {_render_place(report, each.span)} {link_rule(each.rule.slug)}: {render_prose(each.why or '')}"
            for each in report.unanswered
        ]
        yield HeadedList(f"Questions without an answer: {len(asked)}", asked, folded=True)
    if report.broken:
        unread = [f"- {_render_place(report, each.span)} {render_prose(each.reason)}" for each in report.broken]
        yield HeadedList(f"Not read: {len(unread)}", unread, folded=True)
    yield HeadedList(
        "All sections", ["| § | section | |\n| --- | --- | --- |", *map(_render_row, report.sections)], folded=True
    )


def _render_server(server: ServerReport, report: Report) -> str:
    outcome = report.summarize_server(server)
    found = f"{outcome.verdict.value}, {format_count(outcome.grave, 'violation')}"
    named = f" server {render_code(server.name)}" if server.name else ""
    profile = f"{render_prose(server.profile)} ({render_prose(server.because)})"
    return f"- {_render_place(report, server.span)}{named}: {found}, profile {profile}"


def _iter_finding_lists(
    title: str, found: Iterable[Finding], report: Report, *, folded: bool = False
) -> Iterator[HeadedList]:
    items = [render_item(each, report) for each in found]
    if items:
        yield HeadedList(f"{title}: {len(items)}", items, folded)


def render_item(finding: Finding, report: Report) -> str:
    """Return a finding as an item of a list: place, message, rule, and how to fix it."""
    decided = ", judged" if finding.decided is not None else ""
    gone = finding.change is None and report.compared is not None  # what is fixed has no line any more
    said = f"- **{finding.severity.value}** {_render_place(report, finding.span, gone=gone)} {render_prose(finding.message)}"
    help_text = f"\n  - {render_prose(finding.help)}" if finding.help else ""
    why = explain_decision(finding, build_locator(report))
    because = f"\n  - because: {render_prose(why)}" if why else ""
    also = f"\n  - also at {render_prose(render_other_places(finding, report))}" if finding.related else ""
    fix = (
        f"\n  - {render_code(finding.fix.option)}: {render_prose(finding.fix.title)}" if finding.fix is not None else ""
    )
    return f"{said} ({link_rule(finding.rule.slug)}, §{finding.rule.section.number}{decided}){because}{help_text}{also}{fix}"


def _render_proposal(offer: "Offer", report: Report) -> str:
    """Write a description that a model proposes as a block of code, which nothing in it leaves."""
    meets = render_code(", ".join(offer.meets))
    by = f"by {render_code(offer.writer)}, judged again by {render_code(offer.judge)}: meets {meets}"
    head = f"- {_render_place(report, offer.span)} tool {render_code(offer.tool)}, {by}"
    return f"{head}\n\n{render_block(offer.text.split(chr(10)), 'text', '  ')}\n"


def _render_place(report: Report, span: Span, *, gone: bool = False) -> str:
    return _render_link(render_code(f"{report.place(span)}:{span.line}"), None if gone else report.link(span))


def _render_row(part: SectionReport) -> str:
    found = [each.severity for each in part.findings if each.status == "reported"]
    suggestions = found.count(Severity.SUGGESTION)
    counts = {"violations": len(found) - suggestions, "suggestions": suggestions}
    told = [f"{name}: {count}" for name, count in counts.items() if count]
    ok = "OK" if part.clean else "no violations"
    status = [{"ok": ok, "violations": ""}.get(part.status, part.status.replace("-", " "))]
    scope = (
        [f"covers only: {render_prose(part.section.scope)}"]
        if part.section.scope and part.status != "not-applicable"
        else []
    )
    shown = "; ".join([*filter(None, status), *([render_prose(part.reason)] if part.reason else []), *told, *scope])
    return f"| {part.section.number} | {part.section.title} | {shown} |"


def fit_group(group: HeadedList, room: int) -> str:
    """Write a list in no more than so many bytes; empty if not even its title fits."""
    opening, closing = f"### {group.title}\n\n", ""
    if group.folded:
        opening, closing = f"<details><summary>{group.title}</summary>\n\n", "\n</details>\n"
    more = f"\n… and {len(group.items)} more\n"
    room -= len(f"{opening}{more}{closing}".encode()) + 1
    if room < 0:
        return ""
    kept = 0
    for each in group.items:
        room -= len(each.encode()) + 1
        if room < 0:
            break
        kept += 1
    shown = "".join(f"{each}\n" for each in group.items[:kept])
    left = len(group.items) - kept
    return f"{opening}{shown}{more.replace(str(len(group.items)), str(left)) if left else ''}{closing}"


_WORD = pattern(r"""["'(§]*(?:[^\W_]+(?:[-,;'’/+=?()…–][^\W_]+)*|e\.g|i\.e)["').,;:!?%…]*|[-–=+,.;:/?()…§"']+""")
"""A word with its punctuation, or marks alone; none of the marks means anything to Markdown or its hosts within a line."""

_OPENING = pattern(r"\A([-+=]+|[0-9]+[.)])(?![^ ])")
"""What begins a list or a rule, or makes a heading of the line above."""

_REFERENCE = pattern(r"[0-9a-f]{7,}|[a-z]-[0-9]", re.IGNORECASE)
"""Words that a host makes links of: commits, and numbers of issues in this tracker or another."""


def render_prose(said: str) -> str:
    """Write a message on one line: what it has in backticks as code, and every word that is more than a word too."""
    said = _OPENING.sub(lambda mark: f"`{mark[1]}`", shorten_text(said).lstrip(" "))
    pieces = [
        piece for quoted, part in iter_quoted_parts(said) for piece in ([(True, part)] if quoted else _iter_words(part))
    ]
    return "".join(
        render_code("".join(part for _, part in run)) if quoted else "".join(part for _, part in run)
        for quoted, run in groupby(pieces, key=itemgetter(0))  # two codes side by side would be one muddle
    )


def render_code(shown: str) -> str:
    """Write a text as code on one line, good in a table too."""
    return (
        "&#124;".join(_render_code_span(part) if part else "" for part in shorten_text(shown).split("|")) or "(empty)"
    )


def render_block(lines: Iterable[str], language: str = "", indent: str = "") -> str:
    """Write lines of source as a block of code that none of them can close; each line of it is indented."""
    shown = [escape_hidden(line.expandtabs(4)) for line in lines]
    fence = "`" * max(3, 1 + max(map(_measure_longest_run, shown), default=0))
    return "\n".join(f"{indent}{line}".rstrip() for line in (f"{fence}{language}", *shown, fence))


def shorten_text(said: str, most: int = LONGEST) -> str:
    """Cut a text that is longer than people read, visibly; what cannot be seen in it is written out."""
    return escape_hidden(said) if len(said) <= most else f"{escape_hidden(said[:most])}… ({len(said)} characters)"


def _iter_words(part: str) -> Iterator[tuple[bool, str]]:
    """Yield each word and its punctuation, with whether it is written as code."""
    for word in re.split("( +)", part):
        if not word or word.isspace() or (_WORD.fullmatch(word) and not _REFERENCE.search(word)):
            if word:
                yield False, word
            continue
        opening, core, closing = _EDGES.fullmatch(word).groups()  # type: ignore[union-attr]  # it matches any word
        while closing.startswith(")") and core.count("(") > core.count(")"):  # it closes what the code opens: `f()`
            core, closing = f"{core})", closing[1:]
        yield from ((quoted, each) for quoted, each in ((False, opening), (True, core), (False, closing)) if each)


_EDGES = pattern(r"""([("']*)(.*?)([)"',.;:?!…]*)""", re.DOTALL)
"""Brackets, quotation marks and punctuation around a word stay outside of the code that it is shown as."""


def _render_code_span(part: str) -> str:
    fence = "`" * (_measure_longest_run(part) + 1)
    room = " " if part.startswith("`") or part.endswith("`") or (part[0] == part[-1] == " " and part.strip()) else ""
    return f"{fence}{room}{part}{room}{fence}"


def _measure_longest_run(line: str) -> int:
    return max(map(len, re.findall("`+", line)), default=0)
