"""The command line's words about selection: `mcp-review select ...` measures whether a model chooses the right tool."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from reviewer.cli import change_options as changing
from reviewer.cli import commands
from reviewer.cli import judge_options as judging
from reviewer.cli import output_options as writing
from reviewer.cli import path_options as reading_from
from reviewer.cli import selection_options as choosing
from reviewer.cli.help_panels import GroupedOptions
from reviewer.cli.live_options import NOT_LIVE
from reviewer.cli.progress_line import ProgressLine
from reviewer.cli.selection_options import Asks, SelectionFormat
from reviewer.cli.streams import tell
from reviewer.failures import CannotReviewError, collected
from reviewer.text.excerpts import format_count

TOGETHER = 60
"""Tasks that an agent is given with one list of tools."""


class RunByDefault(TyperGroup):
    """Takes `mcp-review select PATH` for `mcp-review select run PATH`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before what begins with no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


select_app = typer.Typer(
    cls=RunByDefault,
    rich_markup_mode=None,
    help="Measure whether a model chooses the right tool.",
    epilog="`mcp-review select PATH` takes the options of `mcp-review select run`: see `mcp-review select run --help`.",
)


class SelectionSide(NamedTuple):
    """What a selection is made of once it is read: the server, what it is compared with, and servers beside it."""

    reading: Any
    before: Any
    beside: tuple[Any, ...]
    gaps: Callable[[], Sequence[Any]]


@select_app.command("run", cls=GroupedOptions)
@choosing.add_selection_options()
def run(
    asks: Asks,
    together: choosing.TogetherOption = 1,
    fail_under: choosing.UnderOption = None,
    fail_on_drop: choosing.DropOption = False,
    output_format: choosing.SelectionFormatOption = SelectionFormat.TEXT,
    output: writing.OutputOption = None,
    quiet: choosing.SelectionQuietOption = False,
    judge: choosing.SelectionJudgeOption = "none",
    judge_model: judging.ModelOption = None,
    judge_effort: judging.EffortOption = "low",
    judge_timeout: judging.SecondsOption = 120.0,
    max_questions: judging.QuestionsOption = None,
    max_cost: judging.CostOption = None,
    judge_cache: judging.MemoryOption = True,
    verdicts: choosing.SelectionVerdictsOption = None,
    record: choosing.SelectionRecordOption = None,
) -> int:
    """Have a model choose among the tools under PATH. This is what `mcp-review select PATH` does."""
    from dataclasses import replace

    from reviewer.judge.settings import JudgeSettings
    from reviewer.selection.judge_session import open_asking, resolve_auto

    who = resolve_auto(
        JudgeSettings(
            name=judge,
            model=judge_model,
            effort=judge_effort,
            seconds=judge_timeout,
            max_questions=max_questions,
            max_cost=max_cost,
            remember=judge_cache,
            verdicts=verdicts,
            record=record,
        )
    )
    _require_comparison(fail_on_drop=fail_on_drop, diff=asks.diff)
    asks.check()
    offers = replace(who, rewrites=True, record=None, max_questions=0, max_cost=None)
    line = ProgressLine.from_stream(sys.stderr, quiet=quiet)
    with _read_sides(asks, line) as side:
        with open_asking(who, tell, together, shows=not quiet and judging.is_shown()) as asking:
            selection = _run_selection(asks, offers, side, asking)
        return _write_result(selection, output_format, output, fail_under, side.gaps(), drop=fail_on_drop)


@select_app.command("export", cls=GroupedOptions)
@choosing.add_selection_options(orders=1)
def export(
    asks: Asks,
    output: writing.OutputOption = None,
    together: choosing.TogetherOption = TOGETHER,
    max_questions: judging.QuestionsOption = None,
) -> int:
    """Write what is to be asked next, with all that is needed to answer: tasks first, choices once there are tasks.

    Where several agents are needed, files are numbered: who saw a description would know it where it is taken away.
    """
    from reviewer.selection.asking import Asking
    from reviewer.selection.exchange import SelectionExport, export_requests
    from reviewer.selection.judge_session import remembering

    asks.check()
    offers = _build_host()
    with _read_sides(asks) as side, remembering(offers, tell) as memory:
        taken = SelectionExport(together)
        asking = Asking(taken, memory, max_questions)
        given, made = _prepare_tasks(asks, side, asking, kept=False)
        if not taken.taken:
            _choose_tools(asks, offers, side, asking, [*given, *made.tasks])
        documents = taken.build_documents() or [export_requests([], taken.seed)]
        _write_each(documents, output)
        return commands.report_incomplete(side.gaps()) if side.gaps() else 0


@select_app.command("import", cls=GroupedOptions)
@choosing.add_selection_options(orders=1)
def import_answers(
    asks: Asks,
    answers: Annotated[list[Path], typer.Argument(help="The files of answers.", show_default=False)],
    fail_under: choosing.UnderOption = None,
    fail_on_drop: choosing.DropOption = False,
    output_format: choosing.SelectionFormatOption = SelectionFormat.TEXT,
    output: writing.OutputOption = None,
) -> int:
    """Take in what agents answered, and keep it for `--judge host`; once they chose, show the result.

    The options that say what is asked are those of the export.
    """
    from reviewer.judge.documents import read_document
    from reviewer.selection.asking import Asking
    from reviewer.selection.exchange import SelectionImport, SelectionRepliesV1
    from reviewer.selection.judge_session import remembering

    _require_comparison(fail_on_drop=fail_on_drop, diff=asks.diff)
    given = SelectionImport([read_document(SelectionRepliesV1, file) for file in answers])
    asks.check()
    offers = _build_host()
    with _read_sides(asks) as side, remembering(offers, tell) as memory:
        asking = Asking(given, memory, anew=True)
        if given.chooses:
            selection = _run_selection(asks, offers, side, asking)
        else:
            _, made = _prepare_tasks(asks, side, asking)
            _tell_made(made)
        if given.unknown:
            told = format_count(given.unknown, "answer")
            tell(
                f"select: {told} to what is not asked: the source, the tasks or the options have changed since the export"
            )
        if given.chooses:
            return _write_result(selection, output_format, output, fail_under, side.gaps(), drop=fail_on_drop)
        return commands.report_incomplete(side.gaps()) if side.gaps() else 0


def _require_comparison(*, fail_on_drop: bool, diff: str | None) -> None:
    if fail_on_drop and diff is None:
        raise CannotReviewError("--fail-on-drop: requires --diff")


def _build_host() -> Any:
    """Return the memory of agents' answers and proposed descriptions, which asks no model."""
    from reviewer.judge.settings import JudgeSettings

    return JudgeSettings("host", rewrites=True, max_questions=0)


@contextmanager
def _read_sides(asks: Asks, line: ProgressLine = commands.HIDDEN) -> Iterator[SelectionSide]:
    """Read the server, what it is compared with, and what stands beside it; `gaps` is what was not read by then."""
    from reviewer.budget import spending
    from reviewer.failures import Unreviewed
    from reviewer.pipeline import bounded

    flags = asks.flags

    def open_sides() -> AbstractContextManager[tuple[Any, Any]]:
        if asks.diff is None:
            return nullcontext(
                (commands.read_given(reading_from.GivenPaths((asks.path,)), flags, NOT_LIVE, line), None)
            )
        compares = changing.Comparing(asks.diff)
        return changing.open_sides(asks.path, flags, compares, None, changing.Accepting(), line)

    beside = tuple(map(_read_beside, asks.beside or ()))
    with line, open_sides() as (reading, before), bounded(asks.path), spending(reading.budget), collected() as failures:

        def list_gaps() -> Sequence[Any]:
            commands.name_broken(reading.broken, reading.tree.root if reading.tree is not None else None, reading.files)
            return [each for each in (*reading.broken, *failures.all) if isinstance(each, Unreviewed)]

        yield SelectionSide(reading, before, beside, list_gaps)


def _read_beside(path: Path) -> Any:
    """Read a server whose tools stand beside the others. Raises CannotReviewError if it has none that can be read."""
    from reviewer.budget import spending
    from reviewer.config import Flags
    from reviewer.pipeline import bounded, read
    from reviewer.selection.together import connect_server

    with collected():
        reading = read(path, Flags(isolated=True))
        with bounded(path), spending(reading.budget):
            found = connect_server(reading.project, path.resolve().stem if path.is_file() else path.resolve().name)
    if not found.tools:
        raise CannotReviewError(f"{path}: no tool can be read here")
    return found


def _plan(asks: Asks, side: SelectionSide) -> Any:
    """Return the selection plan of the options, without the other texts."""
    from reviewer.selection.running import SelectionPlan
    from reviewer.selection.together import connect_server

    return SelectionPlan(
        asks.per_tool,
        asks.seed,
        asks.orders,
        asks.without_descriptions,
        asks.lots,
        beside=side.beside,
        server=connect_server(side.reading.project, asks.path.resolve().name).name,
        hidden=asks.hide_names,
        narrow=asks.narrow_tasks,
    )


def _list_tools(reading: Any) -> list[Any]:
    from reviewer.selection.offered import count_left_out, offer_tools

    found = offer_tools(reading.project)
    if not found:
        raise CannotReviewError("no tool can be read here: there is nothing to choose from")
    if count_left_out(reading.project):
        tell(
            f"select: {format_count(count_left_out(reading.project), 'tool')} left out: no name, or that of another tool"
        )
    return found


def _prepare_tasks(asks: Asks, side: SelectionSide, asking: Any, *, kept: bool = True) -> tuple[list[Any], Any]:
    """Return the tasks of the file whose tool is there, and those that are made; with `kept` all are written to the file."""
    from reviewer.selection import tasks as listed
    from reviewer.selection.running import MadeTasks, make_tasks, select_choosable

    tools = _list_tools(side.reading)
    is_there = asks.tasks is not None and asks.tasks.exists()
    given = listed.read(asks.tasks) if asks.tasks is not None and is_there else []
    usable = select_choosable(tools, given)
    if len(usable) < len(given):
        tell(f"{asks.tasks}: {format_count(len(given) - len(usable), 'task')} for tools that are not here")
    if is_there and not asks.add_tasks:
        return usable, MadeTasks(())
    made = make_tasks(tools, side.reading.read_code, _plan(asks, side), asking, usable)
    if asks.tasks is not None and kept and made.tasks:
        listed.write(asks.tasks, [*given, *made.tasks])
        tell(f"{asks.tasks}: {format_count(len(made.tasks), 'task')} written")
    return usable, made


def _run_selection(asks: Asks, offers: Any, side: SelectionSide, asking: Any) -> Any:
    from reviewer.selection.running import SelectionResults

    given, made = _prepare_tasks(asks, side, asking)
    tasks = [*given, *made.tasks]
    results, comparison = _choose_tools(asks, offers, side, asking, tasks)
    tools = _list_tools(side.reading)
    return SelectionResults(
        tuple(tools),
        tuple(tasks),
        tuple(results),
        made.rejected,
        comparison,
        asks.diff or "",
        tuple(_plan(asks, side).list_all(tools)),
        asks.hide_names,
    )


def _choose_tools(
    asks: Asks, offers: Any, side: SelectionSide, asking: Any, tasks: Sequence[Any]
) -> tuple[list[Any], Any]:
    """Have tools chosen, now and at the base."""
    from dataclasses import replace

    from reviewer.selection.comparing import compare_results
    from reviewer.selection.offered import offer_tools
    from reviewer.selection.running import choose, select_choosable

    tools, before = _list_tools(side.reading), side.before
    bare = _plan(asks, side)
    plan = replace(bare, texts=_recall_texts(asks, offers, side.reading, tools))
    if before is None:
        return choose(tools, tasks, plan, asking), None
    then = tools if before.is_same() else offer_tools(before.read().project)
    both = select_choosable(then, tasks)
    if len(both) < len(tasks):
        tell(
            f"select: {format_count(len(tasks) - len(both), 'task')} not compared: the tool is not there at {asks.diff}"
        )
    now = choose(tools, tasks, plan, asking)
    base = choose(then, both, replace(bare, taken_away=False, variant=f"at {asks.diff}"), asking)
    return now, compare_results(base[0], now[0])


def _recall_texts(asks: Asks, offers: Any, reading: Any, tools: Sequence[Any]) -> dict[str, str]:
    """Return the descriptions to choose by again, by the names of tools."""
    if asks.judge_rewrites:
        from dataclasses import replace

        from reviewer.pipeline import open_judge, run_rules

        flags = replace(asks.flags, judge=offers, scores=False)
        report, _ = run_rules(reading, flags, lambda who, code: open_judge(who, code, lambda _line: None))
        texts = {each.tool: each.text for each in report.offers}
        if not texts:
            tell("select: no proposed description is remembered; review with --judge-rewrites first")
        return texts
    if asks.rewrites is None:
        return {}
    from reviewer.judge.documents import read_document
    from reviewer.selection.tasks import TextsV1

    texts = read_document(TextsV1, asks.rewrites).root
    unknown = next((name for name in texts if name not in {each.name for each in tools}), None)
    if unknown is not None:
        raise CannotReviewError(f"{asks.rewrites}: there is no tool `{unknown}`")
    return texts


def _tell_made(made: Any) -> None:
    """Say what came of a request for tasks."""
    from collections import Counter

    tell(
        f"select: {format_count(len(made.tasks), 'task')} for {format_count(len({each.tool for each in made.tasks}), 'tool')}"
    )
    dropped = [each for each in made.rejected if each.text]
    for each in dropped[: judging.MOST_REASONS]:
        tell(f"select: a task for `{each.tool}` is thrown away: {each.why}")
    if len(dropped) > judging.MOST_REASONS:
        tell(f"select: {format_count(len(dropped) - judging.MOST_REASONS, 'further task')} thrown away")
    for why, count in Counter(each.why for each in made.rejected if not each.text).items():
        tell(f"select: no tasks for {format_count(count, 'tool')}: {why}")


def _write_result(
    selection: Any, kind: SelectionFormat, output: Path | None, under: float | None, gaps: Sequence[Any], *, drop: bool
) -> int:
    """Write the result and give the exit code: 2 if it has gaps, 1 if too few are right."""
    from reviewer.render.selection import RENDERERS

    writing.write(RENDERERS[kind](selection), output)
    if gaps:
        return commands.report_incomplete(gaps)
    if not selection.is_whole:
        tell(f"select: {_describe_gaps(selection)}")
        return commands.COULD_NOT_REVIEW
    share = selection.results[0].right.value
    failed = under is not None and share is not None and share * 100 < under
    return int(failed or (drop and selection.compared is not None and selection.compared.fell))


def _describe_gaps(selection: Any) -> str:
    """Say what a result wants to be whole, and the first reason, which formats for programs have inside only."""
    choices, tools = selection.open_choices, selection.unmade
    if not selection.tasks:
        return f"there are no tasks: {next(iter(tools))}" if tools else "there are no tasks"
    kinds = (
        (choices, "choices", sum(len(each.outcomes) for each in selection.every), "unanswered"),
        (tools, "tools", len(selection.tools), "without tasks"),
    )
    told = (
        f"{whys.total()} of {of} {what} {how}: {whys.most_common(1)[0][0]}" for whys, what, of, how in kinds if whys
    )
    return f"the result is not whole: {'; '.join(told)}"


def _write_each(documents: Sequence[Any], output: Path | None) -> None:
    """Write documents to a file each, numbered from the second on."""
    import json

    if len(documents) > 1 and output is None:
        raise CannotReviewError("several agents are needed: name the first file with --output, the others are numbered")
    for number, each in enumerate(documents, 1):
        file = output if output is None or number == 1 else output.with_stem(f"{output.stem}-{number}")
        writing.write(json.dumps(each, indent=1, ensure_ascii=False) + "\n", file)
        if file is not None:
            tell(f"{file}: {format_count(len(each['requests']), 'request')} for {each['asks']}")
