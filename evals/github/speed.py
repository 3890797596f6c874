"""Times the action on a small server, as a runner would run it: nothing is installed, and then with the wheels kept.

    PYTHONPATH=. python evals/github/speed.py [--write evals/results/speed.md]

Prints seconds of wall time, and of the processor. Both are this machine's.
"""

import argparse
import os
import platform
import re
import resource
import sys
import time
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory

from tests.github.runner import Runner

ROOT = Path(__file__).parent.parent.parent
SERVER = ROOT / "examples/notes-python"
TABLE = re.compile(r"(?<=<!-- speed -->\n).*?(?=<!-- end of speed -->)", re.DOTALL)


def timed(workspace: Path, temp: Path) -> tuple[float, float]:
    """Run the action once. Return the seconds that passed, and those that the processor worked."""
    event = temp / "event.json"
    event.write_text('{"ref": "refs/heads/main"}')
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    own["MCP_REVIEW_NO_CACHE"] = "1"  # a job has no review of another one
    variables = {**own, "RUNNER_TEMP": str(temp), "GITHUB_EVENT_PATH": str(event), "GITHUB_REPOSITORY": "o/r"}
    runner = Runner(
        ROOT / "action.yml", workspace, temp, {"action_path": str(ROOT)}, variables, {"setup": {}, "kept": {}}
    )
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    code = runner.run(comment="false", inline="false")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code > 1:
        sys.exit(runner.log)
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table() -> str:
    """Measure, and return a table in Markdown."""
    rows = []
    with TemporaryDirectory() as folder:
        workspace, temp = Path(folder, "work"), Path(folder, "temp")
        copytree(SERVER, workspace)
        temp.mkdir()
        for what in ("no cache: wheels are downloaded", "wheels cached by an earlier run"):
            wall, cpu = timed(workspace, temp)
            rows.append(f"| {what} | {wall:.1f} | {cpu:.1f} |\n")
            for each in temp.glob("mcp-review.*"):
                rmtree(each)
    machine = (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    )
    load = f"load {os.getloadavg()[0]:.0f} from other work" if os.getloadavg()[0] > 1 else "otherwise idle"
    return f"On {machine}, {load}:\n\n| | seconds | processor seconds |\n| --- | --- | --- |\n{''.join(rows)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    target = parser.parse_args().write
    measured = table()
    print(measured)
    if target is not None:
        target.write_text(TABLE.sub(lambda _: measured, target.read_text("utf-8")), "utf-8")
