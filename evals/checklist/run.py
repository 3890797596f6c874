"""Clean servers into which each violation of the checklist was put, in many disguises: is each of them found, and nothing else?

    python evals/checklist/run.py [--only SLUG ...] [--faults] [--write docs/checklist.md] [--json FILE]

`clean/` holds servers that keep to the checklist, `mutants/` what is changed in them, a fault at a time. A mutant is caught if
its rule finds something in the expected file that it does not find in the clean server. Whatever else is found anew is wrong,
and so is anything found in a clean server. Exits with 1 if something is missed or wrong.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation import CLEAN, Mutant, apply, load
from tally import Outcome, Seen, faults, record, table, totals, write

import reviewer
from reviewer import Flags

PROFILES = {"object": "object-operation", "trait": "tool-trait"}
"""The profiles of clean servers by the last word of their names; the others keep to the checklist."""


def found(path: Path, server: str) -> list[Seen]:
    """Review a tree under the profile that its server keeps to."""
    profile = PROFILES.get(server.rpartition("_")[2], "action-dispatch")
    return [
        Seen(each.rule.slug, each.span.path, each.span.line, each.message)
        for each in reviewer.review(path, Flags(profile=profile)).findings
    ]


@cache
def twin(server: str) -> tuple[Seen, ...]:
    """Give what is found in a clean server."""
    return tuple(found(CLEAN / server, server))


def tried(mutated: Mutant) -> Outcome:
    """Put a mutant into a copy of its server and compare what is found with what is found in the server.

    A reviewer that breaks down has not caught the mutant, whatever it would have found.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder) / mutated.server
        places = tuple(apply(mutated, root))
        try:
            after = found(root, mutated.server)
        except Exception as error:
            return Outcome(mutated, places, (), f"{type(error).__name__}: {error}")
    return Outcome(mutated, places, tuple(fresh(after, twin(mutated.server))))


def fresh(after: list[Seen], before: Iterable[Seen]) -> list[Seen]:
    """Give the findings that were not there before, wherever their lines have moved to."""
    known = Counter((each.slug, each.path, each.message) for each in before)
    new = []
    for each in after:
        key = (each.slug, each.path, each.message)
        if known[key]:
            known[key] -= 1
        else:
            new.append(each)
    return new


def try_all(mutants: list[Mutant], jobs: int) -> list[Outcome]:
    """Try mutants, several at a time if there are many."""
    if jobs < 2 or len(mutants) < 2 * jobs:
        return [tried(each) for each in mutants]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(tried, mutants, chunksize=4))


def servers() -> list[str]:
    """Name the clean servers."""
    return sorted(path.name for path in CLEAN.iterdir() if path.is_dir() and not path.name.startswith("."))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="SLUG", help="the mutants of these rules, or these ids"
    )
    parser.add_argument("--language", choices=("rust", "python"), help="the mutants of this language")
    parser.add_argument("--faults", action="store_true", help="list what is missed and what is wrong")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that review at a time")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a Markdown page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every outcome")
    return parser.parse_args()


def chosen(mutants: list[Mutant], given: argparse.Namespace) -> list[Mutant]:
    """Give the mutants that are asked for."""
    wanted = [each for each in mutants if not given.only or each.rule in given.only or each.id in given.only]
    return [each for each in wanted if given.language in (None, each.language)]


def main() -> None:
    """Try the mutants and print, write or record what came of it."""
    given = arguments()
    twins = {server: list(twin(server)) for server in servers() if given.language in (None, server.partition("_")[0])}
    outcomes = try_all(chosen(load(), given), given.jobs)
    text = table(outcomes, twins)
    print(text)
    if given.faults:
        print(f"\n{faults(outcomes, twins)}")
    if given.write:
        write(given.write, text)
    if given.json:
        given.json.write_text(json.dumps(record(outcomes, twins), indent=1), "utf-8")
    added = totals(outcomes, twins)
    sys.exit(1 if added["missed"] or added["wrong"] or added["false"] or added["broke"] else 0)


if __name__ == "__main__":
    main()
