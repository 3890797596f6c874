"""The published page of the comparison."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cases import Case, Difference, Seen, facts, findings, ours, theirs
from meant import STRICT, Departure

from reviewer.maturity import score_project
from reviewer.rules import index_slugs_by_code, load


def write(file: Path, cases: list[Case], explained: Counter[Departure], unexplained: list[Difference]) -> None:
    """Write the page."""
    file.write_text("\n".join(_page(cases, explained, unexplained)) + "\n", "utf-8")


LETTER = "## By the letter"


def add(file: Path, cases: list[Case], explained: Counter[Departure], unexplained: list[Difference]) -> None:
    """Write what differs under the strict profile at the end of the page."""
    page = file.read_text("utf-8").partition(LETTER)[0].rstrip()
    mine, other = ({(case.name, seen) for case in cases for seen in found(case)} for found in (_strictly, theirs))
    lines = [
        page,
        "",
        LETTER,
        "",
        "```sh",
        "python evals/definitions/run.py --profile validator-46-strict --write evals/results/definitions.md",
        "```",
        "",
        f"Under `validator-46-strict` {len(mine & other) / len(mine | other):.3f} of what either finds is found by both;",
        f"{sum(explained.values())} differences are meant, {len(unexplained)} are not explained.",
        "",
        *_departures(explained),
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")


def _strictly(case: Case) -> set[Seen]:
    return ours(case, STRICT)


SCORES = (
    "## Scores",
    "",
    "Ours beside those published with the recordings, means of the tools. `scores.py` lists tool by tool what only one counts;",
    "where both find the same the scores are the same, for all that is between them are the departures below.",
    "",
)


def _scores(cases: list[Case]) -> Iterator[str]:
    for case in cases:
        if case.published is not None:
            mine = [each.score or 0 for each in score_project(facts(case)).tools]
            published = [case.published[tool["name"]]["score"] for tool in case.tools]
            yield f"| {case.name} | {sum(mine) / len(mine):.1f} | {sum(published) / len(published):.1f} |"


def _counts(cases: list[Case]) -> Iterator[str]:
    counted: dict[str, Counter[str]] = {}
    severities: dict[tuple[str, str], str] = {}
    for profile in ("core", "validator-46"):
        found = [each for case in cases for each in findings(facts(case), profile)]
        counted[profile] = Counter(each.rule.slug for each in found)
        severities |= {(profile, each.rule.slug): each.severity.value for each in found}
    for slug in load():
        if counted["core"][slug] or counted["validator-46"][slug]:
            cells = (f"{severities.get((name, slug), '')} | {counted[name][slug] or ''}" for name in counted)
            yield f"| {slug} | {' | '.join(cells)} |"


def _page(cases: list[Case], explained: Counter[Departure], unexplained: list[Difference]) -> list[str]:
    tools = sum(len(case.tools) for case in cases)
    mine = Counter(seen.code for case in cases for seen in ours(case))
    other = Counter(seen.code for case in cases for seen in theirs(case))
    both = Counter(seen.code for case in cases for seen in ours(case) & theirs(case))
    codes = sorted(code for code in index_slugs_by_code() if "-" in code and not code.startswith("§"))
    return [
        "# The 46 rules and the validator they come from",
        "",
        "```sh",
        "python evals/definitions/run.py --write evals/results/definitions.md",
        "```",
        "",
        f"{len(cases)} captured servers with {tools} tools; ours under the profile `validator-46`, without looking at source.",
        f"{sum(explained.values())} differences are meant, {len(unexplained)} are not explained.",
        "",
        "| code | rule | theirs | ours | both |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {code} | {', '.join(index_slugs_by_code()[code])} | {other[code]} | {mine[code]} | {both[code]} |"
            for code in codes
        ),
        "",
        "## Findings of each rule",
        "",
        "What is found on the same servers under each profile, by the rules that look at definitions.",
        "",
        "| rule | under core | findings | under validator-46 | findings |",
        "| --- | --- | --- | --- | --- |",
        *_counts(cases),
        "",
        *SCORES,
        "| server | ours | published |",
        "| --- | --- | --- |",
        *_scores(cases),
        "",
        "## Departures",
        "",
        *_departures(explained),
    ]


def _departures(explained: Counter[Departure]) -> list[str]:
    lines = [
        "| departure | codes | found by | how often | why | for example |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for each, count in sorted(explained.items(), key=lambda item: (item[0].codes, item[0].id)):
        example = each.example.replace("|", "\\|").replace("\n", " ")
        who = "us" if each.ours else "the original"
        page = f"../../docs/rules/{each.page}.md"
        lines.append(f"| [{each.id}]({page}) | {', '.join(each.codes)} | {who} | {count} | {each.why} | `{example}` |")
    return lines
