"""The command line's words about selection: `mcp-review select ...` measures whether a model chooses the right tool."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from reviewer import change_options as changing
from reviewer import commands
from reviewer import judge_options as judging
from reviewer import output_options as writing
from reviewer import path_options as reading_from
from reviewer import rule_options as asking_for
from reviewer.excerpts import counted
from reviewer.failures import CannotReviewError, collected
from reviewer.help_panels import GroupedOptions
from reviewer.judge.appointment import JudgeName
from reviewer.live_options import NOT_LIVE
from reviewer.progress_line import ProgressLine
from reviewer.surroundings import tell

PANEL = "Selection"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

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


class SelectionFormat(StrEnum):
    """How a selection is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


TasksOption = Annotated[
    Path | None,
    _option("--tasks", metavar="FILE", help="Take the tasks from a file; one that is not there yet is written."),
]
AddOption = Annotated[bool, _option("--add-tasks", help="Have tasks made for tools that have none in the file.")]
CountOption = Annotated[int, _option("--per-tool", metavar="COUNT", min=1, help="Tasks that are made for each tool.")]
SeedOption = Annotated[int, _option("--seed", metavar="NUMBER", help="Lists the tools in other orders.")]
OrdersOption = Annotated[
    int, _option("--orders", metavar="COUNT", min=1, help="Orders of the tools that the tasks for one tool meet.")
]
WithoutOption = Annotated[
    bool, _option("--without-descriptions", help="Choose again with each tool's description taken away.")
]
LotsOption = Annotated[
    int | None,
    _option(
        "--lots",
        metavar="COUNT",
        min=1,
        help="With --without-descriptions, take them away in so many lots instead of one at a time.",
    ),
]
TextsOption = Annotated[
    Path | None,
    _option("--rewrites", metavar="FILE", help="Choose again with other descriptions: a JSON object, name to text."),
]
OffersOption = Annotated[
    bool,
    _option(
        "--judge-rewrites", help="Choose again with the descriptions that the judge proposed in an earlier review."
    ),
]
TogetherOption = Annotated[
    int, _option("--together", metavar="COUNT", min=1, help="Tasks, or tools to make tasks for, in one request.")
]
DiffOption = Annotated[
    str | None,
    typer.Option(
        "--diff",
        metavar="BASE",
        rich_help_panel=changing.PANEL,
        help="Have the same tasks answered with the tools as they were where the history parted from BASE, and compare.",
    ),
]
UnderOption = Annotated[
    float | None,
    _option(
        "--fail-under",
        metavar="PERCENT",
        min=0,
        max=100,
        help="Exit code 1 if fewer tasks than that get the right tool.",
    ),
]
DropOption = Annotated[
    bool,
    _option("--fail-on-drop", help="With --diff, exit code 1 if fewer are right than at BASE, by more than chance."),
]
SelectionFormatOption = Annotated[
    SelectionFormat,
    typer.Option("--format", "-f", rich_help_panel=writing.PANEL, help="How the result is written."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", rich_help_panel=writing.PANEL, help="Show no progress.")]
JudgeOption = Annotated[
    JudgeName,
    typer.Option(
        "--judge",
        metavar="JUDGE",
        rich_help_panel=judging.PANEL,
        help="Who makes tasks and chooses: anthropic, bedrock, vertex, claude-cli, host (an agent, by files), replay.",
    ),
]
VerdictsOption = Annotated[
    Path | None,
    typer.Option("--verdicts", metavar="FILE", rich_help_panel=judging.PANEL, help="The answers for --judge replay."),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        rich_help_panel=judging.PANEL,
        help="Write the answers to a file, for --judge replay.",
    ),
]


class Wish(NamedTuple):
    """What a selection is made of: where the server is, the tasks, the variants, and what it is compared with."""

    path: Path
    flags: Any
    plan: Any
    tasks: Path | None = None
    add: bool = False
    texts: Path | None = None
    offers: Any = None
    base: str | None = None

    def check(self) -> None:
        """Raise CannotReviewError for what does not go together."""
        if self.add and self.tasks is None:
            raise CannotReviewError("--add-tasks: name the file of tasks with --tasks")
        if self.tasks is not None and not self.tasks.parent.is_dir():
            raise CannotReviewError(f"{self.tasks}: no such folder")
        if self.texts is not None and self.offers is not None:
            raise CannotReviewError("--rewrites and --judge-rewrites: give one of them")
        if self.plan.lots is not None and not self.plan.taken_away:
            raise CannotReviewError("--lots: goes with --without-descriptions only")


@select_app.command("run", cls=GroupedOptions)
def run(
    path: reading_from.PathArgument,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    tasks: TasksOption = None,
    add_tasks: AddOption = False,
    per_tool: CountOption = 3,
    seed: SeedOption = 0,
    orders: OrdersOption = 3,
    without_descriptions: WithoutOption = False,
    lots: LotsOption = None,
    rewrites: TextsOption = None,
    judge_rewrites: OffersOption = False,
    together: TogetherOption = 1,
    diff: DiffOption = None,
    fail_under: UnderOption = None,
    fail_on_drop: DropOption = False,
    output_format: SelectionFormatOption = SelectionFormat.TEXT,
    output: writing.OutputOption = None,
    quiet: QuietOption = False,
    judge: JudgeOption = "none",
    judge_model: judging.ModelOption = None,
    judge_effort: judging.EffortOption = "low",
    judge_timeout: judging.SecondsOption = 120.0,
    max_questions: judging.QuestionsOption = None,
    max_cost: judging.CostOption = None,
    judge_cache: judging.MemoryOption = True,
    verdicts: VerdictsOption = None,
    record: RecordOption = None,
) -> int:
    """Have a model choose among the tools under PATH. This is what `mcp-review select PATH` does."""
    from dataclasses import replace

    from reviewer.judge.appointment import Appointment
    from reviewer.selection.running import Plan
    from reviewer.selection.seating import seated, settled

    asked = Appointment(
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
    who = settled(asked)
    _insist(fail_on_drop=fail_on_drop, diff=diff)
    offers = replace(who, rewrites=True, record=None, max_questions=0, max_cost=None) if judge_rewrites else None
    plan = Plan(per_tool, seed, orders, without_descriptions, lots)
    flags = asking_for.Asked(config, isolated, exclude, sdk).flags()
    wish = Wish(path, flags, plan, tasks, add_tasks, rewrites, offers, diff)
    wish.check()
    line = ProgressLine.on(sys.stderr, quiet=quiet)
    with _read(wish, line) as (reading, before, gaps):
        with seated(who, tell, together, shows=not quiet and judging.is_shown()) as asking:
            selection = _selected(wish, reading, before, asking)
        return _written(selection, output_format, output, fail_under, gaps(), drop=fail_on_drop)


@select_app.command("export", cls=GroupedOptions)
def export(
    path: reading_from.PathArgument,
    output: writing.OutputOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    tasks: TasksOption = None,
    add_tasks: AddOption = False,
    per_tool: CountOption = 3,
    seed: SeedOption = 0,
    orders: OrdersOption = 1,
    without_descriptions: WithoutOption = False,
    lots: LotsOption = None,
    rewrites: TextsOption = None,
    judge_rewrites: OffersOption = False,
    together: TogetherOption = TOGETHER,
    diff: DiffOption = None,
    max_questions: judging.QuestionsOption = None,
) -> int:
    """Write what is to be asked next, with all that is needed to answer: tasks first, choices once there are tasks.

    Where several agents are needed, files are numbered: who saw a description would know it where it is taken away.
    """
    from reviewer.judge.appointment import Appointment
    from reviewer.selection.asking import Asking
    from reviewer.selection.exchange import Export, exported
    from reviewer.selection.running import Plan
    from reviewer.selection.seating import remembering

    host = Appointment("host")
    plan = Plan(per_tool, seed, orders, without_descriptions, lots)
    flags = asking_for.Asked(config, isolated, exclude, sdk).flags()
    wish = Wish(path, flags, plan, tasks, add_tasks, rewrites, _remembered(judge_rewrites), diff)
    wish.check()
    with _read(wish) as (reading, before, gaps), remembering(host, tell) as memory:
        taken = Export(together)
        asking = Asking(taken, memory, max_questions)
        given, made = _tasks(wish, reading, asking, kept=False)
        if not taken.taken:
            _chosen(wish, reading, before, asking, [*given, *made.tasks])
        documents = taken.documents() or [exported([], taken.seed)]
        _write_each(documents, output)
        return commands.incomplete(gaps()) if gaps() else 0


@select_app.command("import", cls=GroupedOptions)
def import_answers(
    path: reading_from.PathArgument,
    answers: Annotated[list[Path], typer.Argument(help="The files of answers.", show_default=False)],
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    tasks: TasksOption = None,
    add_tasks: AddOption = False,
    per_tool: CountOption = 3,
    seed: SeedOption = 0,
    orders: OrdersOption = 1,
    without_descriptions: WithoutOption = False,
    lots: LotsOption = None,
    rewrites: TextsOption = None,
    judge_rewrites: OffersOption = False,
    diff: DiffOption = None,
    fail_under: UnderOption = None,
    fail_on_drop: DropOption = False,
    output_format: SelectionFormatOption = SelectionFormat.TEXT,
    output: writing.OutputOption = None,
) -> int:
    """Take in what agents answered, and keep it for `--judge host`; once they chose, show the result.

    The options that say what is asked are those of the export.
    """
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.documents import parsed
    from reviewer.selection.asking import Asking
    from reviewer.selection.exchange import Import, SelectionRepliesV1
    from reviewer.selection.running import Plan
    from reviewer.selection.seating import remembering

    _insist(fail_on_drop=fail_on_drop, diff=diff)
    given = Import([parsed(SelectionRepliesV1, file) for file in answers])
    plan = Plan(per_tool, seed, orders, without_descriptions, lots)
    flags = asking_for.Asked(config, isolated, exclude, sdk).flags()
    wish = Wish(path, flags, plan, tasks, add_tasks, rewrites, _remembered(judge_rewrites), diff)
    wish.check()
    with _read(wish) as (reading, before, gaps), remembering(Appointment("host"), tell) as memory:
        asking = Asking(given, memory, anew=True)
        if given.chooses:
            selection = _selected(wish, reading, before, asking)
        else:
            _, made = _tasks(wish, reading, asking)
            _tell_made(made)
        if given.unknown:
            told = counted(given.unknown, "answer")
            tell(
                f"select: {told} to what is not asked: the source, the tasks or the options have changed since the export"
            )
        if given.chooses:
            return _written(selection, output_format, output, fail_under, gaps(), drop=fail_on_drop)
        return commands.incomplete(gaps()) if gaps() else 0


def _insist(*, fail_on_drop: bool, diff: str | None) -> None:
    if fail_on_drop and diff is None:
        raise CannotReviewError("--fail-on-drop: goes with --diff only")


def _remembered(wanted: bool) -> Any:
    """Give who recalls the descriptions that an agent proposed, and asks nobody."""
    from reviewer.judge.appointment import Appointment

    return Appointment("host", rewrites=True, max_questions=0) if wanted else None


@contextmanager
def _read(wish: Wish, line: ProgressLine = commands.HIDDEN) -> Iterator[tuple[Any, Any, Callable[[], Sequence[Any]]]]:
    """Read the server, and what it is compared with; the last gives what of it was not read by then."""
    from reviewer.budget import spending
    from reviewer.failures import Unreviewed
    from reviewer.flow import bounded

    def sides() -> AbstractContextManager[tuple[Any, Any]]:
        if wish.base is None:
            return nullcontext(
                (commands.read_given(reading_from.Given((wish.path,)), wish.flags, NOT_LIVE, line), None)
            )
        compares = changing.Comparing(wish.base)
        return changing.sides(wish.path, wish.flags, compares, None, changing.Accepting(), line)

    with line, sides() as (reading, before), bounded(wish.path), spending(reading.budget), collected() as failures:

        def gaps() -> Sequence[Any]:
            commands.name_broken(reading.broken, reading.tree.root if reading.tree is not None else None, reading.files)
            return [each for each in (*reading.broken, *failures.all) if isinstance(each, Unreviewed)]

        yield reading, before, gaps


def _tools(reading: Any) -> list[Any]:
    from reviewer.selection.offered import left_out, offered

    found = offered(reading.project)
    if not found:
        raise CannotReviewError("no tool can be read here: there is nothing to choose from")
    if left_out(reading.project):
        tell(f"select: {counted(left_out(reading.project), 'tool')} left out: no name, or that of another tool")
    return found


def _tasks(wish: Wish, reading: Any, asking: Any, *, kept: bool = True) -> tuple[list[Any], Any]:
    """Give the tasks of the file whose tool is there, and those that are made; with `kept` all are written to the file."""
    from reviewer.selection import tasks as listed
    from reviewer.selection.running import Made, choosable, make_tasks

    tools = _tools(reading)
    is_there = wish.tasks is not None and wish.tasks.exists()
    given = listed.read(wish.tasks) if wish.tasks is not None and is_there else []
    usable = choosable(tools, given)
    if len(usable) < len(given):
        tell(f"{wish.tasks}: {counted(len(given) - len(usable), 'task')} for tools that are not here")
    if is_there and not wish.add:
        return usable, Made(())
    made = make_tasks(tools, reading.code, wish.plan, asking, usable)
    if wish.tasks is not None and kept and made.tasks:
        listed.write(wish.tasks, [*given, *made.tasks])
        tell(f"{wish.tasks}: {counted(len(made.tasks), 'task')} written")
    return usable, made


def _selected(wish: Wish, reading: Any, before: Any, asking: Any) -> Any:
    from reviewer.selection.running import Selection

    given, made = _tasks(wish, reading, asking)
    tasks = [*given, *made.tasks]
    results, comparison = _chosen(wish, reading, before, asking, tasks)
    return Selection(tuple(_tools(reading)), tuple(tasks), tuple(results), made.rejected, comparison, wish.base or "")


def _chosen(wish: Wish, reading: Any, before: Any, asking: Any, tasks: Sequence[Any]) -> tuple[list[Any], Any]:
    """Have tools chosen, now and at the base."""
    from dataclasses import replace

    from reviewer.selection.comparing import compared
    from reviewer.selection.offered import offered
    from reviewer.selection.running import Plan, choosable, choose

    tools = _tools(reading)
    plan = replace(wish.plan, texts=_texts(wish, reading, tools))
    if before is None:
        return choose(tools, tasks, plan, asking), None
    then = tools if before.is_same() else offered(before.read().project)
    both = choosable(then, tasks)
    if len(both) < len(tasks):
        tell(f"select: {counted(len(tasks) - len(both), 'task')} not compared: the tool is not there at {wish.base}")
    now = choose(tools, tasks, plan, asking)
    base = choose(then, both, Plan(plan.tasks, plan.seed, plan.orders, variant=f"at {wish.base}"), asking)
    return now, compared(base[0], now[0])


def _texts(wish: Wish, reading: Any, tools: Sequence[Any]) -> dict[str, str]:
    """Give the descriptions to choose by again, by the names of tools."""
    if wish.offers is not None:
        from dataclasses import replace

        from reviewer.flow import appointed, reviewed

        flags = replace(wish.flags, judge=wish.offers)
        report, _ = reviewed(reading, flags, lambda who, code: appointed(who, code, lambda _line: None))
        texts = {each.tool: each.text for each in report.offers}
        if not texts:
            tell("select: no proposed description is remembered; review with --judge-rewrites first")
        return texts
    if wish.texts is None:
        return {}
    from reviewer.judge.documents import parsed
    from reviewer.selection.tasks import TextsV1

    texts = parsed(TextsV1, wish.texts).root
    unknown = next((name for name in texts if name not in {each.name for each in tools}), None)
    if unknown is not None:
        raise CannotReviewError(f"{wish.texts}: there is no tool `{unknown}`")
    return texts


def _tell_made(made: Any) -> None:
    """Say what came of a request for tasks."""
    from collections import Counter

    tell(f"select: {counted(len(made.tasks), 'task')} for {counted(len({each.tool for each in made.tasks}), 'tool')}")
    dropped = [each for each in made.rejected if each.text]
    for each in dropped[: judging.MOST_REASONS]:
        tell(f"select: a task for `{each.tool}` is thrown away: {each.why}")
    if len(dropped) > judging.MOST_REASONS:
        tell(f"select: {counted(len(dropped) - judging.MOST_REASONS, 'further task')} thrown away")
    for why, count in Counter(each.why for each in made.rejected if not each.text).items():
        tell(f"select: no tasks for {counted(count, 'tool')}: {why}")


def _written(
    selection: Any, kind: SelectionFormat, output: Path | None, under: float | None, gaps: Sequence[Any], *, drop: bool
) -> int:
    """Write the result and give the exit code: 2 if it has gaps, 1 if too few are right."""
    from reviewer.render.selection import RENDERERS

    writing.write(RENDERERS[kind](selection), output)
    if gaps:
        return commands.incomplete(gaps)
    if not selection.is_whole:
        tell("select: the result is not whole" if selection.tasks else "select: there are no tasks")
        return commands.COULD_NOT_REVIEW
    share = selection.results[0].right.value
    failed = under is not None and share is not None and share * 100 < under
    return int(failed or (drop and selection.compared is not None and selection.compared.fell))


def _write_each(documents: Sequence[Any], output: Path | None) -> None:
    """Write documents to a file each, numbered from the second on."""
    import json

    if len(documents) > 1 and output is None:
        raise CannotReviewError("several agents are needed: name the first file with --output, the others are numbered")
    for number, each in enumerate(documents, 1):
        file = output if output is None or number == 1 else output.with_stem(f"{output.stem}-{number}")
        writing.write(json.dumps(each, indent=1, ensure_ascii=False) + "\n", file)
        if file is not None:
            tell(f"{file}: {counted(len(each['requests']), 'request')} for {each['asks']}")
