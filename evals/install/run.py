"""How long it takes from an empty machine to the first finding, in one line.

    python evals/install/run.py [--runs 3] [--write evals/results/installation.md]

Builds the wheel, then runs each line in a home of its own with nothing in it: no cache, no environment, no bytecode. Packages
come from the index that the machine is set to, over its network, which is most of the time. A way whose command is not on PATH
is said to be left out. Exits with 1 if a way takes longer than two minutes, or does not print the finding that must be there.
"""

import argparse
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "examples/notes-python"
FINDING = "notes/server.py:41 tool name `read_note` is registered twice"
MOST = 120.0
BEGIN, END = (
    "<!-- install: written by `python evals/install/run.py --write evals/results/installation.md` -->\n",
    "<!-- end of install -->",
)
WAYS = {
    "uvx": "uvx --from {wheel} mcp-review {server}",
    "pipx": "pipx run --spec {wheel} mcp-review {server}",
    "python3": "python3 -m venv .venv && .venv/bin/pip install -q {wheel} && .venv/bin/mcp-review {server}",
}
OURS = (
    "PIP_FIND_LINKS",
    "UV_FIND_LINKS",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYTHONPYCACHEPREFIX",
    "PYTHONDONTWRITEBYTECODE",
)
"""What this machine may know beforehand and an empty one does not."""


def wheel(folder: Path) -> Path:
    """Build the wheel."""
    built = [sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(built, check=True)
    return next(folder.glob("mcp_review-*.whl"))


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a machine on which nothing was installed or kept."""
    kept = {
        name: value for name, value in os.environ.items() if name not in OURS and not name.startswith(("XDG_", "PIPX_"))
    }
    caches = {"UV_CACHE_DIR": home / "uv", "PIP_CACHE_DIR": home / "pip", "PIPX_HOME": home / "pipx"}
    return kept | {name: str(folder) for name, folder in caches.items()} | {"HOME": str(home), "UV_NO_CONFIG": "1"}


def worked() -> float:
    """Return the seconds that processors have worked for the lines so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(line: str, built: Path) -> tuple[float, float]:
    """Time one line from an empty home to the report, by the clock and by what processors worked.

    Ends the program if the finding is not in the report.
    """
    with TemporaryDirectory() as home:
        copy = shutil.copy(built, home)
        asked = line.format(wheel=shlex.quote(str(copy)), server=shlex.quote(str(SERVER)))
        start, before = time.perf_counter(), worked()
        done = subprocess.run(
            asked, shell=True, cwd=home, env=environment(Path(home)), capture_output=True, text=True, check=False
        )
        elapsed = time.perf_counter() - start
    if done.returncode != 1 or FINDING not in done.stdout:
        raise SystemExit(f"{line}: exit code {done.returncode}\n{done.stderr}")
    return elapsed, worked() - before


def table(timed: dict[str, list[tuple[float, float]]], left_out: list[str]) -> str:
    """Write the figures in Markdown."""
    rows = []
    for name, each in timed.items():
        clock, work = zip(*each, strict=True)
        line = WAYS[name].format(wheel="WHEEL", server="SERVER")
        figures = (f"{seconds:.0f} s" for seconds in (statistics.median(clock), max(clock), statistics.median(work)))
        rows.append(f"| `{line}` | {' | '.join(figures)} |")
    busy = f"\nThe load average on {os.cpu_count()} cores was {os.getloadavg()[2]:.1f}, our own processes included."
    missing = [f"\nNot measured, for it is not on this machine: {', '.join(left_out)}."] if left_out else []
    head = ["| line | median | slowest | processor time |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows, busy, *missing]) + "\n"


def main() -> int:
    """Time every way, print the figures, and write them where asked."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    here = [name for name in WAYS if shutil.which(name)]
    with TemporaryDirectory() as folder:
        built = wheel(Path(folder))
        timed = {name: [seconds(WAYS[name], built) for _ in range(given.runs)] for name in here}
    figures = table(timed, [name for name in WAYS if name not in here])
    print(figures, end="")
    if given.write is not None:
        before, begin, rest = given.write.read_text("utf-8").partition(BEGIN)
        if not begin:
            raise SystemExit(f"{given.write}: there is no place for it: {BEGIN.strip()}")
        given.write.write_text(before + begin + figures + "".join(rest.partition(END)[1:]), "utf-8")
    return int(any(statistics.median(clock for clock, _ in each) > MOST for each in timed.values()))


if __name__ == "__main__":
    sys.exit(main())
