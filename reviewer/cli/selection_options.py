"""The command line's options of a selection; what a run, an export and an import are told alike is said here once."""

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

from reviewer.cli import change_options as changing
from reviewer.cli import judge_options as judging
from reviewer.cli import output_options as writing
from reviewer.cli import path_options as reading_from
from reviewer.cli import rule_options as asking_for
from reviewer.failures import CannotReviewError
from reviewer.judge.settings import JudgeName

PANEL = "Selection"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)


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
BesideOption = Annotated[
    list[Path] | None,
    _option(
        "--beside",
        metavar="OTHER",
        help="List the tools of another server, too, as an agent has several: a folder of source, or a file of tools; "
        "repeatable.",
    ),
]
HideOption = Annotated[
    bool, _option("--hide-names", help="Show labels in the place of names: descriptions and schemas alone are left.")
]
NarrowOption = Annotated[
    bool,
    _option(
        "--narrow-tasks", help="Have tasks made that one tool alone serves, and that turn on what divides the tools."
    ),
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
        help="With --without-descriptions, remove them in this number of lots instead of one at a time.",
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
SelectionDiffOption = Annotated[
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
SelectionQuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", rich_help_panel=writing.PANEL, help="Show no progress.")
]
SelectionJudgeOption = Annotated[
    JudgeName,
    typer.Option(
        "--judge",
        metavar="JUDGE",
        rich_help_panel=judging.PANEL,
        help="Who makes tasks and chooses: anthropic, bedrock, vertex, claude-cli, host (an agent, by files), replay.",
    ),
]
SelectionVerdictsOption = Annotated[
    Path | None,
    typer.Option("--verdicts", metavar="FILE", rich_help_panel=judging.PANEL, help="The answers for --judge replay."),
]
SelectionRecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        rich_help_panel=judging.PANEL,
        help="Write the answers to a file, for --judge replay.",
    ),
]


class Asks(NamedTuple):
    """What is asked: where the server is, the tasks, what is chosen among, and what it is compared with."""

    path: reading_from.PathArgument
    exclude: reading_from.ExcludeOption = None
    config: reading_from.ConfigOption = None
    isolated: reading_from.IsolatedOption = False
    sdk: reading_from.SdkOption = None
    tasks: TasksOption = None
    add_tasks: AddOption = False
    narrow_tasks: NarrowOption = False
    per_tool: CountOption = 3
    seed: SeedOption = 0
    orders: OrdersOption = 3
    beside: BesideOption = None
    hide_names: HideOption = False
    without_descriptions: WithoutOption = False
    lots: LotsOption = None
    rewrites: TextsOption = None
    judge_rewrites: OffersOption = False
    diff: SelectionDiffOption = None

    def check(self) -> None:
        """Raise CannotReviewError for what does not go together."""
        if self.add_tasks and self.tasks is None:
            raise CannotReviewError("--add-tasks: name the file of tasks with --tasks")
        if self.tasks is not None and not self.tasks.parent.is_dir():
            raise CannotReviewError(f"{self.tasks}: no such folder")
        if self.rewrites is not None and self.judge_rewrites:
            raise CannotReviewError("--rewrites and --judge-rewrites: give one of them")
        if self.lots is not None and not self.without_descriptions:
            raise CannotReviewError("--lots: requires --without-descriptions")

    @property
    def flags(self) -> Any:
        """What they come to for who reads the server. Raises CannotReviewError."""
        return asking_for.RuleChoices(self.config, self.isolated, self.exclude, self.sdk).build_flags()


def add_selection_options(**otherwise: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of `Asks`, with other defaults where they are given; it takes what was said as `asks`."""

    def wrap_command(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def call_command(**given: Any) -> int:
            return command(Asks(**{name: given.pop(name) for name in Asks._fields}), **given)

        hints = get_type_hints(Asks, include_extras=True)
        defaults = {**dict.fromkeys(Asks._fields, inspect.Parameter.empty), **Asks._field_defaults, **otherwise}
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hints[name])
            for name in Asks._fields
        ]
        own = get_type_hints(command, include_extras=True)
        _, *others = inspect.signature(command).parameters.values()
        named += [each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=own[each.name]) for each in others]
        call_command.__signature__ = inspect.Signature(named, return_annotation=int)  # type: ignore[attr-defined]
        call_command.__annotations__ = {each.name: each.annotation for each in named}
        return call_command

    return wrap_command
