"""What the commands do with what they are asked for: read it, review it, show it, and say what was not reviewed."""

import sys
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from reviewer.budget import spending
from reviewer.cli import change_options as changing
from reviewer.cli import judge_options as judging
from reviewer.cli import output_options as writing
from reviewer.cli import path_options as reading_from
from reviewer.cli import rule_options as asking
from reviewer.cli.live_options import Live
from reviewer.cli.progress_line import ProgressLine
from reviewer.cli.streams import tell
from reviewer.failures import ROOT, CannotReviewError, Unreviewed, collected, contained, format_how_to_report
from reviewer.text.excerpts import format_count

COULD_NOT_REVIEW = 2
"""The exit code of a review that was not made, or has gaps."""

HIDDEN = ProgressLine(sys.stderr, shows=False)
"""Progress that is not shown."""


class ReportDisplay(NamedTuple):
    """How a report is shown, and where; `named` is what the caller named to be reviewed."""

    outputs: Sequence[writing.Output]
    verbosity: writing.Verbosity = writing.Verbosity()
    accepting: changing.Accepting = changing.Accepting()
    line: ProgressLine = HIDDEN
    named: tuple[str, ...] = ()


def review_reading(reading: Any, flags: Any, shown: ReportDisplay, opener: Any, before: Any = None) -> int:
    """Review what was read, write the report, and give the exit code."""
    from reviewer.pipeline import run_rules

    flags = replace(flags, scores=writing.shows_scores(shown.outputs, shown.verbosity))
    accepting = shown.accepting.with_configuration(reading.found)
    accepted = accepting.read()  # what is wrong with it is said before a judge is paid
    with shown.line as progress:
        report, settings = run_rules(reading, flags, opener, before, progress)
    report = accepting.apply(report, accepted, reading.lines, frozenset(settings.slugs))
    failed = report.fails(settings.fail_on) or (settings.fail_on_unanswered and report.open)
    failed = failed or (settings.fail_on_suppressed and report.hides)
    return show(report, reading, flags, shown) or int(failed)


def review_several(paths: Sequence[Path], flags: Any, shown: ReportDisplay) -> int:
    """Review several paths, write one report, and give the worst exit code of all."""
    from reviewer import multiple_paths

    flags = replace(flags, scores=writing.shows_scores(shown.outputs, shown.verbosity))
    accepted = shown.accepting.read()
    with shown.line as progress:
        found = multiple_paths.review(paths, flags, _build_part_adjuster(shown), progress)
    report = shown.accepting.apply(found.report, accepted, found.reading.lines, found.slugs)
    return show(report, found.reading, flags, shown) or int(found.fails(report))


def _build_part_adjuster(shown: ReportDisplay) -> Callable[[Any, Any, Any], Any]:
    """Return the handler of the report on one path of several, called before its places start from elsewhere."""

    def add_fixes(report: Any, reading: Any, settings: Any) -> Any:
        own = changing.Accepting().with_configuration(reading.found)
        report = own.apply(report, own.read(), reading.lines, frozenset(settings.slugs))
        return writing.add_shown_fixes(report, reading, shown.outputs)

    return add_fixes


def show(report: Any, reading: Any, flags: Any, shown: ReportDisplay) -> int:
    """Name what was not read, write the report, and return the exit code of a review with gaps, 0 if there is none."""
    name_broken(report.broken, report.root, report.files)
    if report.compared is not None:
        name_broken(report.compared.broken, where=f"{report.compared.base}: ")  # they need not be on the disk
    judging.tell_open(report, flags.judge)
    judging.tell_offers(report)
    with collected() as failures:
        writing.write_report(report, reading, shown.outputs, shown.verbosity, shown.named)
    name_broken(failures.all)
    gaps = (*report.unreviewed, *failures.all)
    return report_incomplete(gaps) if gaps else 0


Part = TypeVar("Part")


def write_listing(
    make: Callable[[Any, str], Part], join: Callable[[list[Part]], str], tools: "ReadTools", output: Path | None
) -> int:
    """Write what is made of each reading, with the way to it, and joined; return the exit code."""
    with collected() as failures, contained("the list was not written"):
        parts = []
        for base, reading in tools.readings:
            with spending(reading.budget):
                parts.append(make(reading, base))
        writing.write(join(parts), output)
    name_broken(failures.all)
    broken = (one for _, reading in tools.readings for one in reading.broken)
    unreviewed = [each for each in (*broken, *tools.gaps, *failures.all) if isinstance(each, Unreviewed)]
    return report_incomplete(unreviewed) if unreviewed else 0


class ReadTools(NamedTuple):
    """What was read of each path, with the way to it from the folder that all places start from."""

    readings: tuple[tuple[str, Any], ...]
    gaps: tuple[Unreviewed, ...] = ()


def read_tools(given: reading_from.GivenPaths, asked: asking.RuleChoices, live: Live) -> ReadTools:
    """Read tools without reviewing them, and name what could not be read."""
    line = ProgressLine.from_stream(sys.stderr)
    if given.several and live.address is None:
        from reviewer.multiple_paths import read_each

        with line as progress:
            each = read_each(given.paths, asked.build_flags(), progress)
        tools = ReadTools(tuple((base, reading) for base, reading, _ in each.done), each.gaps)
    else:
        tools = ReadTools((("", read_given(given, asked.build_flags(), live, line)),))
    for _, reading in tools.readings:
        name_broken(reading.broken, reading.tree.root if reading.tree is not None else None, reading.files)
    name_broken(tools.gaps)
    return tools


def read_given(given: reading_from.GivenPaths, flags: Any, live: Live, line: ProgressLine = HIDDEN) -> Any:
    """Read what is asked for. Raises CannotReviewError if that is nothing."""
    from reviewer.pipeline import read, read_live, read_text

    live.validate()
    if live.address is not None:
        from reviewer.inputs.live_target import build_target

        asked = build_target(live.address, live.variables or (), live.headers or (), live.seconds)
        with line as progress:
            return read_live(asked, flags, given.path, in_ci=live.in_ci, progress=progress)
    if given.path is None:
        raise CannotReviewError("give the path of a server's source or of a file of tools, or --live")
    text = given.read_stdin()
    with line as progress:
        return read(given.path, flags, progress) if text is None else read_text(given.path, text, flags)


MOST_NAMED = 5
"""Places of one reason that are named on standard error; reports name all, and fifty alike hide the line that differs."""


def name_broken(broken: Sequence[Any], root: Path | None = None, files: Container[str] = (), where: str = "") -> None:
    """Name what could not be read, a line each, and count what is more of the same; `where` stands before the place.

    Places in `files` start from `root`, and are shown from the current folder.
    """
    from reviewer.report.relocation import find_path_from_here, find_way, relocate_places

    counts: Counter[str] = Counter()
    for each in broken:
        counts[each.reason] += 1
        if counts[each.reason] <= MOST_NAMED:
            place = f"{find_path_from_here(each.span.path, root)}:{each.span.line}: " if each.span != ROOT else ""
            tell(where + place + relocate_places(each.reason, files, find_way(root)))
    for reason, count in counts.items():
        if count > MOST_NAMED:
            more = count - MOST_NAMED
            tell(f"{where}{format_count(more, 'more place')}: {relocate_places(reason, files, find_way(root))}")


def report_incomplete(unreviewed: Sequence[Unreviewed]) -> int:
    """Say how to report the first fault of ours, if there is one, and return the exit code of a review with gaps."""
    symptom = next((each.symptom for each in unreviewed if each.symptom), None)
    if symptom is not None:
        tell(format_how_to_report(symptom))
    return COULD_NOT_REVIEW
