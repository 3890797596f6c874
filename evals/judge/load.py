"""How long it takes to have a server of many tools judged, and to review it without a judge.

    python evals/judge/load.py [--tools 100] [--latency 0.5] [--beside CHECKOUT] [--write]

The API is a loopback that speaks its wire format and answers every request after a fixed time (`tests/judge/loopback.py`).
Each run is a whole command of its own. Without a judge, runs take turns with those of another checkout, if one is named.
`--write` puts the figures into evals/results/judge-cost.md.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT))

from judge.conftest import written  # noqa: E402
from judge.loopback import Loopback, judges, serving  # noqa: E402

COMMAND = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/tests"]
from reviewer.rules import load
if {asks} and not any(rule.judged for rule in load().values()):
    from judge.conftest import ASKING
    load()["marker"] = ASKING
    sys.argv += ["--select", "marker"]
from reviewer.cli import main
main()
"""
PAGE = ROOT / "evals/results/judge-cost.md"
BEGIN, END = "<!-- load: written by `python evals/judge/load.py --write` -->\n", "<!-- end of load -->"
TURNS = 15


def seconds(arguments: list[str], environment: dict[str, str], root: Path = ROOT, *, asks: bool = False) -> float:
    """Time one command."""
    code = COMMAND.format(root=str(root), asks=asks)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False, cwd=root
    )
    elapsed = time.perf_counter() - start
    if done.returncode == 2 or "unanswered" in done.stderr:
        raise SystemExit(done.stderr)
    return elapsed


def compiled(folder: Path) -> dict[str, str]:
    """Return an environment in which all that a judged review loads is compiled to bytecode, as an installed package is."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "MCP_REVIEW_CACHE": str(folder / "cache")}
    loaded = "import anthropic, anthropic.resources.messages, reviewer.judge.backends.api, reviewer.judge.memory"
    subprocess.run([sys.executable, "-c", loaded], env=environment, check=True, cwd=ROOT)
    return environment


def judged(folder: Path, environment: dict[str, str], given: argparse.Namespace) -> list[str]:
    """Have a server judged twice, and give a row for each run."""
    rows = []
    with serving(Loopback(judges("met", "Handles number"), latency=given.latency)) as api:
        environment = {**environment, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "right"}
        for run in ("first", "second, nothing changed"):
            before, idle = len(api.requests), worked()
            elapsed = seconds([str(folder / "served"), "--judge", "anthropic"], environment, asks=True)
            rows.append(f"| {run} | {elapsed:.1f} s | {worked() - idle:.1f} s | {len(api.requests) - before} |")
        rows.append(f"\nAt most {api.most_at_once} requests were in flight at once.")
    return rows


def worked() -> float:
    """Return the seconds that processors have worked for the commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def unjudged(folder: Path, environment: dict[str, str], beside: Path | None) -> str:
    """Review without a judge, in turns with another checkout if there is one, by the time that processors worked."""
    timed: dict[Path, list[float]] = {root: [] for root in (ROOT, beside) if root is not None}
    for turn in range(TURNS + 1):
        for root, elapsed in timed.items():
            before = worked()
            seconds([str(folder / "served")], environment, root)
            if turn:
                elapsed.append(worked() - before)
    mine, *others = (statistics.median(each) for each in timed.values())
    said = f"Without a judge the same review takes {mine:.2f} s of processor time"
    if not others:
        return f"{said} (median of {TURNS} runs)."
    return f"{said}, and {others[0]:.2f} s before the judge existed (medians of {TURNS} alternating runs)."


def main() -> None:
    """Print the figures, or write them into the page."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tools", type=int, default=100)
    arguments.add_argument("--latency", type=float, default=0.5)
    arguments.add_argument("--beside", type=Path)
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        written(folder / "served", given.tools)
        environment = compiled(folder)
        without = unjudged(folder, environment, given.beside)
        rows = judged(folder, environment, given)
    busy = f"The load average on {os.cpu_count()} cores was {os.getloadavg()[0]:.1f}, our own processes included"
    api = f"an API on the loopback interface that takes {given.latency * 1000:.0f} ms for each request"
    about = f"A server of {given.tools} tools; {api}. {busy}:"
    text = "\n".join(
        [
            *textwrap.wrap(about, 128),
            "",
            "| run | wall-clock time | processor time | requests |",
            "| --- | --- | --- | --- |",
            *rows,
            without,
            "",
        ]
    )
    print(text)
    if given.write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
