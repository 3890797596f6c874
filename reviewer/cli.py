"""The command line: arguments in, exit code out; no logic."""

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from reviewer import change_options as changing
from reviewer import fix_options as fixes
from reviewer import judge_options as judging
from reviewer import live_options as serving
from reviewer import output_options as writing
from reviewer import path_options as reading_from
from reviewer import rule_options as asking
from reviewer.budget import spending
from reviewer.completions import rule_names
from reviewer.failures import (
    ROOT,
    CannotReviewError,
    Unreviewed,
    collected,
    contained,
    failure,
    how_to_report,
    is_debugging,
)
from reviewer.github_commands import github_app
from reviewer.help_panels import GroupedOptions
from reviewer.init_command import init
from reviewer.live_options import NOT_LIVE, Live
from reviewer.progress_line import ProgressLine
from reviewer.review_by_default import ReviewByDefault, UsageError
from reviewer.serve.command import serve

COULD_NOT_REVIEW = 2

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

        typer.echo(f"mcp-review {__version__}")
    elif context.invoked_subcommand is None:
        raise UsageError("give the path of a server's source: mcp-review PATH (see mcp-review --help)")


@app.command(cls=GroupedOptions)
def review(
    paths: reading_from.PathsArgument = None,
    stdin_filename: reading_from.StdinOption = None,
    exclude: asking.ExcludeOption = None,
    config: asking.ConfigOption = None,
    isolated: asking.IsolatedOption = False,
    sdk: asking.SdkOption = None,
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
    config_from: changing.ConfigFromOption = changing.Side.HEAD,
    show_unchanged: changing.UnchangedOption = False,
    baseline: changing.BaselineOption = None,
    write_baseline: changing.WriteOption = False,
    fix: fixes.FixOption = False,
    unsafe: fixes.UnsafeOption = False,
    dry_run: fixes.DryRunOption = False,
) -> int:
    """Review the servers under each PATH. This is what `mcp-review PATH` does."""
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
    about = asking.Asked(config, isolated, exclude, sdk, profile, select, ignore, fail_on)
    flags = about.flags(judge=asked, fail_on_unanswered=fail_on_unanswered)
    accepting = changing.Accepting(baseline, write_baseline)
    comparing = changing.Comparing(diff, config_from)
    comparing.insist(accepting)
    line = ProgressLine.on(sys.stderr, quiet=quiet)
    shown = _Shown(wanted, writing.Manner(show_unchanged, verbose, quiet).insist(), accepting, line)
    given = reading_from.Given.of(paths, stdin_filename)
    if show_unchanged and diff is None:
        raise CannotReviewError("--show-unchanged: goes with --diff only")
    given.insist({"--live": live is not None, "--diff": diff is not None, "--fix": fix})
    fixing = fixes.Fixing(fix, unsafe, dry_run)
    fixing.insist(given.path, live, wanted)
    if given.several:
        given.insist({"--judge": judge != "none"})
        return _review_several(given.paths, flags, shown)

    def sides() -> AbstractContextManager[tuple[Any, Any]]:
        if diff is not None:
            return changing.sides(given.path, flags, comparing, live, accepting, line)
        return contextlib.nullcontext(
            (_read(given, flags, Live(live, env, header, live_timeout, live_in_ci), line), None)
        )

    if fixing.wanted:
        with line, sides() as (reading, before):
            done = fixing.fixed(reading, flags, before, shown.accepting.of(reading.found).mark(reading.lines))
            if dry_run:
                fixing.print(done, wanted[0])
                return _review(
                    done.after, flags, _Shown((), accepting=changing.Accepting(baseline)), judging.seat, before
                )
            fixing.write(done)
    with line, sides() as (reading, before):
        return _review(reading, flags, shown, partial(judging.seat, quiet=quiet), before)


HIDDEN = ProgressLine(sys.stderr, shows=False)
"""Progress that is not shown."""


class _Shown(NamedTuple):
    """How a report is shown, and where."""

    outputs: Sequence[writing.Output]
    manner: writing.Manner = writing.Manner()
    accepting: changing.Accepting = changing.Accepting()
    line: ProgressLine = HIDDEN


def _review(reading: Any, flags: Any, shown: _Shown, seat: Any, before: Any = None) -> int:
    """Review what was read, write the report, and give the exit code."""
    from reviewer.flow import reviewed

    accepting = shown.accepting.of(reading.found)
    accepted = accepting.read()  # what is wrong with it is said before a judge is paid
    with shown.line as progress:
        report, settings = reviewed(reading, flags, seat, before, progress)
    report = accepting.apply(report, accepted, reading.lines, frozenset(settings.slugs))
    failed = report.fails(settings.fail_on) or (settings.fail_on_unanswered and report.open)
    return _show(report, reading, flags, shown) or int(failed)


def _review_several(paths: Sequence[Path], flags: Any, shown: _Shown) -> int:
    """Review several paths, write one report, and give the worst exit code of all."""
    from reviewer import several

    accepted = shown.accepting.read()
    with shown.line as progress:
        found = several.review(paths, flags, _adjusted(shown), progress)
    report = shown.accepting.apply(found.report, accepted, found.reading.lines, found.slugs)
    return _show(report, found.reading, flags, shown) or int(found.fails(report))


def _adjusted(shown: _Shown) -> Callable[[Any, Any, Any], Any]:
    """Return what is done with the report on one path of several, before its places start from elsewhere."""

    def adjust(report: Any, reading: Any, settings: Any) -> Any:
        own = changing.Accepting().of(reading.found)
        report = own.apply(report, own.read(), reading.lines, frozenset(settings.slugs))
        return writing.with_fixes(report, reading, shown.outputs)

    return adjust


def _show(report: Any, reading: Any, flags: Any, shown: _Shown) -> int:
    """Name what was not read, write the report, and return the exit code of a review with gaps, 0 if there is none."""
    _name_broken(report.broken)
    if report.compared is not None:
        _name_broken(report.compared.broken, f"{report.compared.base}: ")
    judging.tell_open(report, flags.judge)
    judging.tell_offers(report)
    with collected() as failures:
        writing.write_report(report, reading, shown.outputs, shown.manner)
    _name_broken(failures.all)
    gaps = (*report.unreviewed, *failures.all)
    return _incomplete(gaps) if gaps else 0


judge_app = typer.Typer(rich_markup_mode=None, help="Have any agent judge: write the questions, read its answers.")
app.add_typer(judge_app, name="judge")
app.add_typer(github_app, name="github")
app.command()(serve)
app.command()(init)


@judge_app.command("export", cls=GroupedOptions)
def export_questions(
    path: asking.PathArgument,
    output: writing.OutputOption = None,
    exclude: asking.ExcludeOption = None,
    config: asking.ConfigOption = None,
    isolated: asking.IsolatedOption = False,
    sdk: asking.SdkOption = None,
    profile: asking.ProfileOption = None,
    max_questions: judging.QuestionsOption = None,
    judge_cache: judging.MemoryOption = True,
    rewrites: judging.ExportRewritesOption = False,
) -> int:
    """Write the questions that the servers under PATH raise, with all that is needed to answer them."""
    import json

    from reviewer.flow import reviewed
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.exchange import Export

    asked = Appointment("host", max_questions=max_questions, remember=judge_cache, rewrites=rewrites)
    asked.settled()
    flags = asking.Asked(config, isolated, exclude, sdk, profile).flags(judge=asked)
    export = Export(judging.tell)
    report, _ = reviewed(_read(reading_from.Given((path,)), flags, NOT_LIVE), flags, export.seat)
    _name_broken(report.broken)
    writing.write(json.dumps(export.document(), indent=1, ensure_ascii=False) + "\n", output)
    return _incomplete(report.unreviewed) if report.unreviewed else 0


@judge_app.command("import", cls=GroupedOptions)
def import_answers(
    path: asking.PathArgument,
    answers: Annotated[Path, typer.Argument(help="The file of verdicts.", show_default=False)],
    output_format: writing.FormatOption = writing.Format.TEXT,
    output: writing.OutputOption = None,
    also: writing.AlsoOption = None,
    exclude: asking.ExcludeOption = None,
    config: asking.ConfigOption = None,
    isolated: asking.IsolatedOption = False,
    sdk: asking.SdkOption = None,
    profile: asking.ProfileOption = None,
    fail_on: asking.FailOnOption = None,
    judge_cache: judging.MemoryOption = True,
    fail_on_unanswered: judging.UnansweredOption = False,
) -> int:
    """Review the servers under PATH with the verdicts of an agent, and keep them for `--judge host`."""
    from reviewer.judge.appointment import Appointment
    from reviewer.judge.importing import Import

    asked = Appointment("host", remember=judge_cache, rewrites=judge_cache)
    about = asking.Asked(config, isolated, exclude, sdk, profile, fail_on=fail_on)
    flags = about.flags(judge=asked, fail_on_unanswered=fail_on_unanswered)
    wanted = writing.outputs(output_format, output, also or ())
    given = Import.of(answers, judging.tell)
    return _review(_read(reading_from.Given((path,)), flags, NOT_LIVE), flags, _Shown(wanted), given.seat)


@app.command(cls=GroupedOptions)
def catalog(
    path: asking.OptionalPathArgument = None,
    output_format: writing.ListingOption = writing.Listing.JSON,
    output: writing.OutputOption = None,
    exclude: asking.ExcludeOption = None,
    config: asking.ConfigOption = None,
    isolated: asking.IsolatedOption = False,
    sdk: asking.SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.SecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print the tools that PATH declares, as the live server would list them."""
    from reviewer.render import catalog as rendering

    return _listed(
        lambda reading: rendering.RENDERERS[output_format](reading.project),
        _tools(path, asking.Asked(config, isolated, exclude, sdk), Live(live, env, header, live_timeout, live_in_ci)),
        output,
    )


@app.command(cls=GroupedOptions)
def score(
    path: asking.OptionalPathArgument = None,
    output_format: writing.ListingOption = writing.Listing.TEXT,
    output: writing.OutputOption = None,
    exclude: asking.ExcludeOption = None,
    config: asking.ConfigOption = None,
    isolated: asking.IsolatedOption = False,
    sdk: asking.SdkOption = None,
    live: serving.AddressOption = None,
    env: serving.VariablesOption = None,
    header: serving.HeadersOption = None,
    live_timeout: serving.SecondsOption = 60.0,
    live_in_ci: serving.InCiOption = False,
) -> int:
    """Print how mature the tool definitions are, tool by tool, worst first."""
    from reviewer.flow import scored
    from reviewer.render.score import RENDERERS

    return _listed(
        lambda reading: RENDERERS[output_format](scored(reading)),
        _tools(path, asking.Asked(config, isolated, exclude, sdk), Live(live, env, header, live_timeout, live_in_ci)),
        output,
    )


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


def _listed(render: Callable[[Any], str], reading: Any, output: Path | None) -> int:
    """Write what is made of a reading, and return the exit code."""
    with spending(reading.budget), collected() as failures, contained("the list was not written"):
        writing.write(render(reading), output)
    _name_broken(failures.all)
    unreviewed = [each for each in (*reading.project.broken, *failures.all) if isinstance(each, Unreviewed)]
    return _incomplete(unreviewed) if unreviewed else 0


def _tools(path: Path | None, asked: asking.Asked, live: Live) -> Any:
    """Read tools without reviewing them, and name what could not be read."""
    given = reading_from.Given((path,) if path else ())
    reading = _read(given, asked.flags(), live, ProgressLine.on(sys.stderr))
    _name_broken(reading.project.broken)
    return reading


def _read(given: reading_from.Given, flags: Any, live: Live, line: ProgressLine = HIDDEN) -> Any:
    """Read what is asked for. Raises a usage error if that is nothing."""
    from reviewer.flow import read, read_live, read_text

    live.insist()
    if live.address is not None:
        from reviewer.inputs.live import target

        asked = target(live.address, live.variables or (), live.headers or (), live.seconds)
        with line as progress:
            return read_live(asked, flags, given.path, in_ci=live.in_ci, progress=progress)
    if given.path is None:
        raise UsageError("give the path of a server's source or of a file of tools, or --live")
    text = given.text()
    with line as progress:
        return read(given.path, flags, progress) if text is None else read_text(given.path, text, flags)


def _name_broken(broken: Sequence[Any], where: str = "") -> None:
    from reviewer.render.plain import plain

    for each in broken:
        place = f"{plain(each.span.path)}:{each.span.line}: " if each.span != ROOT else ""
        typer.echo(f"mcp-review: {plain(where)}{place}{plain(each.reason)}", err=True)


def _incomplete(unreviewed: Sequence[Unreviewed]) -> int:
    """Say how to report the first fault of ours, if there is one, and return the exit code of a review with gaps."""
    symptom = next((each.symptom for each in unreviewed if each.symptom), None)
    if symptom is not None:
        typer.echo(f"mcp-review: {how_to_report(symptom)}", err=True)
    return COULD_NOT_REVIEW


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
        from reviewer.usage_errors import told

        return _refuse(told(error))
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:
        if is_debugging():
            raise
        fault = failure(error, "nothing was reviewed")
        _name_broken([fault])
        return _incomplete([fault])


def _refuse(message: str) -> int:
    from reviewer.render.plain import plain

    typer.echo(f"mcp-review: {plain(message)}", err=True)
    return COULD_NOT_REVIEW
