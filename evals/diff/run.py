"""Whether introduced, fixed and unchanged are told apart, over a history of commits whose faults are known.

PYTHONPATH=. python evals/diff/run.py [--commits 50] [--seeds 1] [--seed 1] [--write evals/results/comparisons.md]

A seed gives a history of so many commits; `--seeds` counts several of them together, from `--seed` on.

Each commit changes one of our own clean servers (`evals/checklist/clean`): faults of `evals/checklist/mutants` are put in
and taken out, functions and files are moved, comments added, variables renamed. A finding is assigned to the fault on its
line; one that cannot be assigned to one fault is counted separately. `--write` puts both tables, with that of
`speed.py`, into a page.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from history import MOST_EDITS, History
from mutation import Mutant, load
from speed import commit, git, measured
from speed import table as speed_table

from reviewer import Flags
from reviewer.compare.base import against
from reviewer.pipeline import read, run_rules
from reviewer.report.model import Finding, Report

PROFILES = {"object": "object-operation", "trait": "tool-trait"}
SERVERS = (
    *("python_marina_object", "rust_dispatch", "python_dispatch", "rust_foundry_trait", "python_lowlevel_live"),
    *("rust_router_live", "python_kiln_trait", "python_fastmcp", "rust_router", "python_single"),
)
Key = tuple[int, str]


@dataclass
class Score:
    """How many findings were told right and wrong by what they are, and how many belong to no fault for sure."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    apart: int = 0
    commits: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, what: str, expected: int, told: int, where: str) -> None:
        """Count so many findings that are expected to be told as `what`."""
        self.right[what] += min(expected, told)
        missed = expected - min(expected, told)
        self.wrong[what] += missed
        if missed:
            self.errors.append(f"{where}: {missed} not reported as {what}")


def owner(finding: Finding, marks: dict[tuple[str, int], list[int]], planted: dict[int, Mutant]) -> int | None:
    """Tell to which fault a finding belongs: that on its line, or the only one of which the rule may speak."""
    may = [number for number, fault in planted.items() if finding.rule.slug in fault.slugs | fault.also]
    on_line = [each for each in marks.get((finding.span.path, finding.span.line), []) if each in may]
    return on_line[0] if on_line else may[0] if len(may) == 1 else None


@dataclass
class Side:
    """What is known of one side of a commit: where faults show, which are in, and what is found of each."""

    marks: dict[tuple[str, int], list[int]]
    planted: dict[int, Mutant]
    found: Counter[Key] = field(default_factory=Counter)

    def count(self, findings: Iterable[Finding]) -> Counter[Key]:
        """Count findings by fault and rule."""
        owners = ((owner(each, self.marks, self.planted), each.rule.slug) for each in findings)
        return Counter((number, slug) for number, slug in owners if number is not None)


def judge(score: Score, where: str, report: Report, before: Side, after: Side) -> None:
    """Compare what is told of a commit with what was done in it."""
    assert report.compared is not None
    after.found = after.count(report.findings)
    score.apart += len(report.findings) - after.found.total()
    new = after.count(each for each in report.findings if each.change == "introduced")
    gone = before.count(report.compared.fixed)
    for key in sorted(set(before.found) | set(after.found)):
        number, slug = key
        stood, stands = number in before.planted, number in after.planted
        if stood and stands:
            same = min(before.found[key], after.found[key])
            score.add("unchanged", same, after.found[key] - new[key], f"{where}: {slug}")
        elif stands:
            score.add("introduced", after.found[key], new[key], f"{where}: {slug}")
        else:
            score.add("fixed", before.found[key], gone[key], f"{where}: {slug}")


def places(fault: Mutant) -> set[tuple[str, str, str]]:
    """Return the rule with the lines that a fault changes or shows on."""
    lines = {(edit.path, line.strip()) for edit in fault.edits for line in (edit.old or "").split("\n") if line.strip()}
    return {(fault.rule, *each) for each in lines | set(fault.at)}


def change(history: History, faults: list[Mutant]) -> list[str]:
    """Make the changes of one commit, and name them.

    A fault is not put in where another of the same rule was just taken out: whether that fixes anything is a matter of view.
    """
    done = []
    fixed: set[tuple[str, str, str]] = set()
    for number in history.chance.sample(sorted(history.planted), len(history.planted))[:2]:
        fault = history.planted[number]
        if history.chance.random() < 0.5 and history.fix(number):
            done.append("fix")
            fixed |= places(fault)
    for fault in history.chance.sample(faults, len(faults)):
        if places(fault) & fixed:
            continue
        if len([each for each in done if each == "break"]) >= 2 or len(history.planted) >= 8:
            break
        if history.plant(fault):
            done.append("break")
    done += [history.disguise() for _ in range(history.chance.randint(1, 4))]
    return done


def run_history(server: str, commits: int, faults: list[Mutant], seed: int, score: Score) -> None:
    """Make the history of one server, and review each commit against the one before."""
    history = History(server, random.Random(f"{seed} {server}"))
    flags = Flags(profile=PROFILES.get(server.rpartition("_")[2], "action-dispatch"))
    with TemporaryDirectory() as made:
        folder = Path(made).resolve()
        git(folder, "init", "-q", "-b", "main")
        for _ in range(3):
            change(history, faults)
        history.write(folder)
        commit(folder, "the base")
        before = Side(history.marks(), dict(history.planted))
        before.found = before.count(run_rules(read(folder, flags), flags)[0].findings)
        for number in range(commits):
            done = change(history, faults)
            history.write(folder)
            commit(folder, " ".join(done))
            with against(folder, flags, "HEAD~1") as (reading, earlier):
                report, _ = run_rules(reading, flags, before=earlier)
            where = f"seed {seed}, {server} {number + 1} ({' '.join(done)})"
            after = Side(history.marks(), dict(history.planted))
            judge(score, where, report, before, after)
            before = after
            score.commits += 1


def run_seed(seed: int, commits: int, faults: list[Mutant], score: Score) -> None:
    """Make the history of a seed, its commits dealt out among the servers."""
    for place, server in enumerate(SERVERS):
        dealt = len(range(place, commits, len(SERVERS)))
        run_history(server, dealt, [each for each in faults if each.server == server], seed, score)


def table(score: Score) -> str:
    """Render what was told right."""
    rows = ["| state | findings | reported correctly |", "| --- | --- | --- |"]
    for what in ("introduced", "fixed", "unchanged"):
        all_ = score.right[what] + score.wrong[what]
        rows.append(f"| {what} | {all_} | {score.right[what]} |")
    right, wrong = score.right.total(), score.wrong.total()
    rows.append(f"| **all** | {right + wrong} | {right} ({100 * right / max(1, right + wrong):.1f} %) |")
    return "\n".join(rows) + "\n"


def page(file: Path, tables: Iterable[tuple[str, str]]) -> None:
    """Put tables into a page, between the marks of their names."""
    text = file.read_text("utf-8")
    for name, each in tables:
        between = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text = between.sub(lambda found, each=each: f"{found[1]}{each}{found[2]}", text)  # type: ignore[misc]
    file.write_text(text, "utf-8")


def main() -> None:
    """Print the table, and the errors."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--commits", type=int, default=50)
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    faults = [each for each in load() if not each.harmless and len(each.edits) <= MOST_EDITS]
    score = Score()
    last = given.seed + given.seeds - 1
    for seed in range(given.seed, last + 1):
        run_seed(seed, given.commits, faults, score)
    seeds = f"seeds {given.seed} to {last}" if given.seeds > 1 else f"seed {given.seed}"
    about = f"{score.commits} commits ({seeds}), {score.apart} findings that cannot be assigned to one fault.\n"
    errors = "".join(f"- {each}\n" for each in score.errors)
    print(f"{about}\n{table(score)}\n{errors}", end="")
    if given.write is not None:
        shown = f"\nNot reported correctly:\n\n{errors}" if errors else ""
        tables = [("history", f"{about}\n{table(score)}{shown}"), ("speed", speed_table(measured(3000, 20, 10, 2)))]
        page(given.write, tables)


if __name__ == "__main__":
    main()
