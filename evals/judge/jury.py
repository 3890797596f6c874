"""Our verdicts on descriptions that a jury of three models scored, against the jury, given length.

Which servers are judged is decided by the digest of their names, so that nobody chose them; the texts stay in the shared folder.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Any

from material import HERE, Item

from reviewer.facts import Tool
from reviewer.judge import AskedQuestion
from reviewer.rules import Question, load
from reviewer.source import Span, Text

SHARED = HERE.parents[2] / "shared"
SERVERS = 20
"""Servers that are judged, of 52."""

ELEMENTS = {
    "purpose-not-told": "purpose",
    "occasion-not-told": "usage_guideline",
    "limitations-not-told": "limitation",
    "parameters-not-told": "parameter_explanation",
    "description-without-example": "examples_balance",
}
"""Our rules by what the jury scored. The jury saw no schema, and neither does our judge here."""

GOOD = 3
"""The least score, of five, at which a juror finds nothing wrong."""


@cache
def _read() -> list[dict[str, Any]]:
    path = SHARED / "judge" / "jury.jsonl"
    if not path.exists():
        sys.exit(f"{path}: the jury's scores are not there; link the shared folder beside the checkout")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@cache
def scored() -> dict[str, Any]:
    """Return the jury's rows by our names for them, of the servers that are judged."""
    read = _read()
    names = sorted({row["server"] for row in read}, key=lambda name: sha256(f"judged {name}".encode()).digest())
    chosen = set(names[:SERVERS])
    return {f"{row['server']}/{row['tool']}": row for row in read if row["server"] in chosen and row["description"]}


def jury_items() -> Iterator[Item]:
    """Yield every description, asked about all elements at once."""
    for name, row in scored().items():
        at = Span(name, 1, 1, 1, 1)
        tool = Tool(Text(row["tool"], at), at, Text(row["description"], at))
        asked = tuple(AskedQuestion(load()[slug], Question(at, tool, "")) for slug in ELEMENTS)
        yield Item(name, name, "jury", asked)


def grade_items() -> Iterator[Item]:
    """Yield every description of the jury that is in Latin script, with one question beside the grades."""
    for row in _read():
        if row["description"] and _is_latin(row["description"]):
            at = Span(row["server"], 1, 1, 1, 1)
            tool = Tool(Text(row["tool"], at), at, Text(row["description"], at))
            name = f"{row['server']}/{row['tool']}"
            yield Item(name, name, "grades", (AskedQuestion(load()["purpose-not-told"], Question(at, tool, "")),))


def _is_latin(text: str) -> bool:
    """Return whether less than a fifth of a text is in scripts that say much in few characters."""
    return sum(ord(each) > 0x2E7F for each in text) * 5 < max(1, len(text))


def grading(graded: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Compare grades with the jury's scores, given the length in bytes of UTF-8.

    `graded` holds the six grades by description, in the order of the jury's components.
    """
    rows = {f"{row['server']}/{row['tool']}": row for row in _read()}
    names = [name for name in graded if name in rows]
    if len(names) < 3:
        return {"descriptions": len(names)}
    jury = [sum(sum(scores) for scores in rows[name]["scores"].values()) for name in names]
    length = [len(rows[name]["description"].encode()) for name in names]
    ours = [sum(graded[name]) for name in names]
    found: dict[str, Any] = {
        "descriptions": len(names),
        "spearman": rho(ours, jury),
        "spearman of length alone": rho(length, jury),
        "given length": partial(ours, jury, length),
        "jurors among themselves, given length": _jurors(rows, names, length),
    }
    for half in HALVES:
        inside = [place for place, name in enumerate(names) if half_of(rows[name]["server"]) == half]
        if len(inside) > 2:
            found[f"{half}: descriptions"] = len(inside)
            mine, theirs, long = ([values[place] for place in inside] for values in (ours, jury, length))
            found[f"{half}: given length"] = partial(mine, theirs, long)
            found[f"{half}: jurors among themselves, given length"] = _jurors(rows, [names[at] for at in inside], long)
    for place, component in enumerate(COMPONENTS):
        theirs = [sum(rows[name]["scores"][component]) for name in names]
        found[component] = {"given length": partial([graded[name][place] for name in names], theirs, length)}
    return found


HALVES = ("half for tuning", "half measured once")
"""The halves of the jury's servers: of the one, anchors were tuned on what judge and jury said of single descriptions."""


@cache
def _halves() -> dict[str, str]:
    """Put the servers into two halves of as many descriptions, in an order that nobody chose."""
    count = Counter(row["server"] for row in _read() if row["description"] and _is_latin(row["description"]))
    sizes, halves = [0, 0], {}
    for server in sorted(count, key=lambda name: sha256(f"half {name}".encode()).digest()):
        half = 0 if sizes[0] <= sizes[1] else 1
        halves[server] = HALVES[half]
        sizes[half] += count[server]
    return halves


def half_of(server: str) -> str:
    """Return in which half of the jury's servers one is, empty if in none."""
    return _halves().get(server, "")


COMPONENTS = (
    "purpose",
    "usage_guideline",
    "limitation",
    "parameter_explanation",
    "examples_balance",
    "length_completeness",
)
"""The jury's components, in the order of our dimensions."""


def agreement(met: dict[str, dict[str, bool]], held: dict[str, int]) -> dict[str, Any]:
    """Compare verdicts with the jury's scores; a description counts if all of it was answered.

    `met` holds the verdicts by description and rule, `held` by description how many of the rubrics' numbered questions speak for
    it: the finer scale of the two.
    """
    rows = scored()
    names = [name for name in rows if set(met.get(name, {})) == set(ELEMENTS)]
    if len(names) < 3:
        return {"descriptions": len(names)}
    jury = [sum(sum(scores) for scores in rows[name]["scores"].values()) for name in names]
    length = [len(rows[name]["description"]) for name in names]
    verdicts = [sum(met[name].values()) for name in names]
    ours = [held[name] for name in names]
    found: dict[str, Any] = {
        "descriptions": len(names),
        "spearman": rho(ours, jury),
        "spearman of length alone": rho(length, jury),
        "given length": partial(ours, jury, length),
        "given length, verdicts alone": partial(verdicts, jury, length),
        "length-matched pairs": matched(ours, jury, length),
        "length-matched pairs, by length": matched(length, jury, length),
        "jurors among themselves, given length": jurors(names, length),
    }
    for slug, component in ELEMENTS.items():
        theirs = [sum(score >= GOOD for score in rows[name]["scores"][component]) > 1 for name in names]
        mean = [sum(rows[name]["scores"][component]) for name in names]
        mine = [met[name][slug] for name in names]
        found[slug] = {
            "met, ours": sum(mine),
            "met, jury": sum(theirs),
            "the same": sum(one == other for one, other in zip(mine, theirs, strict=True)),
            "kappa": kappa(mine, theirs),
            "given length": partial(mine, mean, length),
        }
    return found


def jurors(names: list[str], length: list[int]) -> list[float]:
    """Return the correlation of each juror with the other two, given length."""
    return _jurors(scored(), names, length)


def _jurors(rows: dict[str, Any], names: list[str], length: list[int]) -> list[float]:
    scores = [rows[name]["scores"].values() for name in names]
    of = [[sum(each[juror] for each in one) for one in scores] for juror in range(3)]
    return [
        partial(
            of[juror],
            [sum(pair) for pair in zip(*(of[other] for other in range(3) if other != juror), strict=True)],
            length,
        )
        for juror in range(3)
    ]


def matched(ours: Sequence[float], jury: Sequence[float], length: Sequence[float]) -> dict[str, int]:
    """Count, of pairs of nearly the same length that the jury tells apart clearly, those that are ordered as by the jury."""
    count = {"pairs": 0, "right": 0, "wrong": 0}
    for one, other in combinations(range(len(jury)), 2):
        near = abs(length[one] - length[other]) * 20 <= max(length[one], length[other])
        if near and abs(jury[one] - jury[other]) >= 9:  # half a point of five, on average, of 18 scores
            sign = (ours[one] - ours[other]) * (jury[one] - jury[other])
            count["pairs"] += 1
            count["right"] += sign > 0
            count["wrong"] += sign < 0
    return count


def kappa(mine: Sequence[bool], theirs: Sequence[bool]) -> float:
    """Return Cohen's kappa of two series of verdicts; 0 if one of them never varies."""
    count = len(mine)
    same = sum(one == other for one, other in zip(mine, theirs, strict=True)) / count
    a, b = sum(mine) / count, sum(theirs) / count
    chance = a * b + (1 - a) * (1 - b)
    return (same - chance) / (1 - chance) if chance < 1 else 0.0


def ranks(values: Sequence[float]) -> list[float]:
    """Rank values, from 0; what is the same shares the mean of its ranks."""
    place: dict[float, list[int]] = {}
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        place.setdefault(values[index], []).append(rank)
    return [sum(place[value]) / len(place[value]) for value in values]


def rho(one: Sequence[float], other: Sequence[float], order: Callable[[Sequence[float]], list[float]] = ranks) -> float:
    """Return Spearman's correlation; 0 if one of the two never varies."""
    a, b = order(one), order(other)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    together = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    alone = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return float(together / alone**0.5) if alone else 0.0


def partial(one: Sequence[float], other: Sequence[float], given: Sequence[float]) -> float:
    """Return Spearman's correlation of two series given a third; 0 if the third says it all."""
    a, b, c = rho(one, other), rho(one, given), rho(other, given)
    rest = (1 - b**2) * (1 - c**2)
    return float((a - b * c) / rest**0.5) if rest > 0 else 0.0
