"""`mcp-review` as an agent on trial has it: the command of this checkout, with a note of each call.

    python evals/agent/entry_point.py MEASURED [ARGUMENT ...]

MEASURED is the folder that takes the notes (`calls`, a JSON object on each line) and the remembered verdicts (`cache`).
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def command(cache: Path) -> tuple[list[str], dict[str, str]]:
    """Return the command and its environment; `-P` keeps what lies in the current folder from being imported."""
    return [sys.executable, "-P", "-m", "reviewer"], {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MCP_REVIEW_CACHE": str(cache),
    }


def main(measured: Path, arguments: list[str]) -> int:
    """Run the command, and take down when, for how long, with what and how it ended, and how much it said and was given."""
    asked, environment = command(measured / "cache")
    at = time.time()
    done = subprocess.run([*asked, *arguments], env=environment, capture_output=True, check=False)
    for stream, text in ((sys.stdout, done.stdout), (sys.stderr, done.stderr)):
        stream.buffer.write(text)
        stream.flush()
    files = (Path(each) for each in arguments if each.endswith((".json", ".txt")))
    exchanged = len(done.stdout) + len(done.stderr) + sum(each.stat().st_size for each in files if each.is_file())
    note = {"at": at, "seconds": time.time() - at, "arguments": arguments, "code": done.returncode, "bytes": exchanged}
    with (measured / "calls").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps(note) + "\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
