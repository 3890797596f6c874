"""Counts the files of `reviewer/` that three flows go through: a finding, a fix, a judged question.

    python evals/structure/walk.py [--files]

Each flow is one command on a server of 14 lines, from its path to the printed line, in a process of its own. A file is visited if
a function of it runs; what runs only because a module is imported (tables, decorators) does not count. Loaded are the modules
that the command imports. The figures: evals/results/structure.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SERVER = '''"""Notes."""

import os

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

mcp = FastMCP("notes")


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
def drop_note(name: str) -> None:
    """Drops a note for good."""
    os.remove(f"notes/{name}")
'''

ONE_LINE = ("--format", "concise")
FLOWS = {
    "a finding": ("server.py", "--select", "read-only-claim-untrue", *ONE_LINE),
    "a fix": ("server.py", "--select", "tool-without-destructive-hint", "--fix", *ONE_LINE),
    "a judged question": (
        *("server.py", "--select", "description-without-occasion", *ONE_LINE),
        *("--judge", "replay", "--verdicts", "verdicts.json"),
    ),
    "all rules, as text": ("server.py",),
}

RECORDING = """
import json
from pathlib import Path

from reviewer.config import Flags
from reviewer.judge.exchange import QuestionExport
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import read, run_rules

export = QuestionExport(print)
flags = Flags(judge=JudgeSettings("host", remember=False))
run_rules(read(Path("server.py"), flags), flags, export.open_judge)
verdict = {"verdict": "not_met", "quote": "", "why": "it does not say when", "model": "recorded"}
keys = [posed.key for request in export.question_requests for posed in request.posed]
Path("verdicts.json").write_text(json.dumps({"version": 1, "verdicts": dict.fromkeys(keys, verdict)}))
"""
"""Writes a verdict on every question, which is then replayed."""

COUNTING = """
import json, os, sys, threading

ROOM = f"{os.sep}reviewer{os.sep}"
visited, importing = set(), [0]


def note(frame, event, _argument):
    code = frame.f_code
    if event not in ("call", "return") or ROOM not in code.co_filename:
        return
    if code.co_name == "<module>":
        importing[0] += 1 if event == "call" else -1
    elif not importing[0] and code.co_flags & 1:  # a function; bodies of classes have no optimized variables
        visited.add(code.co_filename.rpartition(ROOM)[2])


def leave(status, end=os._exit):
    sys.setprofile(None)
    loaded = sum(name.partition(".")[0] == "reviewer" for name in sys.modules)
    with open(os.environ["WALKED"], "w") as file:
        json.dump({"visited": sorted(visited), "loaded": loaded}, file)
    end(status)


from reviewer.cli import main

os._exit = leave  # the command ends itself so
threading.setprofile(note)
sys.setprofile(note)
sys.argv[0] = "mcp-review"
leave(main())
"""


def walk(arguments: tuple[str, ...], folder: Path) -> tuple[list[str], int, str]:
    """Return the files that a command visits, how many modules it loads, and what it prints."""
    told = folder / "walked.json"
    environment = {**os.environ, "WALKED": str(told), "XDG_CACHE_HOME": str(folder)}
    command = [sys.executable, "-c", COUNTING, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    found = json.loads(told.read_text())
    return found["visited"], found["loaded"], done.stdout + done.stderr


def main() -> None:
    """Print a row for each flow."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--files", action="store_true", help="name the files and what is printed, too")
    asked = options.parse_args()
    print("| flow | files visited | modules loaded | command |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as made:
        for flow, arguments in FLOWS.items():
            server = SERVER if "--fix" not in arguments else SERVER.replace("readOnlyHint=True", "readOnlyHint=False")
            (Path(made) / "server.py").write_text(server)
            if "replay" in arguments:
                subprocess.run([sys.executable, "-c", RECORDING], cwd=made, check=True)
            visited, loaded, said = walk(arguments, Path(made))
            print(f"| {flow} | {len(visited)} | {loaded} | `mcp-review {' '.join(arguments)}` |")
            if asked.files:
                print(said, *visited, sep="\n")


if __name__ == "__main__":
    main()
