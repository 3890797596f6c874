"""Lower real code and say what could not be: python evals/lowering/run.py FOLDER... [--by-folder] [--markdown].

Each FOLDER has files of one or more languages. All functions of all files are lowered, those in functions too. Prints for each
language the files, lines, functions and nodes of the intermediate representation, how many of these are `Unknown` and of which
kind, the failures, and the microseconds of processor time that lowering takes for a line of source, parsing left out.
"""

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node

from reviewer.code import ir
from reviewer.facts import Language
from reviewer.files.discovery import SCRIPTS
from reviewer.languages.nodes import parse
from reviewer.source import Source

LARGEST = 2_000_000
"""Bytes of a file; larger ones are data."""


def _python(source: Source, root: Node) -> ir.Code:
    from reviewer.languages.python.lowering import lower_module

    return lower_module(source, root)


def _rust(source: Source, root: Node) -> ir.Code:
    from reviewer.languages.rust.lowering import lower_module

    return lower_module(source, root)


def _typescript(source: Source, root: Node) -> ir.Code:
    from reviewer.languages.typescript.lowering import lower_module

    return lower_module(source, root)


LOWERINGS: dict[str, tuple[Language, Callable[[Source, Node], ir.Code]]] = {
    ".py": ("python", _python),
    ".rs": ("rust", _rust),
    **dict.fromkeys(SCRIPTS, ("typescript", _typescript)),
}


@dataclass(slots=True)
class Count:
    """What came of the files of one language."""

    files: int = 0
    lines: int = 0
    functions: int = 0
    nodes: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0

    def add(self, other: "Count") -> None:
        """Add what came of other files."""
        self.files += other.files
        self.lines += other.lines
        self.functions += other.functions
        self.nodes += other.nodes
        self.unknown += other.unknown
        self.failures += other.failures
        self.seconds += other.seconds

    @property
    def share(self) -> float:
        """The unknown nodes in a hundred."""
        return 100 * sum(self.unknown.values()) / max(self.nodes, 1)

    @property
    def pace(self) -> float:
        """Microseconds a line."""
        return 1e6 * self.seconds / max(self.lines, 1)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in LOWERINGS and path.is_file() and path.stat().st_size <= LARGEST:
            yield path


def _nodes(code: ir.Code) -> Iterator[ir.Expression | ir.Statement]:
    made_with = [each.default for each in code.parameters if each.default is not None]
    for value in made_with + [each.value for each in code.bases]:
        yield value
        yield from ir.iter_expressions(value)
    for statement in ir.iter_statements(code.body):
        yield statement
        yield from ir.iter_expressions(statement)


def measure(path: Path) -> Count:
    """Lower a file."""
    language, lower = LOWERINGS[path.suffix]
    source = Source(str(path), path.read_bytes())
    found = Count(files=1, lines=source.data.count(b"\n") + 1)
    root = parse(source, language)
    try:
        pending = [lower(source, root)]
        while pending:
            code = pending.pop()
            start = time.process_time()
            _ = code.body
            found.seconds += time.process_time() - start
            found.functions += code.kind not in ("module", "class")
            for node in _nodes(code):
                found.nodes += 1
                if isinstance(node, ir.Unknown):
                    found.unknown[node.reason] += 1
                elif isinstance(node, ir.Closure):
                    pending.append(node.code)
    except Exception:
        found.failures.append(f"{path}: {traceback.format_exc(limit=-3)}")
    return found


def main() -> None:
    """Lower the files of some folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--by-folder", action="store_true", help="say it for each folder too")
    given = parser.parse_args()
    totals: dict[str, Count] = {}
    for folder in given.folders:
        here: dict[str, Count] = {}
        for path in _files(folder):
            found = measure(path)
            here.setdefault(LOWERINGS[path.suffix][0], Count()).add(found)
        for language, count in here.items():
            totals.setdefault(language, Count()).add(count)
            if given.by_folder:
                print(_line(folder.name, count), flush=True)
    print("| | files | lines | functions | nodes | unknown | failures | µs a line |")
    for language, count in totals.items():
        print(_line(language, count))
    for language, count in totals.items():
        print(f"\n{language}: unknown nodes by kind")
        for kind, number in count.unknown.most_common():
            print(f"| `{kind}` | {number} | {100 * number / max(count.nodes, 1):.3f} % |")
        for failure in count.failures[:20]:
            print(failure)


def _line(name: str, count: Count) -> str:
    return (
        f"| {name} | {count.files:,} | {count.lines:,} | {count.functions:,} | {count.nodes:,} | {count.share:.2f} % |"
        f" {len(count.failures)} | {count.pace:.1f} |"
    )


if __name__ == "__main__":
    main()
