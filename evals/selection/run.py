"""Whether a model chooses the right tools of real servers, and whether what we find predicts which it does not.

    python evals/selection/run.py begin WORK SERVER... [--crowd] [--hide-names] [--narrow-tasks]
                                                                     make the folder of a run, with the servers that it is about
    python evals/selection/run.py export WORK                        write what is to be asked next, a file for each agent
    python evals/selection/run.py import WORK ANSWERS... [--settle]  take in what agents answered; keep what tasks there are, and
                                                                     ask no more for those that were thrown away
    python evals/selection/run.py score WORK                         count, and keep: evals/selection/results.json
    python evals/selection/run.py report [--write evals/results/selection.md] write the page's tables

WORK holds all of a run: answers, tasks, and in `rewrites/SERVER.json` other descriptions by the names of tools, if there are any.
Each export writes what is open by then into `WORK/questions/`: first what tasks are to be made of, then, once tasks are there,
what is to be chosen. Have each file answered by a fresh agent that sees this file only, and import what it writes. The files are
those of `mcp-review select export` and `import`, of several servers at once.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, TypedDict

from predicting import page, scored

from reviewer.budget import spending
from reviewer.config import Flags
from reviewer.failures import collected
from reviewer.judge.documents import read_document
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import ProjectReading, read
from reviewer.selection import tasks as listed
from reviewer.selection.asking import AnswerPieces, Asking
from reviewer.selection.choosing import ChoicePacket
from reviewer.selection.exchange import SelectionExport, SelectionImport, SelectionRepliesV1, export_requests
from reviewer.selection.judge_session import remembering
from reviewer.selection.offered import Offered
from reviewer.selection.packets import Packet, iter_packets
from reviewer.selection.running import SelectionPlan, SelectionResults, choose, make_tasks
from reviewer.selection.tasks import Rejected
from reviewer.selection.together import connect_server

RESULT = Path(__file__).parent / "results.json"
MARKS = (
    "<!-- selection: written by `python evals/selection/run.py report --write evals/results/selection.md` -->",
    "<!-- end of selection -->",
)

PER_TOOL, LOTS, TOGETHER = 2, 3, 100
"""Tasks for each tool, lots in which descriptions are taken away, and what is asked in one request."""

LARGEST = 150_000
MOST = {"tasks": 45, "choices": 100}
"""Characters of a file, and what is asked in it: what an agent reads and answers with care in one sitting."""


@dataclass
class Server:
    """One server of a run, with what is asked of it."""

    name: str
    reading: ProjectReading
    tools: list[Offered]
    tasks: Path
    plan: SelectionPlan

    @property
    def texts(self) -> Mapping[str, str]:
        """The other descriptions."""
        return self.plan.texts


class Run(TypedDict):
    """What a run is: its servers, and how they are listed. In a crowd, the tools of all of them stand in one list."""

    servers: list[str]
    crowd: bool
    hidden: bool
    narrow: bool


def begin(work: Path, given: list[Path], *, crowd: bool, hidden: bool, narrow: bool) -> int:
    """Make the folder of a run."""
    work.mkdir(parents=True, exist_ok=True)
    run: Run = {
        "servers": [str(each.resolve()) for each in given],
        "crowd": crowd,
        "hidden": hidden,
        "narrow": narrow,
    }
    (work / "run.json").write_text(json.dumps(run, indent=1), "utf-8")
    return 0


def told(work: Path) -> Run:
    """Read what a run is."""
    found: Run = json.loads((work / "run.json").read_text("utf-8"))
    return found


def servers(work: Path, stack: ExitStack) -> Iterator[Server]:
    """Read the servers of a run, each for as long as the stack lasts."""
    run = told(work)
    readings, each = {}, {}
    for path in map(Path, run["servers"]):
        with collected():
            readings[path] = read(path, Flags(isolated=True))
            with spending(readings[path].budget):
                each[path] = connect_server(readings[path].project, path.name.partition("@")[0])
    for path, reading in readings.items():
        stack.enter_context(collected())
        stack.enter_context(spending(reading.budget))
        name = path.name.partition("@")[0]
        texts = work / "rewrites" / f"{name}.json"
        found = json.loads(texts.read_text("utf-8")) if texts.exists() else {}
        plan = SelectionPlan(
            PER_TOOL,
            orders=1,
            taken_away=not run["crowd"],
            lots=None if run["crowd"] else LOTS,
            texts={name: text for name, text in found.items() if name in {one.name for one in each[path].tools}},
            beside=tuple(one for other, one in each.items() if other != path) if run["crowd"] else (),
            server=each[path].name,
            hidden=run["hidden"],
            narrow=run["narrow"],
        )
        yield Server(name, reading, list(each[path].tools), work / "tasks" / f"{name}.json", plan)


def select(
    work: Path, answers: AnswerPieces, *, anew: bool = False, keep: bool = False, settle: bool = False
) -> Iterator[tuple[Server, SelectionResults]]:
    """Run the selections of all servers by one who answers: tasks first, and choices where a server's tasks are there."""
    os.environ["MCP_REVIEW_CACHE"] = str(work / "cache")
    with ExitStack() as stack:
        memory = stack.enter_context(remembering(JudgeSettings("host"), lambda line: print(line, file=sys.stderr)))
        asking = Asking(answers, memory, anew=anew)
        for server in servers(work, stack):
            rejected: tuple[Rejected, ...] = ()
            if not server.tasks.exists():
                found = make_tasks(server.tools, server.reading.read_code, server.plan, asking)
                rejected = found.rejected
                open_ = any(not each.text for each in rejected)  # what was thrown away is asked for once more
                if keep and found.tasks and (settle or not open_):
                    server.tasks.parent.mkdir(exist_ok=True)
                    listed.write(server.tasks, found.tasks)
            tasks = listed.read(server.tasks) if server.tasks.exists() else []
            results = choose(server.tools, tasks, server.plan, asking) if tasks else []
            yield server, SelectionResults(tuple(server.tools), tuple(tasks), tuple(results), rejected)


def sitting(packet: Packet[Any], met: dict[tuple[str, str], list[str]], server: str) -> str:
    """Tell with which others a request may be answered: never two lists of one server that tell different things."""
    if not isinstance(packet, ChoicePacket):
        return "tasks"
    variant = packet.pieces[0].listing.variant
    kind = variant.partition(" ")[0] if variant.startswith("without") else variant
    numbers = met.setdefault((server, kind), [])
    if variant not in numbers:
        numbers.append(variant)
    return f"{kind} {numbers.index(variant) + 1}".replace(" ", "-")


def export(work: Path) -> int:
    """Write what is open, a file for each agent."""
    seed = token_hex(16)
    met: dict[tuple[str, str], list[str]] = {}
    groups: defaultdict[str, list[Packet[Any]]] = defaultdict(list)
    taken = SelectionExport(TOGETHER, seed)
    for server, _ in select(work, taken):
        for packet in taken.taken:
            groups[sitting(packet, met, server.name)].append(packet)
        taken.taken.clear()
    folder = work / "questions"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for kind, found in groups.items():
        # in a crowd all servers' tasks are chosen for among the same tools: the list is shown once
        pieces = [piece for each in found for piece in each.pieces]
        together = list(iter_packets(pieces, type(found[0]), seed, TOGETHER))
        for number, part in enumerate(parts(together, MOST["tasks" if kind == "tasks" else "choices"]), 1):
            document = export_requests(part, seed)
            text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
            file = folder / f"{kind}-{number}.json"
            file.write_text(text, "utf-8")
            count = sum(len(each.pieces) for each in part)
            print(
                f"{file}: {len(part)} requests, {count} {'choices' if kind != 'tasks' else 'tools'}, {len(text):,} characters"
            )
    return 0


def parts(packets: list[Packet[Any]], most: int) -> Iterator[list[Packet[Any]]]:
    """Divide requests into files."""
    part: list[Packet[Any]] = []
    for each in packets:
        pieces, size = sum(len(one.pieces) for one in [*part, each]), sum(len(one.user) for one in [*part, each])
        if part and (size > LARGEST or pieces > most):
            yield part
            part = []
        part.append(each)
    if part:
        yield part


def take(work: Path, files: list[Path], *, settle: bool) -> int:
    """Take in answers, server by server: each finds its own among them."""
    given = SelectionImport([read_document(SelectionRepliesV1, file) for file in files])
    for server, selection in select(work, given, anew=True, keep=not given.chooses, settle=settle):
        done = ", ".join(f"{each.variant} {len(each.answered)} of {len(each.outcomes)}" for each in selection.results)
        thrown = [each for each in selection.rejected if each.text]
        print(f"{server.name}: {len(selection.tasks)} tasks, {len(thrown)} thrown away; chosen: {done or 'nothing'}")
        for each in thrown:
            print(f"  {each.tool}: {each.why}: {each.text[:160]}")
    return 0


def score(work: Path) -> int:
    """Count, and keep the counts."""

    def nobody(_pieces: Any, _make: Any) -> Iterator[Any]:
        yield from ()

    result = scored((each.name, each.reading, selection, each.texts) for each, selection in select(work, nobody))
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in result["servers"])
    RESULT.write_text(f'{{"version": 1, "servers": [\n{lines}\n]}}\n', "utf-8")
    print(RESULT)
    return 0


def report(write: Path | None) -> int:
    """Write the tables into the page, or print them."""
    text = page(json.loads(RESULT.read_text("utf-8")))
    if write is None:
        print(text, end="")
        return 0
    old = write.read_text("utf-8")
    head, tail = old.partition(MARKS[0])[0], old.partition(MARKS[1])[2]
    write.write_text(f"{head}{MARKS[0]}\n{text}{MARKS[1]}{tail}", "utf-8")
    return 0


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("begin", "export", "import", "score"):
        one = commands.add_parser(name)
        one.add_argument("work", type=Path)
        if name in ("begin", "import"):
            one.add_argument("files", type=Path, nargs="+")
        if name == "import":
            one.add_argument("--settle", action="store_true")
        if name == "begin":
            for option in ("crowd", "hide-names", "narrow-tasks"):
                one.add_argument(f"--{option}", action="store_true")
    commands.add_parser("report").add_argument("--write", type=Path)
    given = parser.parse_args()
    does: dict[str, Callable[[], int]] = {
        "begin": lambda: begin(
            given.work, given.files, crowd=given.crowd, hidden=given.hide_names, narrow=given.narrow_tasks
        ),
        "export": lambda: export(given.work),
        "import": lambda: take(given.work, given.files, settle=given.settle),
        "score": lambda: score(given.work),
        "report": lambda: report(given.write),
    }
    return does[given.command]()


if __name__ == "__main__":
    sys.exit(main())
