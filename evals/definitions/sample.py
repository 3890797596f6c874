"""Findings under `core` on the captured servers, drawn for a reader to judge: errors and warnings first, then
suggestions, of each rule in turn.

    python evals/definitions/sample.py [--shared FOLDER] [--size 100] [--seed 1]

Prints of each its number, severity, rule, server, tool and message, and the part of the definition that it stands at.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cases import facts, findings, load
from run import SHARED

from reviewer.rules import Severity

LONGEST = 900
"""Characters of a definition that are shown."""


def drawn(shared: Path, size: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield a line for each finding drawn, and the definition of its tool."""
    found = []
    for case in load(shared):
        project = facts(case)
        tools = project.servers[0].tools
        for each in findings(project, "core"):
            index = next(at for at, tool in enumerate(tools) if tool.span.holds(each.span))
            line = f"{each.severity.value} {each.rule.slug} | {case.name} | {each.message}"
            found.append(
                (each.severity is Severity.SUGGESTION, each.rule.slug, line, json.dumps(case.tools[index])[:LONGEST])
            )
    random.Random(seed).shuffle(found)
    turns: Counter[str] = Counter()
    ranked = []
    for light, slug, line, definition in found:
        turns[slug] += 1
        ranked.append((light, turns[slug] if light else 0, line, definition))
    for *_, line, definition in sorted(ranked, key=lambda each: each[:2])[:size]:
        yield line, definition


def main() -> int:
    """Print the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for number, (line, definition) in enumerate(drawn(arguments.shared, arguments.size, arguments.seed), 1):
        print(f"{number}. {line}\n   {definition}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
