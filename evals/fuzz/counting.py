"""What runs counted, by commit and by fuzzer, as the tables of `evals/results/fuzzing.md`."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from watching import Tally

Run = tuple[str, dict[str, Tally], dict[str, int]]
"""A commit, the tallies of its fuzzers, and how often each fault was found."""


def table(files: Iterable[Path]) -> Iterator[str]:
    """Yield the lines of two tables in Markdown: the inputs of each commit, and of each fuzzer."""
    runs = [run for file in files for run in _runs(file)]
    yield from ("| commit | inputs | distinct faults |", "| --- | --- | --- |")
    for commit in dict.fromkeys(commit for commit, _, _ in runs):
        mine = [run for run in runs if run[0] == commit]
        faults = {fault for _, _, found in mine for fault in found}
        yield f"| `{commit}` | {_whole(mine).inputs:,} | {len(faults)} |"
    every = Counter[str]()
    for _, _, found in runs:
        every.update(found)
    yield f"| all | {_whole(runs).inputs:,} | {len(every)} |"
    yield from (
        "",
        "| fuzzer | inputs | refused | ms each | slowest, s | most memory, MB |",
        "| --- | --- | --- | --- | --- | --- |",
    )
    names = dict.fromkeys(name for _, fuzzers, _ in runs for name in fuzzers)
    yield from (_row(f"`{name}`", _sum(fuzzers[name] for _, fuzzers, _ in runs if name in fuzzers)) for name in names)
    yield _row("all", _whole(runs))
    yield from ("", *(f"- {count} × {fault.strip()}" for fault, count in sorted(every.items())))


def _runs(file: Path) -> Iterator[Run]:
    for name, counted in json.loads(file.read_text()).items():
        tallies = {fuzzer: Tally(**fields) for fuzzer, fields in counted["fuzzers"].items()}
        yield name.partition(" ")[0], tallies, counted["faults"]


def _whole(runs: Iterable[Run]) -> Tally:
    return _sum(tally for _, fuzzers, _ in runs for tally in fuzzers.values())


def _sum(tallies: Iterable[Tally]) -> Tally:
    """Return what several runs came to together."""
    whole = Tally()
    for each in tallies:
        whole.inputs += each.inputs
        whole.refused += each.refused
        whole.seconds += each.seconds
        whole.slowest, whole.slowest_case = max((whole.slowest, whole.slowest_case), (each.slowest, each.slowest_case))
        whole.peak, whole.peak_case = max((whole.peak, whole.peak_case), (each.peak, each.peak_case))
    return whole


def _row(name: str, tally: Tally) -> str:
    each = 1000 * tally.seconds / max(tally.inputs, 1)
    return f"| {name} | {tally.inputs:,} | {tally.refused:,} | {each:.0f} | {tally.slowest:.1f} | {tally.peak:,} |"
