"""The product as the fuzzers see it: a case goes in, a report or a refusal comes out, and anything else is a fault."""

import contextlib
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from cases import Case, Memory
from invariants import check, check_catalog, check_command

from reviewer import config
from reviewer.budget import spending
from reviewer.cli.app import run
from reviewer.compare import baseline
from reviewer.compare.changes import Since
from reviewer.failures import DEBUG
from reviewer.files import discovery
from reviewer.files.discovery import DOCUMENTS, CannotReviewError, Tree
from reviewer.fixes.edits import add_fixes
from reviewer.judge.exchange import QuestionExport
from reviewer.judge.importing import QuestionImport
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import Before, ProjectReading, add_excerpts, is_nothing, read_tree, run_rules, score_definitions
from reviewer.render import RENDERERS, catalog, score
from reviewer.report import reader
from reviewer.report.model import Report
from reviewer.source import Source

Outcome = Literal["run_rules", "refused"]
FLAGS = config.Flags()
SHARED_MEMORY = Path("/dev/shm")
"""Where there is a file system in memory, files are written there: it is faster, and wears nothing out."""

HOUSE = b'''"""Notes."""
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
NOTES: dict[str, str] = {}


@mcp.tool()
def list_notes(limit: int = 20) -> list[str]:
    """Lists all the notes."""
    return sorted(NOTES)[:limit]


@mcp.tool()
def delete_note(path: str, command: str = "x") -> str:
    """Do it."""
    NOTES.pop(path)
    return NOTES[path]
'''
"""A server of our own with findings and questions, which configurations, verdicts and baselines speak of."""


def attempt(case: Case, every_format: bool = True) -> Outcome:
    """Put a case before the product. Raises whatever the product raises, and BrokenOutputError for output that is none.

    Unless `every_format`, one format is rendered, chosen by the case's size.
    """
    with _without_net():
        try:
            report, reading = WAYS[case.way](case)
        except CannotReviewError as error:
            str(error).encode("utf-8", "backslashreplace")
            return "refused"
        if report is not None and reading is not None:
            show(report, reading, every_format, case.size)
    return "reviewed"


@contextlib.contextmanager
def _without_net() -> Iterator[None]:
    """Let tracebacks through that a review otherwise contains: each of them is a fault."""
    before = os.environ.get(DEBUG)
    os.environ[DEBUG] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[DEBUG]
        else:
            os.environ[DEBUG] = before


def show(report: Report, reading: ProjectReading, every_format: bool, number: int) -> None:
    """Render a report and check what comes out."""
    report = add_fixes(add_excerpts(report, reading), reading)
    names = list(RENDERERS)
    for name in names if every_format else names[number % len(names) :][:1]:
        check(name, RENDERERS[name](report), report)


Done = tuple[Report | None, ProjectReading | None]


def _read(project: Mapping[str, bytes]) -> ProjectReading:
    tree = Tree(Path("nowhere"), Memory(project))
    name = next(iter(project), "")
    if len(project) == 1 and os.path.splitext(name)[1] in DOCUMENTS:
        tree.sources[name] = Source(name, project[name].removeprefix(discovery.BOM))
    else:
        discovery.fill_tree(tree, (), tests=True)
    return read_tree(tree, config.build_configuration(), FLAGS, "the case")


def _review(case: Case) -> Done:
    reading = _read(case.files)
    if is_nothing(reading.project):
        raise CannotReviewError("no server")
    with spending(reading.budget):
        check_catalog(catalog.render_json([catalog.build_catalog_v1(reading.project)]))
    with contextlib.suppress(CannotReviewError):
        score.RENDERERS["json"](score_definitions(reading))
    return run_rules(reading, FLAGS)[0], reading


def _compare(case: Case) -> Done:
    reading = _read(case.below("head/"))
    if is_nothing(reading.project):
        raise CannotReviewError("no server")
    before = Before(Since("base", "0" * 40), lambda: _read(case.below("base/")), lambda: False)
    return run_rules(reading, FLAGS, None, before)[0], reading


@cache
def house() -> ProjectReading:
    """Return what is read of the server of our own."""
    return _read({"server.py": HOUSE})


@cache
def accepted() -> tuple[Report, frozenset[str]]:
    """Return the report on it, and the rules that ran."""
    report, settings = run_rules(house(), FLAGS)
    return report, frozenset(settings.slugs)


@cache
def exported() -> QuestionExport:
    """Return the questions that it raises."""
    export = QuestionExport(lambda _line: None, seed="0" * 32)
    run_rules(house(), config.Flags(judge=JudgeSettings("host", remember=False, rewrites=True)), export.open_judge)
    return export


def _configure(case: Case) -> Done:
    with _on_disk(case) as folder:
        (name,) = case.files
        found = config.read_configuration(folder, folder / name)
    reading = house()
    if found.configuration.exclude:
        tree = discovery.fill_tree(
            Tree(Path("nowhere"), Memory({"server.py": HOUSE})), found.configuration.exclude, tests=True
        )
        reading = read_tree(tree, found, FLAGS, "the case")
        if is_nothing(reading.project):
            raise CannotReviewError("no server")
    return run_rules(ProjectReading(reading.project, found, reading.lines, reading.tree), FLAGS)[0], reading


def _judge(case: Case) -> Done:
    with _on_disk(case) as folder:
        given = QuestionImport.from_file(folder / "answers.json", lambda _line: None)
    asked = config.Flags(judge=JudgeSettings("host", remember=False, rewrites=True))
    return run_rules(house(), asked, given.open_judge)[0], house()


def _replay(case: Case) -> Done:
    with _on_disk(case) as folder:
        asked = JudgeSettings("replay", remember=False, verdicts=folder / "verdicts.json")
        return run_rules(house(), config.Flags(judge=asked))[0], house()


def _baseline(case: Case) -> Done:
    report, ran = accepted()
    with _on_disk(case) as folder:
        entries = baseline.read(folder / "baseline.json")
        marked, gone = baseline.mark_accepted(report, entries, house().lines, ran)
        baseline.write(folder / "again.json", [*entries, *gone])
        baseline.read(folder / "again.json")
    return marked, house()


def _report(case: Case) -> Done:
    with _on_disk(case) as folder:
        return reader.read(folder / "report.json"), house()


def _command(case: Case) -> Done:
    """Run the whole command on files of the disk, in each form by turns."""
    formats = list(RENDERERS)
    with _on_disk(case) as folder:
        only = next(iter(case.files), "")
        path = folder / only if len(case.files) == 1 and "/" not in only and not case.pipes else folder
        form = formats[case.size % len(formats)]
        code, out, said = _captured([str(path), "--format", form])
    check_command(code, out, said)
    return None, None


def _captured(arguments: list[str]) -> tuple[int, bytes, str]:
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = run(arguments)
        out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return code, out.buffer.getvalue(), said.getvalue()


@contextlib.contextmanager
def _on_disk(case: Case) -> Iterator[Path]:
    """Write a case's files into a folder that lasts as long as the context."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None))
    try:
        for path, data in case.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        for path in case.pipes:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            os.mkfifo(folder / path)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


WAYS: dict[str, Callable[[Case], Done]] = {
    "review": _review,
    "compare": _compare,
    "configure": _configure,
    "judge": _judge,
    "replay": _replay,
    "baseline": _baseline,
    "report": _report,
    "command": _command,
}
