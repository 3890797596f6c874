"""The command line: arguments in, exit code out; no logic."""

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.cli import change_options as changing
from reviewer.cli import commands
from reviewer.cli import fix_options as fixes
from reviewer.cli import judge_options as judging
from reviewer.cli import live_options as serving
from reviewer.cli import output_options as writing
from reviewer.cli import path_options as reading_from
from reviewer.cli import rule_options as asking
from reviewer.cli.completions import complete_rule_names
from reviewer.cli.default_command import ReviewByDefault
from reviewer.cli.github_commands import github_app
from reviewer.cli.help_panels import GroupedOptions
from reviewer.cli.init_command import init
from reviewer.cli.live_options import NOT_LIVE, Live
from reviewer.cli.progress_line import ProgressLine
from reviewer.cli.selection_commands import select_app
from reviewer.cli.serve_command import serve
from reviewer.cli.streams import describe_error as told_of_surroundings
from reviewer.cli.streams import tell, write_stdout
from reviewer.failures import CannotReviewError, describe_failure, is_debugging

# Typer carries a click of its own since 0.26 and exports this one only through its descendant.
ClickException: Any = typer.BadParameter.__mro__[2]


app = typer.Typer(
    cls=ReviewByDefault,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="`mcp-review PATH` takes the options of `mcp-review review`: see `mcp-review review --help`.",
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", "-V", help="Print the version.")] = False,
) -> None:
    """Review the source of an MCP server without running it: `mcp-review PATH`."""
    if show_version:
        from reviewer.version import __version__

        write_stdout(f"mcp-review {__version__}\n")
    elif context.invoked_subcommand is None:
        raise CannotReviewError("give the path of a server's source: mcp-review PATH (see mcp-review --help)")


@app.command(cls=GroupedOptions)
def review(
    paths: reading_from.PathsArgument = None,
    stdin_filename: reading_from.StdinOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    cache: reading_from.CacheOption = True,
    profile: asking.ProfileOption = None,
    select: asking.SelectOption = None,
    ignore: asking.IgnoreOption = None,
    fail_on: asking.FailOnOption = None,
    output_format: writing.FormatOption = writing.Format.TEXT,
    output: writing.OutputOption = None,
    also: writing.AlsoOption = None,
    statistics: writing.StatisticsOption = False,
    verbose: writing.VerboseOption = False,
    quiet: writing.QuietOption = False,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.LiveSecondsOption = 60.0,
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
    config_from: changing.ConfigFromOption = changing.ComparedSide.HEAD,
    fail_on_suppressed: changing.SuppressedOption = False,
    show_unchanged: changing.UnchangedOption = False,
    baseline: changing.BaselineOption = None,
    write_baseline: changing.WriteOption = False,
    fix: fixes.FixOption = False,
    unsafe: fixes.UnsafeOption = False,
    dry_run: fixes.DryRunOption = False,
) -> int:
    """Review the servers under each PATH. This is what `mcp-review PATH` does."""
    from reviewer.judge.settings import JudgeSettings

    asked = JudgeSettings(
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
    asked.resolve_auto()  # what is wrong is said before anything is read
    wanted = writing.parse_outputs(output_format, output, also or ())
    wanted = writing.add_counts(wanted) if statistics else wanted
    about = asking.RuleChoices(config, isolated, exclude, sdk, profile, select, ignore, fail_on)
    verbosity = writing.Verbosity(show_unchanged, verbose, quiet).validate()
    flags = about.build_flags(
        judge=asked,
        fail_on_unanswered=fail_on_unanswered,
        fail_on_suppressed=fail_on_suppressed,
        scores=writing.shows_scores(wanted, verbosity),
        cached=cache and not fix and diff is None,
    )
    accepting = changing.Accepting(baseline, write_baseline)
    comparing = changing.Comparing(diff, config_from)
    comparing.validate(accepting)
    line = ProgressLine.from_stream(sys.stderr, quiet=quiet)
    given = reading_from.GivenPaths.from_options(paths, stdin_filename)
    named = (*given.named, *(["--live"] if live is not None else ()))
    shown = commands.ReportDisplay(wanted, verbosity, accepting, line, named)
    if show_unchanged and diff is None:
        raise CannotReviewError("--show-unchanged: requires --diff")
    if fail_on_suppressed and diff is None:
        raise CannotReviewError(
            "--fail-on-suppressed: requires --diff; a review without it does not count suppressions"
        )
    given.validate({"--live": live is not None, "--diff": diff is not None, "--fix": fix})
    fixing = fixes.Fixing(fix, unsafe, dry_run)
    fixing.validate(given.path, live, wanted)
    if given.several:
        given.validate({"--judge": judge != "none"})
        return commands.review_several(given.paths, flags, shown)

    def open_sides() -> AbstractContextManager[tuple[Any, Any]]:
        if diff is not None:
            return changing.open_sides(given.path, flags, comparing, live, accepting, line)
        return contextlib.nullcontext(
            (commands.read_given(given, flags, Live(live, env, header, live_timeout, live_in_ci), line), None)
        )

    if fixing.wanted:
        with line, open_sides() as (reading, before):
            done = fixing.fix_in_memory(
                reading, flags, before, shown.accepting.with_configuration(reading.found).mark(reading.lines)
            )
            if dry_run:
                fixing.print(done, wanted[0])
                return commands.review_reading(
                    done.after,
                    flags,
                    commands.ReportDisplay((), accepting=changing.Accepting(baseline)),
                    judging.open_judge,
                    before,
                )
            fixing.write(done)
    with line, open_sides() as (reading, before):
        return commands.review_reading(reading, flags, shown, partial(judging.open_judge, quiet=quiet), before)


judge_app = typer.Typer(rich_markup_mode=None, help="Let an agent judge: export the questions, import its answers.")
app.add_typer(judge_app, name="judge")
app.add_typer(github_app, name="github")
app.add_typer(select_app, name="select")
app.command()(serve)
app.command()(init)


@judge_app.command("export", cls=GroupedOptions)
def export_questions(
    path: reading_from.PathArgument,
    output: writing.OutputOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    profile: asking.ProfileOption = None,
    max_questions: judging.QuestionsOption = None,
    judge_cache: judging.MemoryOption = True,
    rewrites: judging.ExportRewritesOption = False,
) -> int:
    """Write the questions that the servers under PATH raise, with all that is needed to answer them."""
    import json

    from reviewer.judge.exchange import QuestionExport
    from reviewer.judge.settings import JudgeSettings
    from reviewer.pipeline import run_rules

    asked = JudgeSettings("host", max_questions=max_questions, remember=judge_cache, rewrites=rewrites)
    asked.resolve_auto()
    flags = asking.RuleChoices(config, isolated, exclude, sdk, profile).build_flags(judge=asked, scores=False)
    export = QuestionExport(tell)
    report, _ = run_rules(
        commands.read_given(reading_from.GivenPaths((path,)), flags, NOT_LIVE), flags, export.open_judge
    )
    commands.name_broken(report.broken, report.root, report.files)
    writing.write(json.dumps(export.build_document(), indent=1, ensure_ascii=False) + "\n", output)
    if output is not None:
        tell(export.describe_export(str(path), str(output)))
    return commands.report_incomplete(report.unreviewed) if report.unreviewed else 0


@judge_app.command("import", cls=GroupedOptions)
def import_answers(
    path: reading_from.PathArgument,
    answers: Annotated[Path, typer.Argument(help="The file of verdicts.", show_default=False)],
    output_format: writing.FormatOption = writing.Format.TEXT,
    output: writing.OutputOption = None,
    also: writing.AlsoOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    profile: asking.ProfileOption = None,
    fail_on: asking.FailOnOption = None,
    judge_cache: judging.MemoryOption = True,
    fail_on_unanswered: judging.UnansweredOption = False,
) -> int:
    """Review the servers under PATH with the verdicts of an agent, and keep them for `--judge host`."""
    from reviewer.judge.importing import QuestionImport
    from reviewer.judge.settings import JudgeSettings

    asked = JudgeSettings("host", remember=judge_cache, rewrites=judge_cache)
    about = asking.RuleChoices(config, isolated, exclude, sdk, profile, fail_on=fail_on)
    flags = about.build_flags(judge=asked, fail_on_unanswered=fail_on_unanswered)
    wanted = writing.parse_outputs(output_format, output, also or ())
    given = QuestionImport.from_file(answers, tell)
    asked_for = reading_from.GivenPaths((path,))
    reading = commands.read_given(asked_for, flags, NOT_LIVE)
    return commands.review_reading(
        reading, flags, commands.ReportDisplay(wanted, named=asked_for.named), given.open_judge
    )


@app.command(cls=GroupedOptions)
def catalog(
    paths: reading_from.PathsArgument = None,
    stdin_filename: reading_from.StdinOption = None,
    output_format: writing.ListingOption = writing.ListingFormat.JSON,
    output: writing.OutputOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.LiveSecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print the tools that PATHS declare.

    They are given as the live server would list them, each with its place.
    """
    from reviewer.render import catalog as rendering
    from reviewer.report.relocation import find_way

    def render_tools(reading: Any, base: str) -> Any:
        if output_format is writing.ListingFormat.JSON:
            return rendering.build_catalog_v1(reading.project, base)
        return rendering.render_text(
            reading.project, find_way(reading.tree.root if reading.tree else None), reading.files
        )

    return commands.write_listing(
        render_tools,
        rendering.render_json if output_format is writing.ListingFormat.JSON else "".join,
        commands.read_tools(
            reading_from.GivenPaths.from_options(paths, stdin_filename),
            asking.RuleChoices(config, isolated, exclude, sdk),
            Live(live, env, header, live_timeout, live_in_ci),
        ),
        output,
    )


@app.command(cls=GroupedOptions)
def score(
    paths: reading_from.PathsArgument = None,
    stdin_filename: reading_from.StdinOption = None,
    output_format: writing.ListingOption = writing.ListingFormat.TEXT,
    output: writing.OutputOption = None,
    exclude: reading_from.ExcludeOption = None,
    config: reading_from.ConfigOption = None,
    isolated: reading_from.IsolatedOption = False,
    sdk: reading_from.SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.LiveSecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print how mature the tool definitions are.

    Tool by tool, worst first, with what costs most.
    """
    from reviewer.maturity import move_places, score_together
    from reviewer.pipeline import score_definitions
    from reviewer.render.score import RENDERERS

    return commands.write_listing(
        lambda reading, base: move_places(score_definitions(reading), base),
        lambda parts: RENDERERS[output_format](score_together(parts)),
        commands.read_tools(
            reading_from.GivenPaths.from_options(paths, stdin_filename),
            asking.RuleChoices(config, isolated, exclude, sdk),
            Live(live, env, header, live_timeout, live_in_ci),
        ),
        output,
    )


@app.command()
def explain(
    rule: Annotated[
        str, typer.Argument(help="A slug or a code.", show_default=False, autocompletion=complete_rule_names)
    ],
) -> int:
    """Print the page of a rule."""
    from reviewer.handbook.pages import render_pages

    writing.write(render_pages(rule), None)
    return 0


@app.command()
def rules(output_format: writing.ListingOption = writing.ListingFormat.TEXT) -> int:
    """List all rules."""
    from reviewer.handbook.pages import LISTINGS

    writing.write(LISTINGS[output_format](), None)
    return 0


def main() -> None:
    """Run the command and leave with its exit code: 0, 1 for findings at or over `--fail-on`, 2 could not review."""
    gc.disable()  # what a review makes lives until it ends: looking for what does not costs a tenth, and finds 1 MB in 100
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "__all__"
    )  # else all that is installed is looked through for some
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
        from reviewer.cli.usage_errors import describe_usage_error

        return _refuse(describe_usage_error(error))
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:
        said = told_of_surroundings(error)
        if said is not None:
            return _refuse(said) if said else 0
        if is_debugging():
            raise
        fault = describe_failure(error, "nothing was reviewed")
        commands.name_broken([fault])
        return commands.report_incomplete([fault])


def _refuse(message: str) -> int:
    tell(message)
    return commands.COULD_NOT_REVIEW
