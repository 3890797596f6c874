"""Documents → the rows that are paged, what stands around them, and the way to a value that is too long to be given along."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from reviewer.judge.hostile import escape_texts
from reviewer.serve.arguments import VerdictGiven
from reviewer.serve.pages import PageRow, Whole, encode_question
from reviewer.serve.refusals import RefusalError

MOST_ASIDE = 10
"""Rows of what stands beside a page: files that cannot be read, questions without an answer."""

LONGEST_ASIDE = 200
"""A reason why a file cannot be read fits; it stands beside a page, and shares its size."""

LONGEST_NAME = 256
"""Twice what the specification allows for a name. What is longer is not repeated in the call that gets it whole."""

TO_ANSWER = (
    "For each request: follow `system`, read `user`, and make one verdict for every question in it: {request: the id of the "
    "request, id: that of the question, failing, verdict, quote, evidence, names, why}. Give all verdicts to `answer-questions` "
    "with this export. Judge only by what a request shows; open no other file."
)


class WantedFindings(NamedTuple):
    """Which findings are wanted: of a section, of rules, of a severity, of a tool; None is any."""

    section: int | None = None
    slugs: tuple[str, ...] | None = None
    severity: str | None = None
    tool: str | None = None

    def takes(self, number: int, finding: PageRow) -> bool:
        """Return whether a finding is one of these."""
        return (
            self.section in (None, number)
            and (self.slugs is None or finding["rule"] in self.slugs)
            and self.severity in (None, finding["severity"])
            and self.tool in (None, finding["tool"], escape_texts(finding["tool"]))
        )


def encode_review_question(path: str, profile: str | None, wanted: WantedFindings, fields: Sequence[str]) -> str:
    """Write what a list of findings depends on."""
    return encode_question("review", path, profile, *wanted, *fields)


def split_findings(document: PageRow, wanted: WantedFindings) -> tuple[PageRow, list[int], list[PageRow]]:
    """Return a report without its findings, the findings that are wanted, and the section of each."""
    report = document["report"]
    sections = [{**each, "findings": []} for each in report["sections"]]
    chosen = [
        (each["number"], finding)
        for each in report["sections"]
        for finding in each["findings"]
        if wanted.takes(each["number"], finding)
    ]
    unanswered = [_shorten_row(each) for each in report["unanswered"][:MOST_ASIDE]]
    notes = list(document.get("notes", ()))
    if len(report["unanswered"]) > MOST_ASIDE:
        notes.append(f"{len(report['unanswered'])} questions are unanswered, of which {MOST_ASIDE} are named")
    around = {
        "report": {**report, "sections": sections, "unanswered": unanswered},
        "because": document["because"],
        "unreadable": summarize_rows(document["unreadable"]),
        "notes": notes,
    }
    return _copy(around), [number for number, _ in chosen], [finding for _, finding in chosen]


def _copy(around: PageRow) -> PageRow:
    return dict(escape_texts(around))


def select_tools(document: PageRow, name: str | None) -> list[PageRow]:
    """Return the tools of a catalog, or the ones of a name."""
    return [each for each in document["tools"] if name is None or name in (each["name"], escape_texts(each["name"]))]


def build_questions_envelope(document: PageRow, *, first: bool) -> PageRow:
    """Return the context of requests; what holds for all of them is on the first page."""
    return {
        "export": document["export"],
        "instructions": TO_ANSWER,
        "system": document["system"] if first else None,
        "reply_schema": document["reply_schema"] if first else None,
        "unreadable": summarize_rows(document["unreadable"]),
    }


def group_verdicts(verdicts: Sequence[VerdictGiven]) -> list[PageRow]:
    """Return verdicts request by request."""
    given: dict[str, list[PageRow]] = {}
    for each in verdicts:
        given.setdefault(each.request, []).append(each.model_dump(exclude={"request"}))
    return [{"request": name, "verdicts": each} for name, each in given.items()]


def select_rules(section: int | None, profile: str | None) -> list[PageRow]:
    """List the rules of a section and of a profile."""
    from reviewer.handbook.pages import render_rules_json

    listed: list[PageRow] = json.loads(render_rules_json())["rules"]
    return [
        each
        for each in listed
        if section in (None, each["section"]) and (profile is None or profile in each["profiles"])
    ]


def resolve_slugs(rule: str) -> tuple[str, ...]:
    """Return the slugs that a name stands for. Raises RefusalError if there is no such rule."""
    from reviewer.rules import find_slugs
    from reviewer.rules.selectors import format_unknown_rule

    found = find_slugs(rule)
    if not found:
        raise RefusalError("unknown_rule", format_unknown_rule(rule), "See `list-rules` for the names of all rules.")
    return found


def render_rule_pages(rule: str) -> list[PageRow]:
    """Return the page of each rule that a name stands for. Raises RefusalError if there is no such rule."""
    from reviewer.handbook.pages import render_page
    from reviewer.rules import load

    return [
        {"rule": slug, "title": load()[slug].title, "page": render_page(load()[slug])} for slug in resolve_slugs(rule)
    ]


def summarize_rows(rows: Sequence[PageRow]) -> PageRow:
    """Return the first of what stands beside a page, and how many there are."""
    return {"total": len(rows), "first": [_shorten_row(each) for each in rows[:MOST_ASIDE]]}


def _shorten_row(row: PageRow) -> PageRow:
    return {key: _cut(each) for key, each in row.items()}


def _cut(value: Any) -> Any:
    return value[:LONGEST_ASIDE] + "…" if isinstance(value, str) and len(value) > LONGEST_ASIDE else value


def point_to_finding(path: str, profile: str | None, row: PageRow, key: str) -> Whole:
    """Say how to get a part of a finding whole."""
    parameters = {"path": path, "profile": profile, "rule": row["rule"], "fields": [key, "path", "line"]}
    command = f"mcp-review PATH --format json --select {row['rule']}"
    return Whole("review-server", {name: each for name, each in parameters.items() if each is not None}, command)


def point_to_tool(path: str, row: PageRow, key: str) -> Whole:
    """Say how to get a part of a tool whole."""
    name = row["name"] if isinstance(row["name"], str) and len(row["name"]) <= LONGEST_NAME else None
    parameters = {"path": path, **({"tool": escape_texts(name)} if name is not None else {}), "fields": [key]}
    return Whole("list-server-tools", parameters, "mcp-review catalog PATH --format json")


def point_to_request(path: str, row: PageRow, _key: str) -> Whole:
    """Say how to get a request whole."""
    return Whole("list-questions", {"path": path}, "mcp-review judge export PATH")


def point_to_rule(row: PageRow, _key: str) -> Whole:
    """Say how to get the page of a rule whole."""
    return Whole("explain-rule", {"rule": row["rule"]}, f"mcp-review explain {row['rule']}")
