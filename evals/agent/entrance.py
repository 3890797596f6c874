"""`mcp-review` as an agent on trial has it: the command of this checkout, with a note of each call.

    python evals/agent/entrance.py MEASURED [ARGUMENT ...]

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
    """Give the command and its environment; `-P` keeps what lies in the current folder from being imported."""
    return [sys.executable, "-P", "-m", "reviewer"], {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MCP_REVIEW_CACHE": str(cache),
    }


def main(measured: Path, arguments: list[str]) -> int:
    """Run the command, and take down when, for how long, with what and how it ended."""
    asked, environment = command(measured / "cache")
    at = time.time()
    code = subprocess.run([*asked, *arguments], env=environment, check=False).returncode
    note = {"at": at, "seconds": time.time() - at, "arguments": arguments, "code": code}
    with (measured / "calls").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps(note) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
