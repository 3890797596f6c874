"""Whether anything makes the review crash, hang, or take too much memory, and whether all that it writes is well-formed.

    PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py [--fuzzers NAME,…] [--inputs 2000] [--start 0] [--seeds FOLDER]
                                                     [--found FOLDER] [--counts FILE] [--seconds N]
    PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py one NAME NUMBER
    PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py file FILE
    PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py again FOLDER
    PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py counts FILE…

A case is made from the name of its fuzzer and a number, so every run with the same numbers is the same. `--inputs` are divided
among the fuzzers by their shares. With `--seconds` it goes on with the next numbers until the time is up. A new fault is reduced
and written to `--found`; `--seeds` is a folder of real servers (sources or wheels) to begin from, beside our own. `again` tries
what stands in a folder of faults once more, and moves what is mended into `done/`. `counts` adds up what files of `--counts`
hold. The exit code is 1 if a fault was found.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import fuzzers
from cases import Case
from counting import table
from faults import Fault
from reducing import Reduction
from seeds import ROOT, SEEDS
from storing import save, saved
from subjects import HOUSE, accepted, attempt, exported
from watching import Tally, Watch, faults_of

CHUNK = 1_000
"""Inputs of all fuzzers together after which counts are written and the next round begins."""


class Faults:
    """The faults that were found, each reduced and written once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.counts: Counter[str] = Counter()

    def add(self, name: str, number: int, fault: Fault) -> None:
        """Take down a fault of a case."""
        self.counts[fault.key] += 1
        if self.counts[fault.key] > 1:
            return
        print(f"{name} {number}: {fault.key}", flush=True)
        if self._folder is None:
            print(fault.told, flush=True)
        elif not self._is_known(fault):
            self._write(name, number, fault)

    def _is_known(self, fault: Fault) -> bool:
        assert self._folder is not None
        return any(self._folder.rglob(f"{fault.name}.txt"))

    def _write(self, name: str, number: int, fault: Fault) -> None:
        assert self._folder is not None
        case = fuzzers.case(name, number)
        smallest = Reduction(case, fault).run()
        folder = self._folder / _language(smallest)
        folder.mkdir(parents=True, exist_ok=True)
        file = save(smallest, folder / fault.name)
        (folder / f"{fault.name}.txt").write_text(
            f"{fault.key}\nfound by: PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py one {name} {number}   (at {commit()})\n"
            f"reduced:  PYTHONPATH=.:evals/fuzz python evals/fuzz/run.py file {file}   (or: mcp-review {file})\n\n{fault.told}\n",
            "utf-8",
            "backslashreplace",
        )


def _language(case: Case) -> str:
    endings = {Path(path).suffix for path in case.files}
    if case.way not in ("review", "compare", "command"):
        return "other"
    return (
        "python" if ".py" in endings else "rust" if ".rs" in endings else "typescript" if ".ts" in endings else "other"
    )


def commit() -> str:
    """Return the commit that is fuzzed."""
    return subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def warm() -> None:
    """Load and compute before processes are forked what each of them would load and compute."""
    accepted()
    exported()
    for way in ("review", "command"):
        attempt(Case(way, {"server.py": HOUSE}))
    attempt(Case("review", {"main.rs": fuzzers.ROUTER}))
    attempt(Case("review", {"server.ts": fuzzers.REGISTERING}))
    attempt(Case("review", {"tools.json": b'{"tools": [{"name": "a", "inputSchema": {"pattern": "["}}]}'}))
    for name in fuzzers.FUZZERS:
        fuzzers.case(name, 0)
    gc.collect()
    gc.freeze()


def rounds(names: list[str], inputs: int, start: int, seconds: float | None):
    """Yield fuzzers and the numbers of their cases, in turns."""
    whole = sum(fuzzers.FUZZERS[name].share for name in names)
    until = time.monotonic() + seconds if seconds is not None else None
    size = CHUNK if until is not None else inputs
    done = 0
    while until is not None or done < inputs:
        for name in names:
            count = max(1, size * fuzzers.FUZZERS[name].share // whole)
            first = start + done * fuzzers.FUZZERS[name].share // whole
            if until is not None and time.monotonic() > until:
                return
            yield name, range(first, first + count)
        done += size


def hunt(given: argparse.Namespace) -> int:
    """Run the fuzzers; return 1 if a fault was found."""
    names = given.fuzzers.split(",") if given.fuzzers else list(fuzzers.FUZZERS)
    faults = Faults(given.found)
    tallies: dict[str, Tally] = {name: Tally() for name in names}
    warm()
    at = commit()
    for name, numbers in rounds(names, given.inputs, given.start, given.seconds):
        watch = Watch(lambda number, name=name: fuzzers.case(name, number), given.limit)
        watch.tally = tallies[name]
        for number, fault in watch.run(numbers):
            faults.add(name, number, fault)
        if given.counts is not None:
            count(given.counts, at, given.start, tallies, faults)
    for name, tally in tallies.items():
        if tally.inputs:
            speed = tally.inputs / max(tally.seconds, 0.001)
            print(
                f"{name}: {tally.inputs} inputs, {tally.refused} refused, {speed:.0f} a second,"
                f" slowest {tally.slowest:.2f} s (case {tally.slowest_case}), peak {tally.peak} MB (case {tally.peak_case})"
            )
    print(f"{sum(each.inputs for each in tallies.values())} inputs, {len(faults.counts)} distinct faults")
    return int(bool(faults.counts))


def count(file: Path, at: str, start: int, tallies: dict[str, Tally], faults: Faults) -> None:
    """Write what was counted by now, by commit and first number."""
    counted = json.loads(file.read_text()) if file.exists() else {}
    fields = {name: {key: getattr(each, key) for key in Tally.__slots__} for name, each in tallies.items()}
    counted[f"{at} from {start}"] = {"fuzzers": fields, "faults": dict(faults.counts)}
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as written:
        json.dump(counted, written, indent=1)
    os.replace(written.name, file)


def one(case: Case) -> int:
    """Review one case and say what comes of it."""
    for path, data in case.files.items():
        print(f"--- {case.way} {path}\n{data.decode('utf-8', 'backslashreplace')}")
    found = faults_of(case)
    for fault in found:
        print(f"{fault.key}\n{fault.told}")
    return int(bool(found))


def again(folder: Path) -> int:
    """Try what was found once more; move what is mended into `done/`. Return 1 if anything is left."""
    left = 0
    for notes in sorted(folder.rglob("*.txt")):
        if notes.parent.name == "done":
            continue
        path = next(each for each in notes.parent.iterdir() if each.stem == notes.stem and each != notes)
        found = faults_of(saved(path))
        left += bool(found)
        print(f"{'left' if found else 'done'}: {path} {found[0].key if found else ''}", flush=True)
        for each in (path, notes) if not found else ():
            (notes.parent / "done").mkdir(exist_ok=True)
            each.rename(notes.parent / "done" / each.name)
    return int(bool(left))


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="one NAME NUMBER, file FILE, again FOLDER, or counts FILE…")
    parser.add_argument("--fuzzers")
    parser.add_argument("--inputs", type=int, default=2_000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--limit", type=float, default=10.0, help="processor time of an input that hangs")
    parser.add_argument("--seeds", type=Path)
    parser.add_argument("--found", type=Path)
    parser.add_argument("--counts", type=Path)
    given = parser.parse_args()
    SEEDS.real = given.seeds
    if given.what[:1] == ["one"]:
        return one(fuzzers.case(given.what[1], int(given.what[2])))
    if given.what[:1] == ["file"]:
        return one(saved(Path(given.what[1])))
    if given.what[:1] == ["counts"]:
        print(*table(map(Path, given.what[1:])), sep="\n")
        return 0
    if given.what[:1] == ["again"]:
        return again(Path(given.what[1]))
    return hunt(given)


if __name__ == "__main__":
    sys.exit(main())
