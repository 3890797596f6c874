"""The published page of the comparison."""

from collections import Counter
from pathlib import Path

from cases import Case, Difference, ours, theirs
from meant import Departure

from reviewer.rules import slugs_by_code


def write(file: Path, cases: list[Case], explained: Counter[Departure], unexplained: list[Difference]) -> None:
    """Write the page."""
    file.write_text("\n".join(_page(cases, explained, unexplained)) + "\n", "utf-8")


def _page(cases: list[Case], explained: Counter[Departure], unexplained: list[Difference]) -> list[str]:
    tools = sum(len(case.tools) for case in cases)
    mine = Counter(seen.code for case in cases for seen in ours(case))
    other = Counter(seen.code for case in cases for seen in theirs(case))
    both = Counter(seen.code for case in cases for seen in ours(case) & theirs(case))
    codes = sorted(code for code in slugs_by_code() if "-" in code and not code.startswith("§"))
    lines = [
        "# The 46 rules and the validator they come from",
        "",
        "```sh",
        "python evals/definitions/run.py --write docs/definitions.md",
        "```",
        "",
        f"{len(cases)} captured servers with {tools} tools; ours under the profile `validator-46`, without looking at source.",
        f"{sum(explained.values())} differences are meant, {len(unexplained)} are not explained.",
        "",
        "| code | rule | theirs | ours | both |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {code} | {', '.join(slugs_by_code()[code])} | {other[code]} | {mine[code]} | {both[code]} |"
            for code in codes
        ),
        "",
        "## Departures",
        "",
        "| departure | codes | found by | how often | why | for example |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for each, count in sorted(explained.items(), key=lambda item: (item[0].codes, item[0].id)):
        example = each.example.replace("|", "\\|").replace("\n", " ")
        who = "us" if each.ours else "the original"
        lines.append(
            f"| [{each.id}](rules/{each.page}.md) | {', '.join(each.codes)} | {who} | {count} | {each.why} | `{example}` |"
        )
    return lines
