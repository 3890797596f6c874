"""The 46 rules against the validator they come from: where do the two differ, and is each difference meant?

    python evals/definitions/run.py [--shared FOLDER] [--code CODE ...] [--server NAME ...] [--all]
        [--profile validator-46-strict] [--write evals/results/definitions.md]

Both judge the captured answers to `tools/list` in the shared folder, ours under the profile `validator-46`; what is written under
`validator-46-strict` is added to the page that stands there. A finding is told by
tool, code and the part it stands at. A difference is explained if a departure of its code holds for it: an entry of
`departures/*.toml` (which code, who of the two finds it, why, on which page it is written, an example) with the predicate of the
same name in the module beside it. Exits with 1 if a difference is not explained, or a departure explains nothing at all.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cases import Case, Difference, load, ours, theirs
from meant import STRICT, Departure, departures
from table import add, write

SHARED = Path(__file__).resolve().parents[3] / "shared"


def differences(case: Case, codes: frozenset[str], profile: str) -> Iterator[Difference]:
    """Compare what the two find on one server."""
    mine, other = ours(case, profile), theirs(case)
    for seen in sorted(mine ^ other):
        if not codes or seen.code in codes:
            yield Difference(seen, case, ours=seen in mine)


def main() -> int:
    """Compare, print, and tell by the exit code whether every difference is meant."""
    arguments = parsed()
    codes = frozenset(arguments.code)
    cases = [case for case in load(arguments.shared) if not arguments.server or case.name in arguments.server]
    meant = departures(codes, arguments.profile)
    explained: Counter[Departure] = Counter()
    unexplained = []
    for case in cases:
        for each in differences(case, codes, arguments.profile):
            reason = next((one for one in meant if one.explains(each)), None)
            if reason is None:
                unexplained.append(each)
            else:
                explained[reason] += 1
            if arguments.all and reason is not None:
                print(each, f"[{reason.id}]")
    for each in unexplained:
        print(each)
    idle = [one for one in meant if not explained[one] and not arguments.server]
    for one in idle:
        print(f"departure {one.id}: explains nothing here", file=sys.stderr)
    print(f"{len(cases)} servers, {sum(explained.values())} differences explained, {len(unexplained)} not")
    agreement = agreed(cases, codes, arguments.profile)
    print(f"{agreement:.3f} of what either finds under {arguments.profile} is found by both")
    if arguments.write:
        by_the_letter = arguments.profile == STRICT
        (add if by_the_letter else write)(arguments.write, cases, explained, unexplained)
    return int(bool(unexplained))


def agreed(cases: list[Case], codes: frozenset[str], profile: str) -> float:
    """Return which part of all findings of the two is one of both."""
    both = either = 0
    for case in cases:
        mine, other = (
            {each for each in found if not codes or each.code in codes} for found in (ours(case, profile), theirs(case))
        )
        both, either = both + len(mine & other), either + len(mine | other)
    return both / max(either, 1)


def parsed() -> argparse.Namespace:
    """Read the command's arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--code", action="append", default=[])
    parser.add_argument("--server", action="append", default=[])
    parser.add_argument("--profile", default="validator-46")
    parser.add_argument("--all", action="store_true", help="print the explained differences too")
    parser.add_argument("--write", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
