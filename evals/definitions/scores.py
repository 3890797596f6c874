"""Our score beside the one that was published with a recording, tool by tool.

    python evals/definitions/scores.py [--shared FOLDER]

Prints each tool whose scores are more than two points apart, with what only one of the two counts; then each server's.
"""

import argparse
import sys
from pathlib import Path

from cases import Case, facts, load, ours, theirs
from run import SHARED

from reviewer.maturity import score_project

APART = 2


def rows(case: Case) -> list[tuple[str, int, int, list[str]]]:
    """Return of each tool its name, our score, the published one, and what only one of the two counts."""
    assert case.published is not None
    mine = {each.name: each.score or 0 for each in score_project(facts(case)).tools}
    found, other = ours(case), theirs(case)
    return [
        (
            tool["name"],
            mine[tool["name"]],
            case.published[tool["name"]]["score"],
            sorted(f"{'+' if seen in found else '-'}{seen.code}" for seen in found ^ other if seen.tool == index),
        )
        for index, tool in enumerate(case.tools)
    ]


def main() -> int:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=SHARED)
    arguments = parser.parse_args()
    for case in load(arguments.shared):
        if case.published is None:
            continue
        scored = rows(case)
        for name, mine, published, apart in scored:
            if abs(mine - published) > APART:
                print(f"  {name}: {mine}, published {published}: {' '.join(apart)}")
        means = [sum(column) / len(scored) for column in zip(*(row[1:3] for row in scored), strict=True)]
        print(f"{case.name}: {means[0]:.1f}, published {means[1]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
