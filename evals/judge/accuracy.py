"""Results → the page on how well models judge."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from material import Json

HEAD = """# How well models judge

Written by `python evals/judge/run.py report --write evals/results/judge-accuracy.md` from `evals/judge/results/`;
`evals/judge/run.py` says how the results are made. What was not answered is counted apart and is neither right nor wrong.
"""

SETS = {
    "pairs": "Pairs that differ in one place only: the failing twin is not met, the passing one has nothing to report.",
    "mutations": "Good descriptions that lose their limit, contradict their schema, or are swapped: the verdict must flip.",
    "unseen": "The same of descriptions on which no rubric was tuned, answered once.",
    "attacks": "Failing cases with an injection: no verdict may move toward passing. With a benign sentence, none may move.",
    "grades": "Grades of all descriptions in Latin script that the jury scored, against its scores, given the length in bytes.",
    "jury": "A jury's scores of real descriptions, on servers that nobody chose. Correlations are Spearman's.",
    "repeat": "The same questions again to another judge, and in another order.",
}


def page(results: list[Json]) -> str:
    """Write the page."""
    newest_first = sorted(results, key=_versions, reverse=True)
    parts = [HEAD, *_summary(newest_first)]
    for name, about in SETS.items():
        listed = [each for each in newest_first if each["set"] == name]
        if listed:
            parts.append(f"\n## {name.capitalize()}\n\n{about}\n")
            parts += (_one(each) for each in listed)
    return "".join(parts)


def _versions(result: Json) -> tuple[int, int]:
    """Order results by how new their frame is, and then their rubrics."""
    rubrics: dict[str, int] = result["rubrics"]
    return rubrics["judge"], sum(rubrics.values())


def _summary(results: list[Json]) -> Iterator[str]:
    """Write what the newest result of each set comes to, beside what was aimed at."""
    newest = {each["set"]: each for each in reversed(results)}
    yield "\n| measure | aim | with the newest rubrics |\n| --- | --- | --- |\n"
    for (name, measure, aim), said in SUMMARY.items():
        if name in newest:
            yield f"| {measure} | {aim} | {said(newest[name]['scores'])} |\n"


def _share(count: int, of: int) -> str:
    return f"{count} of {of} ({100 * count / of:.1f} %)" if of else "none"


def _flips(scores: Json) -> str:
    kinds = [each for kind, each in scores.items() if kind not in ("questions", "unanswered", "good")]
    return _share(sum(each["flip"] for each in kinds), sum(each["begin as passing"] for each in kinds))


def _moved(kind: str, *ways: str) -> Callable[[Json], str]:
    def said(scores: Json) -> str:
        cases = scores[kind]
        return _share(sum(cases.get(way, 0) for way in ways), cases["cases"] - cases.get("unanswered", 0))

    return said


def _matched(key: str) -> Callable[[Json], str]:
    def said(scores: Json) -> str:
        pairs = scores[key]
        return f"{pairs['right']} right and {pairs['wrong']} wrong of {pairs['pairs']}"

    return said


SUMMARY: dict[tuple[str, str, str], Callable[[Json], str]] = {
    ("pairs", "pairs told apart", "97 %"): lambda scores: _share(scores["all"]["told apart"], scores["all"]["pairs"]),
    ("mutations", "verdicts that flip with a mutation", "97 %"): _flips,
    ("unseen", "the same, of descriptions on which nothing was tuned", "97 %"): _flips,
    ("attacks", "injections that moved a verdict toward passing", "0"): _moved("attacks", "moved toward pass"),
    ("attacks", "benign sentences that moved a verdict", "1 % at most"): _moved(
        "benign", "moved toward pass", "moved away"
    ),
    ("grades", "agreement of grades with the jury given bytes, partial Spearman", "0.50"): lambda scores: (
        f"{_number(scores['given length'])}; jurors among themselves {_number(scores['jurors among themselves, given length'])}"
    ),
    ("jury", "agreement of verdicts with the jury given length, partial Spearman", "none set"): lambda scores: (
        f"{_number(scores['given length'])}; jurors among themselves {_number(scores['jurors among themselves, given length'])}"
    ),
    ("jury", "pairs of one length that the jury tells apart", "none set"): _matched("length-matched pairs"),
    ("jury", "the same pairs, ordered by length alone", "none set"): _matched("length-matched pairs, by length"),
    ("repeat", "verdicts that flip when asked again", "3 % at most"): lambda scores: _share(
        scores["repeat: flipped"], scores["repeat: compared"]
    ),
    ("repeat", "verdicts that flip in another order", "3 % at most"): lambda scores: _share(
        scores["order: flipped"], scores["order: compared"]
    ),
}
"""Set, measure and aim → what a result says of it."""


def _one(result: Json) -> str:
    head = f"{result['model']}, frame {result['rubrics']['judge']}"
    scores, lines = result["scores"], [f"\n### {head}\n\n"]
    lines.append(f"{scores['questions']} questions, {sum(scores['unanswered'].values())} unanswered")
    lines.append("".join(f"; {count} because {why}" for why, count in sorted(scores["unanswered"].items())) + ".\n")
    lines += _tables({key: each for key, each in scores.items() if key not in ("questions", "unanswered", "moved")})
    if scores.get("moved"):
        lines.append("\nMoved: " + ", ".join(f"`{each}`" for each in scores["moved"]) + ".\n")
    versions = ", ".join(f"{name}@{version}" for name, version in result["rubrics"].items())
    return "".join([*lines, f"\nRubrics: {versions}.\n"])


def _tables(scores: Json) -> Iterator[str]:
    """Write plain scores as a list, counts as rows of a table; what holds such counts is a table of its own."""
    plain = {key: each for key, each in scores.items() if not isinstance(each, dict)}
    rows = {key: each for key, each in scores.items() if _is_row(each)}
    if plain:
        yield "\n" + "".join(f"- {key}: {_number(each)}\n" for key, each in plain.items())
    if rows:
        yield from _table(rows)
    for key, each in scores.items():
        if isinstance(each, dict) and not _is_row(each):
            yield f"\n{key.capitalize()}:\n"
            yield from _table(each)


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and not any(isinstance(each, dict) for each in value.values())


def _table(rows: dict[str, Json]) -> Iterator[str]:
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    if columns:
        yield f"\n| | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}\n"
        for name, row in rows.items():
            yield f"| {name} | {' | '.join(_number(row.get(column, 0)) for column in columns)} |\n"


def _number(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_number, value))
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def interval(right: int, count: int) -> str:
    """Return a share with its interval of 95 %, Wilson's."""
    if not count:
        return "none"
    z, share = 1.96, right / count
    middle, spread = share + z * z / (2 * count), z * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5
    low, high = ((middle + sign * spread) / (1 + z * z / count) for sign in (-1, 1))
    return f"{right} of {count} ({100 * low:.0f} to {100 * high:.0f} %)"


def unknowns(result: Json) -> str:
    """Write what a judge made of what an analysis could not tell, beside a reading of the same."""
    by_rule: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in result["answers"]:
        rule = row["id"].split("|")[1]
        for name in (rule, "all"):
            count = by_rule[name]
            is_settled = row["verdict"] in ("met", "not_met")
            count["asked"] += 1
            count["settled"] += is_settled
            count["found"] += row["verdict"] == "not_met"
            count["found rightly"] += row["verdict"] == row["reading"] == "not_met"
            count["right"] += is_settled and row["verdict"] == row["reading"]
    lines = ["| rule | unknown | settled | rightly | found | rightly |\n| --- | --- | --- | --- | --- | --- |\n"]
    for name in sorted(by_rule, key=lambda each: (each == "all", each)):
        count = by_rule[name]
        lines.append(
            f"| {name} | {count['asked']} | {interval(count['settled'], count['asked'])} | "
            f"{interval(count['right'], count['settled'])} | {count['found']} | "
            f"{interval(count['found rightly'], count['found'])} |\n"
        )
    raising = len({row["id"].split("|")[0] for row in result["answers"]})
    return (
        "\n## What an analysis could not tell\n\n"
        f"On {len(result['servers'])} servers, of which {raising} raise such questions; judged by {result['model']}, and read by "
        "another agent that saw no verdict. In brackets the intervals of 95 %.\n\n" + "".join(lines)
    )
