"""Run the handlers of real servers and say how far it came: python evals/lowering/handlers.py FOLDER... [--unresolved 40]

Each FOLDER is a tree in Rust. Every function to which the calls of tools come is run. Prints for each tree the handlers, the
crashes, the statements that were visited, what its calls are resolved to, and the seconds of processor time: for reading the
servers, and for running. A place in the source is counted once, by the best that is known of it in any run:

- `project`: a function or a type of the project;
- `row`: a function of a library that has a row in the tables of models, by its whole path;
- `no row`: one that has none;
- `by name`: a method of an object of unknown type, whose name has a row;
- `unknown`: any other.
"""

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from reviewer.code.events import Called, Entered, Event, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.models import Models
from reviewer.code.values import Class, Function, Library
from reviewer.files.discovery import discover_files
from reviewer.languages.rust.behaviour.isolation import with_entries
from reviewer.languages.rust.behaviour.serving import with_branches
from reviewer.languages.rust.behaviour.tracing import get_program, iter_handlers, trace_code
from reviewer.languages.rust.declarations.servers import find_servers
from reviewer.languages.rust.reading import build_index

Resolution = Literal["project", "row", "no row", "by name", "unknown"]
ORDER: tuple[Resolution, ...] = get_args(Resolution)


@dataclass(slots=True)
class Count:
    """What came of the handlers of one tree."""

    handlers: int = 0
    statements: int = 0
    calls: Counter[Resolution] = field(default_factory=Counter)
    unresolved: Counter[str] = field(default_factory=Counter)
    places: dict[str, str] = field(default_factory=dict)
    """Where each of them stands for the first time."""
    omissions: Counter[str] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    reading: float = 0
    running: float = 0

    def add(self, other: "Count") -> None:
        """Add what came of another tree."""
        self.handlers += other.handlers
        self.statements += other.statements
        self.calls += other.calls
        self.unresolved += other.unresolved
        self.places = other.places | self.places
        self.omissions += other.omissions
        self.crashes += other.crashes
        self.reading += other.reading
        self.running += other.running


def measure(folder: Path) -> Count:
    """Run the handlers of a tree."""
    found = Count()
    start = time.process_time()
    items, _ = build_index(discover_files(folder))
    served = with_branches(items, with_entries(items, find_servers(items)))
    program = get_program(items)
    found.reading = time.process_time() - start
    start = time.process_time()
    traces: list[Trace] = []
    for function in iter_handlers(items, served):
        run = Interpreter(program, summaries=program.summaries)
        found.handlers += 1
        try:
            traces.append(trace_code(run, program.find_code_at(function.path, function.node)))
        except Exception:
            found.crashes.append(f"{function.path} {function.name}: {traceback.format_exc(limit=-4)}")
        found.statements += run.spent
    found.running = time.process_time() - start
    _resolve(found, traces, program.models)
    return found


def _resolve(found: Count, traces: list[Trace], models: Models) -> None:
    best: dict[tuple[str, int, int], tuple[Resolution, Called]] = {}
    for event in _events(traces, found.omissions):
        if isinstance(event, Called):
            key = (event.code.source.path, event.at.start, event.at.end)
            resolution = _resolution(event, models)
            if key not in best or ORDER.index(resolution) < ORDER.index(best[key][0]):
                best[key] = resolution, event
    for resolution, event in best.values():
        found.calls[resolution] += 1
        if resolution in ("no row", "by name", "unknown"):
            name = f"{resolution}: {event.path or '(a value)'}"
            found.unresolved[name] += 1
            found.places.setdefault(
                name, f"{event.text.span.path}:{event.text.span.line} {' '.join(event.text.split())[:100]}"
            )


def _events(traces: list[Trace], omissions: Counter[str]) -> Iterator[Event]:
    """Yield the events of some traces and of what is called in them, each once; count what was not followed."""
    seen: set[int] = set()
    pending = list(traces)
    while pending:
        trace = pending.pop()
        if id(trace) in seen:
            continue
        seen.add(id(trace))
        omissions.update(each.reason for each in trace.omissions)
        for event in trace.events:
            yield event
            if isinstance(event, Entered):
                pending.append(event.trace)


def _resolution(event: Called, models: Models) -> Resolution:
    if event.followed or any(isinstance(each, Function | Class) for each in event.callee.things):
        return "project"
    known = models.find_model(event.path) is not None
    if any(isinstance(each, Library) for each in event.callee.things):
        return "row" if known else "no row"
    return "by name" if known and event.path.startswith(".") else "unknown"


def main() -> None:
    """Run the handlers of some trees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument(
        "--unresolved", type=int, default=0, metavar="N", help="list the N most frequent unresolved calls"
    )
    given = parser.parse_args()
    total = Count()
    print("| tree | handlers | crashes | statements | calls | " + " | ".join(ORDER) + " | reading | running |")
    print("|" + " --- |" * (7 + len(ORDER)))
    for folder in given.folders:
        count = measure(folder)
        if count.handlers:
            total.add(count)
            print(_line(folder.name, count), flush=True)
    print(_line("all", total))
    for reason, number in total.omissions.most_common():
        print(f"not followed: {reason}: {number}")
    for name, number in total.unresolved.most_common(given.unresolved):
        print(f"{number:6} {name:50} {total.places[name]}")
    for crash in total.crashes:
        print(crash)


def _line(name: str, count: Count) -> str:
    calls = sum(count.calls.values())
    shares = " | ".join(f"{100 * count.calls[each] / max(calls, 1):.1f} %" for each in ORDER)
    return (
        f"| {name} | {count.handlers:,} | {len(count.crashes)} | {count.statements:,} | {calls:,} | {shares} |"
        f" {count.reading:.1f} s | {count.running:.1f} s |"
    )


if __name__ == "__main__":
    main()
