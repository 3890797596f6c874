"""A newcomer's first ten minutes with mcp-review, typed by a program on a machine with nothing on it.

    python evals/first_minutes/run.py [--only STEP] [--write evals/results/first-minutes.md]

Builds the wheel of this checkout, then does what the documents promise, in their order, in an empty home: install, review,
explain, fix, configure, keep a baseline, commit through pre-commit, have the Action comment (against a GitHub on the loopback),
connect clients to `serve`, and open the page in a browser. Each step checks what a person would look for. What this machine
lacks (Node, Chromium, pre-commit on the index) is told as left out, never as passed. The exit code is 1 if a promise is broken.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

import steps
from newcomer import BrokenPromiseError, Newcomer

BEGIN, END = (
    "<!-- minutes: written by `python evals/first_minutes/run.py --write evals/results/first-minutes.md` -->\n",
    "<!-- end of minutes -->",
)


@dataclass(frozen=True, slots=True)
class Result:
    """How a step ended: `status` is `works`, `broken` or `left out`; `words` say more; `screen` is what was seen last."""

    name: str
    status: str
    words: str
    seconds: float
    screen: str


def play(newcomer: Newcomer, step: Callable[[Newcomer], str]) -> Result:
    """Take one step and return how it ended."""
    start, before = time.perf_counter(), len(newcomer.typed)
    try:
        status, words = "works", step(newcomer)
    except steps.LeftOutError as missing:
        status, words = "left out", str(missing)
    except Exception as broken:  # whatever it is, the steps after it are taken too
        promised = isinstance(broken, BrokenPromiseError)
        status, words = "broken", str(broken) if promised else f"{type(broken).__name__}: {broken}"
    finally:
        newcomer.reset()
    ours = [each for each in newcomer.typed[before:] if Path(each.words[0]).name == "mcp-review"]
    screen = ours[-1].screen if ours else ""
    home = str(newcomer.home)  # differs from run to run
    return Result(
        step.__name__, status, words.replace(home, "~"), time.perf_counter() - start, screen.replace(home, "~")
    )


def results(only: str | None) -> Iterator[Result]:
    """Take the steps in order; with `only`, the one of that name after what it needs."""
    needed = (steps.install,)
    wanted = [step for step in steps.STEPS if only is None or step in needed or step.__name__ == only]
    with TemporaryDirectory(prefix="newcomer-") as home:
        newcomer = Newcomer(Path(home))
        newcomer.settle()
        for step in wanted:
            result = play(newcomer, step)
            print(f"{result.status:8}  {result.name}: {result.words} ({result.seconds:.1f} s)", flush=True)
            yield result


def table(done: list[Result]) -> str:
    """Return the results in Markdown: a table, then the screens."""
    rows = [f"| {each.name.replace('_', ' ')} | {each.status} | {each.words} | {each.seconds:.1f} |" for each in done]
    head = ["| step | | what was checked | s |", "| --- | --- | --- | --- |"]
    screens = [f"## {each.name.replace('_', ' ')}\n\n```text\n{each.screen}\n```\n" for each in done if each.screen]
    return "\n".join([*head, *rows, "", *screens])


def main() -> int:
    """Take all steps, print how each ended, and write the page where asked."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", choices=[step.__name__ for step in steps.STEPS])
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    done = list(results(given.only))
    if given.write is not None:
        before, begin, rest = given.write.read_text("utf-8").partition(BEGIN)
        if not begin:
            raise SystemExit(f"{given.write}: the line is missing that the table follows: {BEGIN.strip()}")
        given.write.write_text(before + begin + table(done) + "".join(rest.partition(END)[1:]), "utf-8")
    return int(any(each.status == "broken" for each in done))


if __name__ == "__main__":
    sys.exit(main())
