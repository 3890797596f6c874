"""A report → what is said of it on GitHub, within what a comment may hold.

Everything that comes from the reviewed code passes through `render.markdown`; nothing else here is taken from it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import quote

from reviewer.records import dataclass
from reviewer.render.markdown import link_rule, render_code, render_prose
from reviewer.render.plain import is_plain
from reviewer.render.reasons import FormatSpan, build_locator, explain_finding, locate_place
from reviewer.render.setting_changes import describe_hidden
from reviewer.render.setting_changes import iter_alterations as setting_changes
from reviewer.report.model import Finding, Lines, Report
from reviewer.rules import Severity
from reviewer.text.excerpts import format_count
from reviewer.text.patterns import pattern

LONGEST_COMMENT = 65_536
"""Characters. GitHub refuses a longer one; it is counted in UTF-16 here, which is never less than what GitHub counts."""

LONGEST_PATH = 300
"""Characters of a path that are shown, and linked."""

LONGEST_SUGGESTION = 20_000
"""Characters of a suggestion."""

MANY = 10
"""Findings that have a row each; more are told by rule, for a long table hides what weighs most."""

PLACES = 3
"""Places that the row of a rule names."""

_NAME = pattern(r"[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*")
"""Without `--`, which ends the comment of HTML that it stands in."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where links lead: the addresses of a repository and of the run, and the commit that was reviewed. Empty: no links."""

    repository: str = ""
    commit: str | None = None
    run: str = ""


def is_name(name: str) -> bool:
    """Return whether a review may bear this name: it stands in the hidden marks of its comments."""
    return len(name) <= 64 and _NAME.fullmatch(name) is not None


def format_comment_mark(name: str) -> str:
    """Return the hidden last line by which the one comment of a review is found again."""
    return f"<!-- mcp-review: comment {name} -->"


class CommentMark(NamedTuple):
    """What a comment on a line says of its finding: its fingerprint, its rule, the digest of what the rule ran with, its judge.

    Rule and digest are empty where nothing is compared. `judged` tells that a judge found it.
    """

    fingerprint: str
    rule: str = ""
    grounds: str = ""
    judged: bool = False


JUDGED = "by-judge"
"""What a mark says of a judge's finding."""


def format_finding_mark(name: str, mark: CommentMark) -> str:
    """Return the hidden last line by which the comment on one finding is found again."""
    said = (mark.fingerprint, mark.rule, mark.grounds, JUDGED if mark.judged else "")
    return f"<!-- mcp-review: finding {name} {' '.join(filter(None, said))} -->"


def parse_finding_mark(name: str, body: str) -> CommentMark | None:
    """Return the mark of a comment, None if it bears no mark of this review."""
    told = rf"([0-9A-Za-z._:-]{{1,128}})(?: ([a-z0-9-]{{1,128}}) ([0-9a-f]{{1,64}}))?( {JUDGED})?"
    found = re.search(rf"\n<!-- mcp-review: finding {re.escape(name)} {told} -->\s*\Z", body)
    return CommentMark(found[1], found[2] or "", found[3] or "", found[4] is not None) if found else None


def is_worth_commenting(report: Report, least: Severity = Severity.SUGGESTION) -> bool:
    """Return whether a pull request that was not commented on should be: something that weighs is introduced, fixed or hidden."""
    fixed = report.compared.fixed if report.compared is not None else ()
    return bool(
        select_counting_findings(report, least)
        or select_by_severity(fixed, least)
        or report.unreviewed
        or changes_own_review(report)
    )


def format_comment(report: Report, name: str, at: Whereabouts, least: Severity = Severity.SUGGESTION) -> str:
    """Write the one comment on a pull request: what is introduced, what the change alters about its review, what is fixed.

    Findings lighter than `least` are counted. It has as many rows as there is room for, and tells how many there was none for,
    and where they are. Where there is nothing to say it is one sentence.
    """
    told = select_counting_findings(report, least)
    fixed = select_by_severity(report.compared.fixed, least) if report.compared is not None else []
    if not is_worth_commenting(report, least):
        return f"{_format_nothing(report, at)}\n\n{format_comment_mark(name)}"
    lighter = len(report.counting) - len(told)
    head = f"### mcp-review: {_format_headline(report, len(told), len(fixed))}\n{_format_gaps(report)}"
    foot = f"{_format_lighter(lighter, at)}\n{_format_foot(report, at)}\n\n{format_comment_mark(name)}"
    room = LONGEST_COMMENT - _find_size(head) - _find_size(foot) - 200  # the line that says what is left out
    listed = _format_setting_changes([f"- {each}\n" for each in setting_changes(report, render_code)])
    first, room, unsaid = _collect_table("", list(_iter_rows(told, report, at)), room - _find_size(listed))
    gone = replace(at, commit=None)  # what is fixed has no line any more
    last, room, untold = _collect_table(f"{len(fixed)} fixed", list(_iter_rows(fixed, report, gone)), room)
    return f"{head}{first}{listed}{last}{_format_left_out(unsaid + untold, at)}{foot}"


def changes_own_review(report: Report) -> bool:
    """Return whether the change alters anything about its own review."""
    return report.compared is not None and bool(report.compared.altered)


def _format_nothing(report: Report, at: Whereabouts) -> str:
    """Say in one sentence that there is nothing to say."""
    lighter = len(report.counting)
    if report.compared is None:
        said = "mcp-review finds nothing in the MCP servers here"
    else:
        said = "This change introduces no finding of mcp-review and fixes none"
    if not lighter:
        return f"{said}."
    whole = f"[the run]({at.run})" if at.run else "the report of the run"
    return f"{said} that would be shown here; {whole} has {format_count(lighter, 'lighter finding')}."


def _format_lighter(count: int, at: Whereabouts) -> str:
    whole = f"[the run]({at.run})" if at.run else "the report of the run"
    return f"\n{format_count(count, 'lighter finding')} not shown here: see {whole}.\n" if count else ""


def _format_setting_changes(items: list[str]) -> str:
    return f"\n**What this change alters about its review**\n\n{''.join(items)}" if items else ""


def _format_gaps(report: Report) -> str:
    """Name the first part that was not reviewed, and count the others."""
    if not report.unreviewed:
        return ""
    first, more = report.unreviewed[0], len(report.unreviewed) - 1
    place = render_code(f"{report.place(first.span)[-LONGEST_PATH:]}:{first.span.line}")
    return f"\n**Not reviewed**: {place} {render_prose(first.reason)}{f' (and {more} more)' if more else ''}.\n"


def _format_left_out(count: int, at: Whereabouts) -> str:
    if not count:
        return ""
    whole = f"[the run]({at.run})" if at.run else "the report that the run wrote"
    return f"\n{format_count(count, 'more row')} left out here: {whole} has them all.\n"


def format_line_comment(
    finding: Finding, name: str, suggested: Lines | None = None, grounds: str = "", locate: FormatSpan = locate_place
) -> str:
    """Write the comment on one finding, with the lines that are suggested in the place of those that it stands on.

    `grounds` is the digest of what its rule ran with, if that is known.
    """
    help_ = f"\n\nTo fix it: {render_prose(finding.help)}" if finding.help else ""
    block_ = f"\n\n{_format_suggestion(suggested)}" if suggested is not None else ""
    explained = render_prose(explain_finding(finding, locate))
    said = f"**{finding.severity.value}**: {explained}{help_}{block_}\n\n<sub>{_format_rule(finding)}</sub>"
    is_judged = finding.decided is not None
    mark = CommentMark(finding.fingerprint, *((finding.rule.slug, grounds) if grounds else ("", "")), is_judged)
    return f"{said}\n\n{format_finding_mark(name, mark)}"


def find_suggestion(finding: Finding, path: str, lines: Mapping[str, frozenset[int]]) -> Lines | None:
    """Return the lines that fix a finding, if all lines they replace are in the diff and nothing in them is invisible."""
    found = finding.fix.suggested if finding.fix is not None else None
    if found is None or found.path != finding.span.path or not lines.get(path, frozenset()).issuperset(found.numbers):
        return None
    return found if is_plain(found.text) and sum(map(len, found.text)) <= LONGEST_SUGGESTION else None


def _format_suggestion(lines: Lines) -> str:
    """Write the block that GitHub offers to apply, its fence longer than any in it."""
    fence = "`" * max([3, *(1 + len(run) for line in lines.text for run in re.findall("`+", line))])
    return "\n".join([f"{fence}suggestion", *lines.text, fence])


def format_review_body(posted: int, left: int) -> str:
    """Write what stands over the comments on lines that are posted together."""
    more = f"; {left} more in the comment or the job summary" if left else ""
    return f"mcp-review: {format_count(posted, 'finding')} on lines of this change{more}"


def select_counting_findings(report: Report, least: Severity = Severity.SUGGESTION) -> list[Finding]:
    """Return the findings to tell a change of: those it introduced, or all without a base; the worst first."""
    return select_by_severity(report.counting, least)


def select_by_severity(findings: Iterable[Finding], least: Severity) -> list[Finding]:
    """Return the findings that weigh at least as much as `least`, the worst first."""
    order = list(Severity)
    kept = (each for each in findings if order.index(each.severity) <= order.index(least))
    return sorted(kept, key=lambda each: (order.index(each.severity), each.span.path, each.span.line))


def _collect_table(title: str, rows: list[str], room: int) -> tuple[str, int, int]:
    """Write a table, folded if it has a title. Gives it with the room that is left, and how many rows found none."""
    if not rows:
        return "", room, 0
    top = f"\n<details><summary>{title}</summary>\n" if title else ""
    top += "\n| Severity | Place | Finding | Rule |\n|---|---|---|---|\n"
    bottom = "\n</details>\n" if title else ""
    room -= _find_size(top) + _find_size(bottom)
    shown: list[str] = []
    for row in rows:
        if _find_size(row) > room:
            break
        room -= _find_size(row)
        shown.append(row)
    return (top + "".join(shown) + bottom if shown else ""), room, len(rows) - len(shown)


def _iter_rows(findings: Sequence[Finding], report: Report, at: Whereabouts) -> Iterator[str]:
    """Write a row for each finding, or where there are many, for each rule."""
    grouped: dict[tuple[str, ...], list[Finding]] = {}
    for number, each in enumerate(findings):
        same = (each.severity.value, _format_rule(each)) if len(findings) > MANY else (str(number),)
        grouped.setdefault(same, []).append(each)
    for first, *others in grouped.values():
        shown = [_format_place(report.place(each.span), each.span.line, at) for each in (first, *others)[:PLACES]]
        more = len(others) + 1 - len(shown)
        places = "<br>".join([*shown, *([f"and {more} more"] if more else [])])
        said = render_prose(explain_finding(first, build_locator(report))) + (
            f" (and {len(others)} more of this rule)" if others else ""
        )
        yield f"| {first.severity.value} | {places} | {said} | {_format_rule(first)} |\n"


def _format_place(path: str, line: int, at: Whereabouts) -> str:
    shown = render_code(f"{path}:{line}" if len(path) <= LONGEST_PATH else f"…{path[-LONGEST_PATH:]}:{line}")
    if not at.commit or not at.repository or len(path) > LONGEST_PATH:
        return shown
    return f"[{shown}]({at.repository}/blob/{at.commit}/{quote(path.encode('utf-8', 'replace'))}#L{line})"


def _format_rule(finding: Finding) -> str:
    judged = f", judged by {render_code(finding.decided.judged.model)}" if finding.decided is not None else ""
    return f"{link_rule(finding.rule.slug)} §{finding.rule.section.number}{judged}"


def _format_headline(report: Report, told: int, fixed: int) -> str:
    if report.compared is None:
        return f"{report.verdict.value}, {format_count(told, 'finding')}"
    introduced = format_count(told, "finding") if told else "nothing"
    hidden = f"; {describe_hidden(report)}" if describe_hidden(report) else ""
    return f"{report.verdict.value}, {introduced} introduced{f', {fixed} fixed' if fixed else ''}{hidden}"


def _format_foot(report: Report, at: Whereabouts) -> str:
    as_before = len(report.findings) - len(report.counting)
    parts = [
        f"{format_count(report.tools, 'tool')}, profile {render_code(report.profile)}",
        _format_maturity(report),
        f"{format_count(as_before, 'finding')} as before" if as_before else "",
        f"{format_count(len(report.unanswered), 'question')} unanswered" if report.unanswered else "",
        f"commit {render_code(at.commit[:12])}" if at.commit else "",
        f"[the run]({at.run})" if at.run else "",
    ]
    return f"<sub>{' · '.join(filter(None, parts))}</sub>"


def _format_maturity(report: Report) -> str:
    scored = report.maturity
    return f"maturity {scored.score}/100" if scored.score is not None else ""


def _find_size(written: str) -> int:
    return len(written.encode("utf-16-le", "replace")) // 2
