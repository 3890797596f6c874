"""A sample of the mutants in every topology, and the clean servers in the same ones: what is found, counted.

Of each rule and language a few mutants are drawn for each topology, by a seed that is made of these three names, from those to
which it can be applied; a mutant stands for the others of its rule, and other topologies draw other ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from mutation import CLEAN, FLAW, Mutant, Place, apply
from reviewing import found, fresh, twin
from syntax import parses
from tally import Outcome, Seen

from topology.reshaping import function_at, reshape
from topology.shapes import MEANINGS, OF_SERVERS, TOPOLOGIES, NotApplicableError, Target

BEGIN, END = "<!-- topology: begin -->", "<!-- topology: end -->"
COLUMNS = {
    "tried": "mutants with a violation, transformed",
    "caught": "the rule finds something new in the expected file, or in one that the transformation made",
    "missed": "it does not, and does where the code stands as it is written",
    "missed anyway": "it does neither here nor there",
    "without": "rules none of whose mutants has this form",
    "harmless": "mutants without a violation, transformed",
    "wrong": "new errors and warnings of whatever rule in these",
    "twins": "clean servers, transformed at the same functions",
    "false": "errors and warnings of whatever rule in these",
}
LOUD = ("error", "warning")
HARMLESS = 5
"""Of so many rules, mutants without a violation are drawn of one: each is reviewed by all rules, twice, which takes long."""


class Draw(NamedTuple):
    """What one mutant is drawn for: those of a rule, a language and a topology, harmless ones or others."""

    topology: str
    language: str
    rule: str
    harmless: bool
    mutants: tuple[Mutant, ...]
    count: int


@dataclass(frozen=True)
class Trial:
    """A mutant in a topology; `twin` is what is found in its clean server in that topology, if it has the function."""

    topology: str
    outcome: Outcome
    target: Target | None
    twin: tuple[Seen, ...] | None
    caught_as_written: bool

    @property
    def wrong(self) -> list[Seen]:
        """Return the loud findings that nothing explains."""
        return [
            each for each in self.outcome.wrong if each.severity in LOUD and each.slug not in self.outcome.mutant.slugs
        ]


def draws(mutants: list[Mutant], topologies: Iterable[str], count: int, part: int) -> list[Draw]:
    """Return what is to be drawn: of one rule of so many as `part` says, `count` mutants."""

    def key(mutant: Mutant) -> tuple[str, str, bool]:
        return mutant.language, mutant.rule, mutant.harmless

    groups = [Draw("", *about, tuple(group), count) for about, group in groupby(sorted(mutants, key=key), key)]
    all_of_them = [each._replace(topology=topology) for topology in topologies for each in groups]
    return [each for each in all_of_them if _random(each).randrange(part * (HARMLESS if each.harmless else 1)) == 0]


def _random(draw: Draw) -> Random:
    return Random(f"{draw.topology} {draw.language} {draw.rule}")


def try_draws(wanted: list[Draw], jobs: int) -> list[list[Trial]]:
    """Try what is drawn, several at a time."""
    if jobs < 2:
        return [tried(each) for each in wanted]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(tried, wanted, chunksize=8))


def tried(draw: Draw) -> list[Trial]:
    """Draw mutants until there are enough to which the topology can be applied, and try these."""
    order = _random(draw).sample(draw.mutants, len(draw.mutants))
    trials: list[Trial] = []
    for mutant in order:
        if len(trials) < draw.count:
            trials += _trial(mutant, draw.topology)
    return trials


def _trial(mutant: Mutant, topology: str) -> Iterator[Trial]:
    """Yield the trial of a mutant, or nothing if the topology cannot be applied to it."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / mutant.server
        places = apply(mutant, root)
        lines = _edited(mutant, root) if mutant.harmless else places
        target = None if topology in OF_SERVERS else _target(root, lines)
        try:
            made = reshape(root, mutant.server, target, topology)
        except NotApplicableError:
            return
        if not all((root / each.path).exists() for each in mutant.edits):
            return  # the fault has gone with the guard
        _check(root, mutant.id, topology)
        known = clean(mutant.server, target, topology)
        try:
            after = found(root, mutant.server, mutant.slugs)
            new = tuple(fresh(after, known if known is not None else twin(mutant.server)))
            broke = ""
        except Exception as error:
            new, broke = (), f"{type(error).__name__}: {error}"
    outcome = Outcome(mutant, (*places, *(Place(each, 0) for each in made)), new, broke)
    yield Trial(topology, outcome, target, known, outcome.caught or mutant.harmless or _caught_as_written(mutant))


def _check(root: Path, name: str, topology: str) -> None:
    for path in root.rglob("*"):
        if path.is_file() and not parses(path):
            raise AssertionError(f"{name} as {topology}: {path.name} cannot be parsed")


def _target(root: Path, places: Iterable[Place]) -> Target | None:
    """Find the first function in which one of the places stands."""
    for place in places:
        try:
            return function_at(root, place.path, place.line)
        except NotApplicableError:
            continue
    return None


def _edited(mutant: Mutant, root: Path) -> list[Place]:
    """Return where the new texts of a mutant begin, after the lines that they share with the old ones."""
    places = []
    for edit in mutant.edits:
        text, new = (root / edit.path).read_text("utf-8"), FLAW.sub("", edit.new)
        if new.strip() and new in text:
            old = (edit.old or "").split("\n")
            shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(old, new.split("\n"), strict=False))))
            places.append(Place(edit.path, text[: text.index(new)].count("\n") + shared + 1))
    return places


@cache
def clean(server: str, target: Target | None, topology: str) -> tuple[Seen, ...] | None:
    """Return what is found in a clean server in a topology, or None if it has none at that function."""
    with TemporaryDirectory() as folder:
        root = copytree(CLEAN / server, Path(folder) / server)
        try:
            reshape(root, server, target, topology)
        except NotApplicableError:
            return None
        return tuple(found(root, server))


@cache
def _caught_as_written(mutant: Mutant) -> bool:
    with TemporaryDirectory() as folder:
        root = Path(folder) / mutant.server
        places = tuple(apply(mutant, root))
        return Outcome(
            mutant, places, tuple(fresh(found(root, mutant.server, mutant.slugs), twin(mutant.server)))
        ).caught


def _twins(trials: Iterable[Trial]) -> dict[Any, list[Seen]]:
    """Return the loud findings of every clean server in every topology, each once."""
    return {
        (each.topology, each.outcome.mutant.server, each.target): [seen for seen in each.twin if seen.severity in LOUD]
        for each in trials
        if each.twin is not None
    }


def _counts(draws: list[Draw], tried: list[list[Trial]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for draw, trials in zip(draws, tried, strict=True):
        counts["without"] += not trials and not draw.harmless
        for each in trials:
            counts["harmless" if draw.harmless else "tried"] += 1
            counts["caught"] += each.outcome.caught
            counts["missed" if each.caught_as_written else "missed anyway"] += each.outcome.missed
            counts["wrong"] += len(each.wrong)
    twins = _twins(each for trials in tried for each in trials)
    return counts + Counter({"twins": len(twins), "false": sum(map(len, twins.values()))})


def table(draws: list[Draw], tried: list[list[Trial]]) -> str:
    """Write a line for each topology and language, and one for all."""
    lines: list[list[Any]] = [["topology", "language", *COLUMNS], ["---"] * (len(COLUMNS) + 2)]
    pairs = list(zip(draws, tried, strict=True))
    languages = sorted({each.language for each in draws})
    for topology, language in ((topology, language) for topology in TOPOLOGIES for language in [*languages, ""]):
        chosen = [pair for pair in pairs if pair[0].topology == topology and language == pair[0].language]
        if chosen:
            counts = _counts([draw for draw, _ in chosen], [trials for _, trials in chosen])
            lines.append([topology, language, *(counts[column] for column in COLUMNS)])
    for language in [*languages, ""]:
        chosen = [pair for pair in pairs if language in ("", pair[0].language)]
        counts = _counts([draw for draw, _ in chosen], [trials for _, trials in chosen])
        lines.append(["all", language, *(counts[column] for column in COLUMNS)])
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def faults(tried: list[list[Trial]]) -> str:
    """List what is missed, wrong and false."""
    trials = [each for group in tried for each in group]
    lines = []
    for (topology, server, target), loud in _twins(trials).items():
        lines += [f"false  {topology}: {server} {target}: {_shown(seen)}" for seen in loud]
    for each in trials:
        name = f"{each.topology}: {each.outcome.mutant.id} {each.target}"
        if each.outcome.broke:
            lines.append(f"broke  {name}: {each.outcome.broke}")
        elif each.outcome.missed:
            lines.append(f"missed {name}{'' if each.caught_as_written else ' (anyway)'}")
        lines += [f"wrong  {name}: {_shown(seen)}" for seen in each.wrong]
    return "\n".join(lines) or "no faults"


def _shown(seen: Seen) -> str:
    return f"{seen.slug} {seen.path}:{seen.line} {seen.message}"


def record(tried: list[list[Trial]]) -> list[dict[str, Any]]:
    """Return everything for programs."""
    return [
        {
            "topology": each.topology,
            "id": each.outcome.mutant.id,
            "function": each.target,
            "caught": each.outcome.caught,
            "caught as written": each.caught_as_written,
            "broke": each.outcome.broke,
            "found": [asdict(seen) for seen in each.outcome.new],
            "clean": each.twin and [asdict(seen) for seen in each.twin],
        }
        for trials in tried
        for each in trials
    ]


def meanings() -> str:
    """Write what each topology and each column is."""
    return "\n".join(f"- `{name}`: {meaning}" for name, meaning in {**MEANINGS, **COLUMNS}.items())
