"""The command line: arguments in, exit code out; no logic."""

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from reviewer import change_options as changing
from reviewer import fix_options as fixes
from reviewer import judge_options as judging
from reviewer import live_options as serving
from reviewer import output_options as writing
from reviewer.completions import profile_names, rule_names
from reviewer.files import CannotReviewError
from reviewer.github_commands import github_app
from reviewer.live_options import NOT_LIVE, Live
from reviewer.review_by_default import ReviewByDefault
from reviewer.rules import Severity
from reviewer.serve.command import serve

COULD_NOT_REVIEW = 2

# Typer carries a click of its own since 0.26 and exports these two only through their descendant.
UsageError: Any = typer.BadParameter.__mro__[1]
ClickException: Any = typer.BadParameter.__mro__[2]


app = typer.Typer(
    cls=ReviewByDefault,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="`mcp-review PATH` takes the options of `mcp-review review`: see `mcp-review review --help`.",
    context_settings={"help_option_names": ["--help", "-h"]},
)

OptionalPathArgument = Annotated[
    Path | None,
    typer.Argument(
        help="The folder of the server's source, a source file, or a JSON or YAML file of tools.", show_default=False
    ),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        help="The guideline to review against; detected if not given.",
        show_default=False,
        autocompletion=profile_names,
    ),
]
ConfigOption = Annotated[
    Path | None, typer.Option(help="The configuration file; found if not given.", show_default=False)
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option(help="Run only these rules (slugs or codes, separated by commas).", autocompletion=rule_names),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(help="Leave these rules out (slugs or codes, separated by commas).", autocompletion=rule_names),
]
FailOnOption = Annotated[
    Severity | None, typer.Option(help="The least severity that makes the exit code 1 (default: error).")
]
SdkOption = Annotated[
    list[str] | None,
    typer.Option(help="The version of a framework that the server runs with, NAME==VERSION; found if not given."),
]
PathArgument = Annotated[Path, typer.Argument(help="The folder of the server's source.", show_default=False)]


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Review the source of an MCP server without running it: `mcp-review PATH`."""
    if show_version:
        from importlib.metadata import version

        typer.echo(f"mcp-review {version('mcp-review')}")
    elif context.invoked_subcommand is None:
        raise UsageError("give the path of a server's source: mcp-review PATH (see mcp-review --help)")


@app.command()
def review(
    path: OptionalPathArgument = None,
    output_format: writing.FormatOption = writing.Format.TEXT,
    output: writing.OutputOption = None,
    also: writing.AlsoOption = None,
    statistics: writing.StatisticsOption = False,
    profile: ProfileOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    fail_on: FailOnOption = None,
    config: ConfigOption = None,
    sdk: SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.SecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
    judge: judging.JudgeOption = "none",
    judge_model: judging.ModelOption = None,
    judge_effort: judging.EffortOption = "low",
    judge_timeout: judging.SecondsOption = 120.0,
    judge_batch: judging.BatchOption = False,
    judge_resume: judging.ResumeOption = None,
    max_questions: judging.QuestionsOption = None,
    max_cost: judging.CostOption = None,
    judge_cache: judging.MemoryOption = True,
    verdicts: judging.VerdictsOption = None,
    record: judging.RecordOption = None,
    judge_rewrites: judging.RewritesOption = False,
    fail_on_unanswered: judging.UnansweredOption = False,
    diff: changing.DiffOption = None,
    show_unchanged: changing.UnchangedOption = False,
    baseline: changing.BaselineOption = None,
    write_baseline: changing.WriteOption = False,
    fix: fixes.FixOption = False,
    unsafe: fixes.UnsafeOption = False,
    dry_run: fixes.DryRunOption = False,
) -> int:
    """Review the servers under PATH. This is what `mcp-review PATH` does."""
    from reviewer.config import Flags, versions
    from reviewer.judge.appointment import Appointment

    asked = Appointment(
        name=judge,
        model=judge_model,
        effort=judge_effort,
        seconds=judge_timeout,
        batch=judge_batch,
        resume=judge_resume,
        max_questions=max_questions,
        max_cost=max_cost,
        remember=judge_cache,
        verdicts=verdicts,
        record=record,
        rewrites=judge_rewrites,
    )
    asked.settled()  # what is wrong is said before anything is read
    wanted = writing.outputs(output_format, output, also or ())
    wanted = writing.counted(wanted) if statistics else wanted
    least = _least(fail_on)
    given = versions(sdk or ())
    flags = Flags(profile, _names(select), _names(ignore), least, config, given, asked, fail_on_unanswered)
    shown = _Shown(wanted, show_unchanged, changing.Accepting(baseline, write_baseline))
    fixing = fixes.Fixing(fix, unsafe, dry_run)
    fixing.insist(path, live, wanted)

    def sides() -> AbstractContextManager[tuple[Any, Any]]:
        if diff is not None:
            return changing.sides(path, flags, diff, live)
        return contextlib.nullcontext((_read(path, flags, Live(live, env, header, live_timeout, live_in_ci)), None))

    if fixing.wanted:
        with sides() as (reading, before):
            done = fixing.fixed(reading, flags, before, shown.accepting.mark(reading.lines))
            if dry_run:
                fixing.print(done, wanted[0])
                return _review(
                    done.after, flags, _Shown((), accepting=changing.Accepting(baseline)), judging.seat, before
                )
            fixing.write(done)
    with sides() as (reading, before):
        return _review(reading, flags, shown, judging.seat, before)


class _Shown(NamedTuple):
    """How a report is shown, and where."""

    outputs: Sequence[writing.Output]
    unchanged: bool = False
    accepting: changing.Accepting = changing.Accepting()


def _review(reading: Any, flags: Any, shown: _Shown, seat: Any, before: Any = None) -> int:
    """Review what was read, write the report, and give the exit code."""
    from reviewer.flow import reviewed

    accepted = shown.accepting.read()  # what is wrong with it is said before a judge is paid
    report, settings = reviewed(reading, flags, seat, before)
    report = shown.accepting.apply(report, accepted, reading.lines, frozenset(settings.slugs))
    _name_broken(report.broken)
    if report.compared is not None:
        _name_broken(report.compared.broken, f"{report.compared.base}: ")
    judging.tell_open(report, flags.judge)
    judging.tell_offers(report)
    writing.write_report(report, reading, shown.outputs, unchanged=shown.unchanged)
    return int(report.fails(settings.fail_on) or (settings.fail_on_unanswered and report.open))


judge_app = typer.Typer(rich_markup_mode=None, help="Have any agent judge: write the questions, read its answers.")
app.add_typer(judge_app, name="judge")
app.add_typer(github_app, name="github")
app.command()(serve)


@judge_app.command("export")
def export_questions(
    path: PathArgument,
    output: writing.OutputOption = None,
    profile: ProfileOption = None,
    config: ConfigOption = None,
    max_questions: judging.QuestionsOption = None,
    judge_cache: judging.MemoryOption = True,
    rewrites: judging.ExportRewritesOption = False,
) -> int:
    """Write the questions that the servers under PATH raise, with all that is needed to answer them."""
    import json

    from reviewer.config import Flags
    from reviewer.flow import reviewed
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.exchange import Export

    asked = Appointment("host", max_questions=max_questions, remember=judge_cache, rewrites=rewrites)
    asked.settled()
    flags = Flags(profile, config=config, judge=asked)
    export = Export(judging.tell)
    report, _ = reviewed(_read(path, flags, NOT_LIVE), flags, export.seat)
    _name_broken(report.broken)
    writing.write(json.dumps(export.document(), indent=1, ensure_ascii=False) + "\n", output)
    return 0


@judge_app.command("import")
def import_answers(
    path: PathArgument,
    answers: Annotated[Path, typer.Argument(help="The file of verdicts.", show_default=False)],
    output_format: writing.FormatOption = writing.Format.TEXT,
    output: writing.OutputOption = None,
    also: writing.AlsoOption = None,
    profile: ProfileOption = None,
    config: ConfigOption = None,
    fail_on: FailOnOption = None,
    judge_cache: judging.MemoryOption = True,
    fail_on_unanswered: judging.UnansweredOption = False,
) -> int:
    """Review the servers under PATH with the verdicts of an agent, and keep them for `--judge host`."""
    from reviewer.config import Flags
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.importing import Import

    asked = Appointment("host", remember=judge_cache, rewrites=judge_cache)
    least = _least(fail_on)
    flags = Flags(profile, (), (), least, config, {}, asked, fail_on_unanswered)
    wanted = writing.outputs(output_format, output, also or ())
    given = Import.of(answers, judging.tell)
    return _review(_read(path, flags, NOT_LIVE), flags, _Shown(wanted), given.seat)


@app.command()
def catalog(
    path: OptionalPathArgument = None,
    output_format: writing.ListingOption = writing.Listing.JSON,
    output: writing.OutputOption = None,
    config: ConfigOption = None,
    sdk: SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.SecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print the tools that PATH declares, as the live server would list them."""
    from reviewer.render import catalog as rendering

    reading = _tools(path, config, sdk, Live(live, env, header, live_timeout, live_in_ci))
    writing.write(rendering.RENDERERS[output_format](reading.project), output)
    return 0


@app.command()
def score(
    path: OptionalPathArgument = None,
    output_format: writing.ListingOption = writing.Listing.TEXT,
    output: writing.OutputOption = None,
    config: ConfigOption = None,
    sdk: SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.SecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print how mature the tool definitions are, tool by tool, worst first."""
    from reviewer.flow import scored
    from reviewer.render.score import RENDERERS

    reading = _tools(path, config, sdk, Live(live, env, header, live_timeout, live_in_ci))
    writing.write(RENDERERS[output_format](scored(reading)), output)
    return 0


@app.command()
def explain(
    rule: Annotated[str, typer.Argument(help="A slug or a code.", show_default=False, autocompletion=rule_names)],
) -> int:
    """Print the page of a rule."""
    from reviewer.handbook import pages

    writing.write(pages(rule), None)
    return 0


@app.command()
def rules(output_format: writing.ListingOption = writing.Listing.TEXT) -> int:
    """List all rules."""
    from reviewer.handbook import LISTINGS

    writing.write(LISTINGS[output_format](), None)
    return 0


def _tools(path: Path | None, config: Path | None, sdk: list[str] | None, live: Live) -> Any:
    """Read tools without reviewing them, and name what could not be read."""
    from reviewer.config import Flags, versions

    reading = _read(path, Flags(config=config, sdk=versions(sdk or ())), live)
    _name_broken(reading.project.broken)
    return reading


def _read(path: Path | None, flags: Any, live: Live) -> Any:
    """Read what is asked for. Raises a usage error if that is nothing."""
    from reviewer.flow import read, read_live

    if live.address is not None:
        from reviewer.inputs.live import target

        asked = target(live.address, live.variables or (), live.headers or (), live.seconds)
        return read_live(asked, flags, path, in_ci=live.in_ci)
    if path is None:
        raise UsageError("give the path of a server's source or of a file of tools, or --live")
    return read(path, flags)


def _least(fail_on: Severity | None) -> Literal["error", "warning", "suggestion"] | None:
    return fail_on.value if fail_on else None


def _names(values: list[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())


def _name_broken(broken: Sequence[Any], where: str = "") -> None:
    from reviewer.render.plain import plain

    for each in broken:
        typer.echo(
            f"mcp-review: {plain(where)}{plain(each.span.path)}:{each.span.line}: {plain(each.reason)}", err=True
        )


def main() -> None:
    """Run the command and leave with its exit code: 0, 1 for findings at or over `--fail-on`, 2 could not review."""
    gc.set_threshold(1_000_000, 20, 20)  # nearly all that a review makes lives until it ends
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, AttributeError, ValueError):
            stream.flush()
    # Taking apart the syntax trees of a large project would cost a tenth of the run, for nothing.
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command and give its exit code."""
    try:
        return app(args=list(arguments), prog_name="mcp-review", standalone_mode=False) or 0
    except CannotReviewError as error:
        return _refuse(str(error))
    except ClickException as error:
        return _refuse(error.format_message())
    except (typer.Abort, KeyboardInterrupt):
        return 130


def _refuse(message: str) -> int:
    from reviewer.render.plain import plain

    typer.echo(f"mcp-review: {plain(message)}", err=True)
    return COULD_NOT_REVIEW
