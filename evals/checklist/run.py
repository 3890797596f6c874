"""Clean servers into which each violation of the checklist was put, in many disguises: is each of them found, and nothing else?

    python evals/checklist/run.py [--only SLUG ...] [--faults] [--write evals/results/checklist.md] [--json FILE]
    python evals/checklist/run.py --topology [NAME ...]    the same mutants, their code moved to other places (a sample)
    python evals/checklist/run.py --clean-report           what is found anywhere in what is clean

`clean/` holds servers that keep to the checklist, `mutants/` what is changed in them, a fault at a time. A mutant is caught if
its rule finds something in the expected file that it does not find in the clean server. Whatever else is found anew is wrong,
and so is anything found in a clean server. Exits with 1 if something is missed or wrong.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import clean_report
from mutation import Mutant, apply, load
from reviewing import found, fresh, servers, twin
from tally import Outcome, faults, record, table, totals, write
from topology import trials
from topology.shapes import TOPOLOGIES


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


def try_all(mutants: list[Mutant], jobs: int) -> list[Outcome]:
    """Try mutants, several at a time if there are many."""
    if jobs < 2 or len(mutants) < 2 * jobs:
        return [tried(each) for each in mutants]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(tried, mutants, chunksize=4))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="SLUG", help="the mutants of these rules, or these ids"
    )
    parser.add_argument("--language", choices=("rust", "python"), help="the mutants of this language")
    parser.add_argument(
        "--topology", nargs="*", choices=TOPOLOGIES, metavar="NAME", help="in these topologies, or in all"
    )
    parser.add_argument("--clean-report", action="store_true", help="review only what is clean")
    parser.add_argument(
        "--sample", type=int, default=1, help="how many mutants of a rule, in a language and a topology"
    )
    parser.add_argument("--part", type=int, default=3, help="a topology is tried on one rule of so many")
    parser.add_argument("--faults", action="store_true", help="list what is missed and what is wrong")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that review at a time")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a Markdown page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every outcome")
    return parser.parse_args()


def chosen(mutants: list[Mutant], given: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that are asked for."""
    wanted = [each for each in mutants if not given.only or each.rule in given.only or each.id in given.only]
    return [each for each in wanted if given.language in (None, each.language)]


def in_topologies(given: argparse.Namespace) -> bool:
    """Try a sample of the mutants in topologies, and tell whether nothing was missed, wrong or false."""
    draws = trials.draws(chosen(load(), given), given.topology or TOPOLOGIES, given.sample, given.part)
    tried = trials.try_draws(draws, given.jobs)
    text = trials.table(draws, tried)
    print(text)
    listed = trials.faults(tried)
    if given.faults:
        print(f"\n{listed}")
    if given.write:
        write(given.write, text, trials.BEGIN, trials.END)
    if given.json:
        given.json.write_text(json.dumps(trials.record(tried), indent=1), "utf-8")
    return listed == "no faults"


def of_clean(given: argparse.Namespace) -> bool:
    """Review what is clean, and tell whether there is no error and no warning."""
    reviewed = list(clean_report.review_all(chosen(load(), given)))
    text = clean_report.table(reviewed)
    listed = clean_report.faults(reviewed)
    print(text, listed, sep="\n")
    if given.write:
        write(given.write, text, clean_report.BEGIN, clean_report.END)
    return not listed


def main() -> None:
    """Try the mutants and print, write or record what came of it."""
    given = arguments()
    if given.topology is not None:
        sys.exit(0 if in_topologies(given) else 1)
    if given.clean_report:
        sys.exit(0 if of_clean(given) else 1)
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
