"""How long a review takes, beside `ast-grep` with an equivalent search and beside parsing alone.

    python evals/speed/run.py PATH [PATH ...] [--runs 7]

For each tree, in one run and in turns: our whole command, `ast-grep` (PyPI `ast-grep-cli`, the extra `eval`) searching the same
folder for the forms that declare tools, and a process that parses with tree-sitter alone the files that our byte search finds
relevant. Prints medians of wall time in seconds, and our ratio to each of the two.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

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
import sys
from pathlib import Path
from reviewer.files import find
from reviewer.languages import relevant
from reviewer.languages.nodes import parse
for language, source in relevant(find(Path(sys.argv[1]))):
    parse(source, language)
"""


def commands(path: str) -> dict[str, list[str]]:
    """Give the three commands for a tree."""
    scripts = Path(sys.executable).parent
    return {
        "mcp-review": [str(scripts / "mcp-review"), path],
        "ast-grep": [str(scripts / "ast-grep"), "scan", "--inline-rules", RULES, path],
        "parsing": [sys.executable, "-c", PARSE, path],
    }


def seconds(command: list[str]) -> float:
    """Time one run of a command, its output discarded."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def measure(path: str, runs: int) -> dict[str, float]:
    """Give the median of each command over some runs, taken in turns after one that warms the disk."""
    timed: dict[str, list[float]] = {name: [] for name in commands(path)}
    for turn in range(runs + 1):
        for name, command in commands(path).items():
            elapsed = seconds(command)
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
