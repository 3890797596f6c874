"""What a change of the analysis does to the findings on real servers: record before, compare after.

    python evals/before_after/run.py record TREE ... --store FILE [--profile core] [--command mcp-review]
    python evals/before_after/run.py compare BEFORE AFTER [--all]

A tree is a checkout or an unpacked package, known by the name of its folder, so give it one that pins it: `owner+name@commit`.
The store is JSON and stays outside of the project, since it quotes other people's code. `compare` counts by rule what was gained
and lost, and lists each difference for somebody to read: gained and right, gained and false, lost and wrong.
"""

import argparse
import json
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

Finding = tuple[str, str, str, int, str]
"""Severity, rule, path, line and message."""


def record(trees: list[Path], store: Path, profile: str, command: str) -> int:
    """Review each tree and write what was found; trees that are in the store already are reviewed again."""
    kept = json.loads(store.read_text("utf-8")) if store.exists() else {}
    for tree in trees:
        kept[tree.name] = reviewed(tree, profile, command)
        store.write_text(json.dumps(kept, indent=1), "utf-8")
        print(
            f"{tree.name}: {len(kept[tree.name]['findings'])} findings, {kept[tree.name]['seconds']:.1f} s", flush=True
        )
    return int(any(each["failed"] for each in kept.values()))


def reviewed(tree: Path, profile: str, command: str) -> dict[str, object]:
    """Return the findings on a tree and the processor time of the review, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [command, str(tree), "--format", "json", "--profile", profile, "--judge", "none"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        sections = json.loads(run.stdout)["sections"]
    except ValueError:
        return {"findings": [], "seconds": seconds, "failed": run.stderr[-500:]}
    found = [
        (each["severity"], each["rule"], each["path"], each["line"], each["message"])
        for section in sections
        for each in section["findings"]
    ]
    faults = [line for line in run.stderr.splitlines() if "not reviewed" in line]
    return {"findings": sorted(found), "seconds": seconds, "failed": "\n".join(faults)}


def compare(before: Path, after: Path, *, everything: bool) -> int:
    """Print what was gained and lost; return 1 if anything differs."""
    old, new = (json.loads(each.read_text("utf-8")) for each in (before, after))
    gained: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for tree in sorted(old.keys() & new.keys()):
        one, two = (Counter(tuple(each) for each in stored[tree]["findings"]) for stored in (old, new))
        for sign, difference, counts in (("-", one - two, lost), ("+", two - one, gained)):
            for severity, rule, path, line, message in difference:
                counts[rule] += 1
                if everything or severity in ("error", "warning"):
                    print(f"{sign} {tree} {path}:{line} {severity} {rule}: {message}")
    trees = old.keys() & new.keys()
    times = [sum(stored[tree]["seconds"] for tree in trees) for stored in (old, new)]
    for tree in sorted(trees):
        for sign, stored in (("-", old), ("+", new)):
            if stored[tree]["failed"]:  # a fault hides findings, and two states with the same fault look equal
                print(f"{sign} {tree} failed: {stored[tree]['failed'].splitlines()[0]}")
    print(f"\n{len(trees)} trees, processor time {times[0]:.0f} s before, {times[1]:.0f} s after")
    for rule in sorted(gained.keys() | lost.keys()):
        print(f"{rule:40} gained {gained[rule]:4}  lost {lost[rule]:4}")
    missing = sorted(old.keys() ^ new.keys())
    if missing:
        print(f"in one store only: {', '.join(missing)}")
    return int(bool(gained or lost))


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("trees", nargs="+", type=Path)
    recording.add_argument("--store", required=True, type=Path)
    recording.add_argument("--profile", default="core")
    recording.add_argument("--command", default="mcp-review")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--all", action="store_true", help="list suggestions too")
    given = parser.parse_args()
    if given.what == "record":
        return record([each.resolve() for each in given.trees], given.store, given.profile, given.command)
    return compare(given.before, given.after, everything=given.all)


if __name__ == "__main__":
    sys.exit(main())
