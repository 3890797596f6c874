"""The command line's words about the judge: options, and the settings that they make."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from reviewer.cli.streams import tell
from reviewer.judge.settings import MODEL, MOST_DOLLARS, Effort, JudgeName, JudgeSettings
from reviewer.text.excerpts import format_count

PANEL = "Judge"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

JudgeOption = Annotated[
    JudgeName,
    _option(
        "--judge",
        metavar="JUDGE",
        help=f"The judge for what code cannot decide: {', '.join(get_args(JudgeName))}; auto uses the API if there is a key.",
    ),
]
ModelOption = Annotated[
    str | None, _option("--judge-model", metavar="MODEL", help=f"The model's full id (default: {MODEL}).")
]
EffortOption = Annotated[
    Effort,
    _option(
        "--judge-effort", metavar="EFFORT", help=f"The reasoning effort of the model: {', '.join(get_args(Effort))}."
    ),
]
SecondsOption = Annotated[
    float, _option("--judge-timeout", metavar="SECONDS", help="Seconds for one request to the judge.")
]
BatchOption = Annotated[
    bool, _option("--judge-batch", help="Send all questions as one batch: half the price, answered within a day.")
]
ResumeOption = Annotated[str | None, _option("--judge-resume", metavar="NAME", help="Resume a batch by its name.")]
QuestionsOption = Annotated[
    int | None, _option("--max-questions", metavar="COUNT", help="The maximum number of questions.")
]
CostOption = Annotated[
    float | None,
    _option(
        "--max-cost", metavar="DOLLARS", help=f"The maximum cost of this run in US dollars (default: {MOST_DOLLARS:g})."
    ),
]
MemoryOption = Annotated[
    bool, _option("--judge-cache/--no-judge-cache", help="Reuse verdicts of earlier runs, and store new ones.")
]
VerdictsOption = Annotated[
    Path | None, _option("--verdicts", metavar="FILE", help="The file of recorded verdicts for --judge replay.")
]
RecordOption = Annotated[
    Path | None, _option("--record", metavar="FILE", help="Write the verdicts to a file, for --judge replay.")
]
RewritesOption = Annotated[
    bool,
    _option("--judge-rewrites", help="Propose better descriptions; shown only if they pass the judge themselves."),
]
ExportRewritesOption = Annotated[
    bool, _option("--rewrites", help="Also ask for better descriptions of tools that failed a question.")
]
UnansweredOption = Annotated[bool, _option("--fail-on-unanswered", help="Exit code 1 if a question stays unanswered.")]


def open_judge(judge_settings: JudgeSettings, code: Any, *, quiet: bool = False) -> Any:
    """Open the judge that is appointed, whose doings are told on standard error; `quiet` shows no bar."""
    from reviewer.pipeline import open_judge

    return open_judge(judge_settings, code, tell, shows=not quiet and is_shown())


def is_shown() -> bool:
    """Return whether a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def tell_open(report: Any, judge_settings: JudgeSettings) -> None:
    """Say once, reason by reason, why questions have no answer."""
    from collections import Counter

    for why, count in Counter(each.why for each in report.unanswered).most_common(MOST_REASONS):
        tell(f"judge: {format_count(count, 'question')} unanswered: {why}")
    if judge_settings.name == "auto" and report.open and not report.unanswered:
        tell("judge: not asked, because there is no key: set ANTHROPIC_API_KEY, or name a judge with --judge")


def tell_offers(report: Any) -> None:
    """Say how many descriptions are offered, and once, reason by reason, why others are not."""
    from collections import Counter

    if report.offers:
        tell(f"judge: {format_count(len(report.offers), 'description')} proposed; --fix does not apply them")
    for why, count in Counter(each.why for each in report.refused).most_common(MOST_REASONS):
        tell(f"judge: {format_count(count, 'description')} not offered: {why}")


MOST_REASONS = 5
"""Reasons that are told; all of them stand in the JSON report."""
