"""What a review of some trees gives: tools and findings by rule, a random sample of findings to read, or the actions' rows.

    python evals/field/run.py counts PATH [PATH ...]
    python evals/field/run.py sample PATH [PATH ...] [--size 20] [--seed 7] [--each N | --share N] [--profile NAME]
    python evals/field/run.py rows PATH [PATH ...]

`evals/results/field-notes.md` holds what came of it, with every sampled finding judged by a reader.
"""

import argparse
import random
from collections import Counter
from pathlib import Path

import reviewer
from reviewer.config import Flags
from reviewer.facts import ToolParameter
from reviewer.pipeline import read
from reviewer.report.model import Finding

AROUND = 8
"""Lines of source that are shown on both sides of a finding."""


def counts(paths: list[str]) -> None:
    """Print a row for each tree: profile, tools, verdict, findings by rule."""
    print("| tree | profile | tools | verdict | findings |")
    print("| --- | --- | --- | --- | --- |")
    for path in paths:
        report = reviewer.review(path)
        found = Counter(f"{each.rule.slug} ({each.severity.value})" for each in report.findings)
        listed = ", ".join(f"{count} {name}" for name, count in sorted(found.items())) or "none"
        name = Path(path).resolve().name
        print(f"| {name} | {report.profile} | {report.tools} | {report.verdict.value} | {listed} |", flush=True)


def rows(paths: list[str]) -> None:
    """Print a row for each tree: what its catalogs of actions hold."""
    print("| tree | actions | files | destructive | named `*.list` | of these without limit, cursor, page, offset |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in paths:
        actions = [action for catalog in read(Path(path)).project.catalogs for action in catalog.actions]
        lists = [each for each in actions if each.name.endswith(".list")]
        bare = [each for each in lists if isinstance(each.parameters, tuple) and not any(map(_pages, each.parameters))]
        destructive = sum(each.destructive is True for each in actions)
        files = len({each.span.path for each in actions})
        name = Path(path).resolve().name
        print(f"| {name} | {len(actions)} | {files} | {destructive} | {len(lists)} | {len(bare)} |", flush=True)


def _pages(parameter: ToolParameter) -> bool:
    return any(word in parameter.name for word in ("limit", "cursor", "page", "offset"))


def sample(paths: list[str], size: int, seed: int, most: int | None, share: int | None, profile: str | None) -> None:
    """Print a random sample of findings with the source around.

    With `most`, at most so many of one rule for each server; with `share`, so many of each server, whatever their rules, of
    servers drawn among those that have as many.
    """
    drawn: list[tuple[str, Finding]] = []
    for path in random.Random(seed).sample(paths, len(paths)) if share is not None else paths:
        found = list(reviewer.review(path, Flags(profile=profile)).findings)
        random.Random(seed).shuffle(found)
        if share is not None:
            drawn += [(path, each) for each in found[:share]] if len(found) >= share and len(drawn) < size else []
            continue
        seen: Counter[str] = Counter()
        for each in found:
            seen[each.rule.slug] += 1
            if most is None or seen[each.rule.slug] <= most:
                drawn.append((path, each))
    random.Random(seed).shuffle(drawn)
    for number, (path, each) in enumerate(drawn[:size], 1):
        lines = (Path(path) / each.span.path).read_text("utf-8", "replace").splitlines()
        place = f"{Path(path).resolve().name} {each.span.path}:{each.span.line}"
        print(f"### {number}. {each.severity.value} {each.rule.slug} {place}\n{each.message}\nhelp: {each.help}")
        for line in range(max(1, each.span.line - AROUND), min(len(lines), each.span.line + AROUND) + 1):
            print(f"{line:>6}{'>' if line == each.span.line else ' '} {lines[line - 1][:200]}")


def main() -> None:
    """Run the command that is asked for."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(required=True, dest="command")
    commands.add_parser("counts").add_argument("paths", nargs="+")
    commands.add_parser("rows").add_argument("paths", nargs="+")
    sampling = commands.add_parser("sample")
    sampling.add_argument("paths", nargs="+")
    sampling.add_argument("--size", type=int, default=20)
    sampling.add_argument("--seed", type=int, default=7)
    among = sampling.add_mutually_exclusive_group()
    among.add_argument("--each", type=int, metavar="N", help="of each server at most N findings of one rule")
    among.add_argument("--share", type=int, metavar="N", help="N findings of each server, as they come")
    sampling.add_argument("--profile", help="review all of them under this profile; detected for each if not given")
    given = arguments.parse_args()
    if given.command == "counts":
        counts(given.paths)
    elif given.command == "rows":
        rows(given.paths)
    else:
        sample(given.paths, given.size, given.seed, given.each, given.share, given.profile)


if __name__ == "__main__":
    main()
