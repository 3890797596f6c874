"""What became of the mutants, counted rule by rule, as Markdown and as JSON."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutation import Mutant, Place

from reviewer.rules import load as rules

BEGIN, END = "<!-- checklist: begin -->", "<!-- checklist: end -->"
COLUMNS = {
    "rust": "mutants of Rust servers: each has one violation that the rule must report",
    "python": "mutants of Python servers",
    "caught": "the rule finds something new in the expected file",
    "on line": "it does so on the expected line",
    "missed": "it does not",
    "harmless": "mutants without a violation, in forms that the rule could take for one",
    "wrong": "new findings, of whatever rule, that no violation explains",
    "false": "findings of the rule in the clean servers",
}
ABOUT = """# The checklist, violation by violation

Clean servers, three with an action catalog and four without, keep to the checklist in every point. Into copies of them each
violation of the checklist is put, one at a time and each in several disguises: constants in other files, helpers, closures,
early returns, macros, renamed imports. The rule must report each, and nothing else may be found.

```sh
python evals/checklist/run.py --write evals/results/checklist.md
```

"""


@dataclass(frozen=True)
class Seen:
    """A finding, as far as it is compared."""

    slug: str
    path: str
    line: int
    message: str
    severity: str = "error"


@dataclass(frozen=True)
class Outcome:
    """What was found anew in a mutant, and where its violation is; `broke` is the error with which the review ended."""

    mutant: Mutant
    places: tuple[Place, ...]
    new: tuple[Seen, ...]
    broke: str = ""

    @property
    def hits(self) -> list[Seen]:
        """Return the findings of the mutant's rule in a file where one is expected."""
        files = {place.path for place in self.places}
        return [each for each in self.new if each.slug in self.mutant.slugs and each.path in files]

    @property
    def caught(self) -> bool:
        """Return whether the violation was reported."""
        return bool(self.hits)

    @property
    def on_line(self) -> bool:
        """Return whether it was reported on an expected line."""
        return any(Place(each.path, each.line) in self.places for each in self.hits)

    @property
    def missed(self) -> bool:
        """Return whether a violation was not reported."""
        return not self.mutant.harmless and not self.caught

    @property
    def wrong(self) -> list[Seen]:
        """Return the new findings that the violation does not explain."""
        hits = self.hits
        return [each for each in self.new if each not in hits and each.slug not in self.mutant.also]


def _counts(outcomes: Iterable[Outcome]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for each in outcomes:
        counts["harmless" if each.mutant.harmless else each.mutant.language] += 1
        counts["caught"] += each.caught
        counts["on line"] += each.on_line
        counts["missed"] += each.missed
        counts["wrong"] += len(each.wrong)
        counts["broke"] += bool(each.broke)
    return counts


def totals(outcomes: list[Outcome], twins: dict[str, list[Seen]]) -> Counter[str]:
    """Add up all rules."""
    return _counts(outcomes) + Counter({"false": sum(map(len, twins.values()))})


def _line(cells: Iterable[Any]) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _named(slug: str) -> str:
    return f"`{slug}`" if slug in rules() else f"`{slug}` (no such rule)"


def table(outcomes: list[Outcome], twins: dict[str, list[Seen]]) -> str:
    """Write a line for each rule and one for all."""
    false = Counter(each.slug for found in twins.values() for each in found)
    tried = dict.fromkeys(each.mutant.rule for each in outcomes)
    sections = {slug: each.section.number for slug, each in rules().items()}
    slugs = sorted({*tried, *false}, key=lambda slug: (sections.get(slug, 99), slug))
    lines: list[list[Any]] = [["§", "rule", *COLUMNS], ["---"] * (len(COLUMNS) + 2)]
    for slug in slugs:
        counts = _counts(each for each in outcomes if each.mutant.rule == slug) + Counter({"false": false[slug]})
        lines.append([sections.get(slug, "?"), _named(slug), *(counts[column] for column in COLUMNS)])
    added = totals(outcomes, twins)
    lines.append(["", "all", *(added[column] for column in COLUMNS)])
    return "\n".join(_line(each) for each in lines)


def _shown(seen: Seen) -> str:
    return f"{seen.slug} {seen.path}:{seen.line} {seen.message}"


def faults(outcomes: list[Outcome], twins: dict[str, list[Seen]]) -> str:
    """List what is missed, what stands on another line, what is wrong, and what is found in clean servers."""
    lines = [f"false  {server}: {_shown(each)}" for server, found in twins.items() for each in found]
    for each in outcomes:
        where = ", ".join(f"{place.path}:{place.line}" for place in each.places)
        if each.broke:
            lines.append(f"broke  {each.mutant.id}: {each.broke}")
        elif each.missed:
            lines.append(f"missed {each.mutant.id}: expected at {where}")
        elif each.caught and not each.on_line:
            lines += [f"line   {each.mutant.id}: expected at {where}, not {_shown(hit)}" for hit in each.hits]
        lines += [f"wrong  {each.mutant.id}: {_shown(seen)}" for seen in each.wrong]
    return "\n".join(lines) or "no faults"


def record(outcomes: list[Outcome], twins: dict[str, list[Seen]]) -> dict[str, Any]:
    """Return everything for programs."""
    tried = [
        {
            "id": each.mutant.id,
            "rule": each.mutant.rule,
            "harmless": each.mutant.harmless,
            "broke": each.broke,
            "caught": each.caught,
            "on line": each.on_line,
            "expected": [asdict(place) for place in each.places],
            "found": [asdict(seen) for seen in each.new],
            "wrong": [asdict(seen) for seen in each.wrong],
        }
        for each in outcomes
    ]
    false = {server: [asdict(each) for each in found] for server, found in twins.items()}
    return {"mutants": tried, "clean": false, "total": dict(totals(outcomes, twins))}


def _introduction() -> str:
    meanings = "\n".join(f"- `{column}`: {meaning}" for column, meaning in COLUMNS.items())
    return f"{ABOUT}{meanings}\n\n{BEGIN}\n{END}\n"


def write(page: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put a table between two marks of a page, which is begun if there is none."""
    before, _, rest = (page.read_text("utf-8") if page.exists() else _introduction()).partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise SystemExit(f"{page.name} lacks {begin} or {end}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")
