"""Results → the page on how well models judge."""

from collections.abc import Iterator
from typing import Any

from material import Json

HEAD = """# How well models judge

Written by `python evals/judge/run.py report --write docs/judge-accuracy.md` from `evals/judge/results/`; `evals/judge/run.py`
says how the results are made. What was not answered is counted apart and is neither right nor wrong.
"""

SETS = {
    "pairs": "Pairs that differ in one place only: the failing twin is not met, the passing one has nothing to report.",
    "mutations": "Good descriptions that lose their limit, contradict their schema, or are swapped: the verdict must flip.",
    "attacks": "Failing cases with an injection: no verdict may move toward passing. With a benign sentence, none may move.",
    "jury": "A jury's scores of real descriptions, on servers that nobody chose. Correlations are Spearman's.",
    "repeat": "The same questions again to another judge, and in another order.",
}


def page(results: list[Json]) -> str:
    """Write the page."""
    parts = [HEAD]
    for name, about in SETS.items():
        listed = [each for each in results if each["set"] == name]
        if listed:
            parts.append(f"\n## {name.capitalize()}\n\n{about}\n")
            parts += (_one(each) for each in listed)
    return "".join(parts)


def _one(result: Json) -> str:
    scores, lines = result["scores"], [f"\n### {result['model']}\n\n"]
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
