"""How long a review takes, beside `ast-grep` with an equivalent search and beside parsing alone.

    python evals/speed/run.py PATH [PATH ...] [--runs 7] [--profile NAME] [--cpu]

For each tree, in one run and in turns: our whole command, `ast-grep` (PyPI `ast-grep-cli`, the group `eval`) searching the same
folder for the forms that declare tools, and two processes that parse with tree-sitter alone: the files that our
review parses under that profile, and all that it reads. Prints medians of wall time in seconds, and our ratios; with
`--cpu` the time that the processors worked, which other work on the same machine hardly changes.
"""

import argparse
import contextlib
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reviewer import CannotReviewError, Flags, review
from reviewer.files.discovery import SUFFIXES, discover_files
from reviewer.languages import nodes

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
from collections.abc import Callable
from pathlib import Path
from reviewer.languages.nodes import parse
from reviewer.source import Source
for path, language in json.load(sys.stdin):
    parse(Source(path, Path(path).read_bytes()), language)
"""


Files = list[tuple[str, str]]


def read_files(path: str) -> Files:
    """List the files that a review of a tree reads, each with its language."""
    tree = discover_files(Path(path))
    return [(str(tree.root / name), SUFFIXES[Path(name).suffix]) for name in tree.sources]


def parsed_files(path: str, profile: str | None) -> Files:
    """List the files that a review of a tree parses, each with its language, by reviewing it."""
    parsed: list[tuple[bytes, str]] = []
    parsers = nodes._build_parser

    class Recording:
        def __init__(self, language: Any) -> None:
            self.language = language

        def parse(self, data: bytes) -> Any:
            parsed.append((data, self.language))
            return parsers(self.language).parse(data)

    with patch.write_struct(nodes, "_build_parser", Recording), contextlib.suppress(CannotReviewError):
        review(path, Flags(profile=profile))
    tree = discover_files(Path(path), tests=True)
    paths = {source.data: str(tree.root / source.path) for source in tree.sources.values()}
    return [(paths[data], language) for data, language in parsed if data in paths]  # not the types within strings


def commands(path: str, profile: str | None) -> dict[str, list[str]]:
    """Return the commands for a tree."""
    scripts = Path(sys.executable).parent
    return {
        "mcp-review": [str(scripts / "mcp-review"), path, "--no-cache", *(("--profile", profile) if profile else ())],
        "ast-grep": [str(scripts / "ast-grep"), "scan", "--inline-rules", RULES, path],
        "parsing": [sys.executable, "-c", PARSE],
        "parsing all": [sys.executable, "-c", PARSE],
    }


def worked() -> float:
    """Return the seconds that processors have worked for the commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(command: list[str], handed: str, clock: Callable[[], float]) -> float:
    """Time one run of a command, its output discarded."""
    start = clock()
    subprocess.run(command, input=handed, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return clock() - start


def measure(path: str, given: argparse.Namespace, parsed: Files) -> dict[str, float]:
    """Return the median of each command over some runs, taken in turns after one that warms the disk."""
    timed: dict[str, list[float]] = {name: [] for name in commands(path, given.profile)}
    clock = worked if given.cpu else time.perf_counter
    handed = {"parsing": json.dumps(parsed), "parsing all": json.dumps(read_files(path))}
    for turn in range(given.runs + 1):
        for name, command in commands(path, given.profile).items():
            elapsed = seconds(command, handed.get(name, ""), clock)
            if turn:
                timed[name].append(elapsed)
    return {name: statistics.median(each) for name, each in timed.items()}


def main() -> None:
    """Print one row a tree."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="+")
    arguments.add_argument("--runs", type=int, default=7)
    arguments.add_argument("--profile")
    arguments.add_argument("--cpu", action="store_true")
    given = arguments.parse_args()
    others = ("ast-grep", "parsing", "parsing all")
    print(
        f"| tree | files | parsed | mcp-review | {' | '.join(others)} | {' | '.join(f'ours / {each}' for each in others)} |"
    )
    print(f"|{' --- |' * 10}")
    for path in given.paths:
        files = sum(1 for each in Path(path).rglob("*") if each.suffix in (".py", ".rs"))
        parsed = parsed_files(path, given.profile)
        median = measure(path, given, parsed)
        ours = median["mcp-review"]
        cells = [Path(path).resolve().name, str(files), str(len(parsed))]
        cells += [f"{median[name]:.2f} s" for name in ("mcp-review", *others)]
        cells += [f"{ours / median[name]:.2f}" for name in others]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
