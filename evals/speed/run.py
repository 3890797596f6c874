"""How long a review takes, beside `ast-grep` with an equivalent search and beside parsing alone.

    python evals/speed/run.py PATH [PATH ...] [--runs 7]

For each tree, in one run and in turns: our whole command, `ast-grep` (PyPI `ast-grep-cli`, the extra `eval`) searching the same
folder for the forms that declare tools, and a process that parses with tree-sitter alone the files that our
review parses. Prints medians of wall time in seconds, and our ratio to each of the two.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from reviewer.files import find
from reviewer.languages import relevant

RULES = """
id: python-tools
language: python
rule:
  any:
    - pattern: $X.tool($$$)
    - pattern: $X.add_tool($$$)
    - pattern: $X.list_tools()
    - pattern: Tool($$$)
    - pattern: FastMCP($$$)
    - pattern: MCPServer($$$)
    - pattern: $X.run($$$)
---
id: rust-tools
language: rust
rule:
  any:
    - kind: attribute_item
      regex: tool
    - pattern: Tool::new($$$)
    - pattern: ActionSpec { $$$ }
    - pattern: impl Tool for $X { $$$ }
    - pattern: impl ServerHandler for $X { $$$ }
    - pattern: stdio()
"""

PARSE = """
import json, sys
from pathlib import Path
from reviewer.languages.nodes import parse
from reviewer.source import Source
for path, language in json.load(sys.stdin):
    parse(Source(path, Path(path).read_bytes()), language)
"""


def relevant_files(path: str) -> str:
    """List the files that a review of a tree parses, each with its language, as JSON."""
    tree = find(Path(path))
    return json.dumps([(str(tree.root / source.path), language) for language, source in relevant(tree)])


def commands(path: str) -> dict[str, list[str]]:
    """Give the three commands for a tree."""
    scripts = Path(sys.executable).parent
    return {
        "mcp-review": [str(scripts / "mcp-review"), path],
        "ast-grep": [str(scripts / "ast-grep"), "scan", "--inline-rules", RULES, path],
        "parsing": [sys.executable, "-c", PARSE],
    }


def seconds(command: list[str], handed: str) -> float:
    """Time one run of a command, its output discarded."""
    start = time.perf_counter()
    subprocess.run(command, input=handed, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def measure(path: str, runs: int) -> dict[str, float]:
    """Give the median of each command over some runs, taken in turns after one that warms the disk."""
    handed = relevant_files(path)
    timed: dict[str, list[float]] = {name: [] for name in commands(path)}
    for turn in range(runs + 1):
        for name, command in commands(path).items():
            elapsed = seconds(command, handed if name == "parsing" else "")
            if turn:
                timed[name].append(elapsed)
    return {name: statistics.median(each) for name, each in timed.items()}


def main() -> None:
    """Print one row a tree."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="+")
    arguments.add_argument("--runs", type=int, default=7)
    given = arguments.parse_args()
    print("| tree | files | mcp-review | ast-grep | parsing alone | ours / ast-grep | ours / parsing |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for path in given.paths:
        files = sum(1 for each in Path(path).rglob("*") if each.suffix in (".py", ".rs"))
        median = measure(path, given.runs)
        ours = median["mcp-review"]
        print(
            f"| {Path(path).resolve().name} | {files} | {ours:.2f} s | {median['ast-grep']:.2f} s | {median['parsing']:.2f} s"
            f" | {ours / median['ast-grep']:.2f} | {ours / median['parsing']:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
