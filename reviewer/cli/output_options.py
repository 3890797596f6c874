"""The command line's words about output: formats and files, and how they are written."""

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, NamedTuple, TextIO

import typer

from reviewer.cli.streams import write_stdout
from reviewer.failures import CannotReviewError, contained
from reviewer.files.storage import replace_file

PANEL = "Output"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    SARIF = "sarif"
    SARIF_GITHUB = "sarif-github"
    GITHUB = "github"
    MARKDOWN = "markdown"
    GITLAB = "gitlab"
    JUNIT = "junit"
    RDJSON = "rdjson"
    HTML = "html"


class ListingFormat(StrEnum):
    """How anything else is written."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[
    Format, _option("--format", "-f", metavar="FORMAT", help=f"The format of the report: {', '.join(Format)}.")
]
ListingOption = Annotated[ListingFormat, _option("--format", "-f", help="The output format.")]
OutputOption = Annotated[
    Path | None, _option("--output", "-o", metavar="FILE", help="Write to a file instead of standard output.")
]
AlsoOption = Annotated[
    list[str] | None,
    _option("--also", metavar="FORMAT:FILE", help="Also write the report to a file in another format; repeatable."),
]
VerboseOption = Annotated[
    bool,
    _option("--verbose", "-v", help="Show the source line and the help under each finding (text), as on a terminal."),
]
QuietOption = Annotated[
    bool,
    _option(
        "--quiet", "-q", help="Print only the findings, one per line, instead of the text report; show no progress."
    ),
]
StatisticsOption = Annotated[
    bool, _option("--statistics", help="Count the findings by rule instead of showing them (text and JSON).")
]


class Output(NamedTuple):
    """A format, and the file it is written to, None for standard output; `counts` of findings are shown in their stead."""

    format: Format
    file: Path | None
    counts: bool = False

    @property
    def coloured(self) -> bool:
        """Whether it is written in colour: text on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise."""
        return self.format in (Format.TEXT, Format.CONCISE) and self.file is None and takes_colour(sys.stdout)

    @property
    def screen(self) -> os.terminal_size | None:
        """The size of the terminal that it is written to, None if it is none; one that says no size has the usual one."""
        return get_terminal_size() if self.file is None and is_terminal(sys.stdout) else None


class Verbosity(NamedTuple):
    """How much is shown: what stood at the base of a comparison too; source and remedies everywhere; or findings alone."""

    unchanged: bool = False
    verbose: bool = False
    quiet: bool = False

    def validate(self) -> "Verbosity":
        """Return it. Raises CannotReviewError if it asks for more and for less at once."""
        if self.verbose and self.quiet:
            raise CannotReviewError("--verbose and --quiet: give only one of them")
        return self


def shows_scores(wanted: Sequence[Output], verbosity: Verbosity) -> bool:
    """Return whether anything that is wanted shows how mature the tools are."""
    from reviewer.render import SCORING

    def shows(each: Output) -> bool:
        if each.counts:  # of the counts only JSON has the summary of the report, which has the score
            return each.format is Format.JSON
        return each.format in SCORING and not (verbosity.quiet and each.format is Format.TEXT)

    return any(map(shows, wanted))


def takes_colour(stream: TextIO | None) -> bool:
    """Return whether a stream takes colour. NO_COLOR has the last word, FORCE_COLOR the next; each counts if it is not empty."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return os.environ["FORCE_COLOR"] != "0"
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that takes escape sequences; one that was closed at the start is None."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def parse_outputs(chosen: Format, file: Path | None, also: Sequence[str] = ()) -> list[Output]:
    """Return all that is to be written. Raises CannotReviewError for what is no FORMAT:FILE."""
    wanted = [Output(chosen, file), *map(_parse_further, also)]
    files = [each.file.resolve() for each in wanted if each.file is not None]
    if len(files) > len(set(files)):
        raise CannotReviewError("--also: one file is given for two formats")
    return wanted


def _parse_further(given: str) -> Output:
    name, _, file = given.partition(":")
    if name not in list(Format):
        from difflib import get_close_matches

        nearest = get_close_matches(name, list(Format), 1)
        known = f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(Format)}"
        raise CannotReviewError(f"--also {given}: there is no format {name}; {known}")
    if not file:
        raise CannotReviewError(f"--also {given}: give FORMAT:FILE")
    return Output(Format(name), Path(file))


def add_counts(wanted: Sequence[Output]) -> list[Output]:
    """Have the first of all that is wanted count by rule. Raises CannotReviewError if its format shows no counts."""
    from reviewer.render import STATISTICS

    first, *others = wanted
    if first.format not in STATISTICS:
        raise CannotReviewError(
            f"--statistics: {first.format} shows no counts; take --format {' or '.join(STATISTICS)}"
        )
    return [first._replace(counts=True), *others]


def write_report(
    report: Any, reading: Any, wanted: Sequence[Output], verbosity: Verbosity, named: Sequence[str] = ()
) -> None:
    """Write a report on what the caller `named` to all that is wanted.

    What cannot be written in one format is written in the others. Raises CannotReviewError for the first that cannot be written.
    """
    from reviewer.pipeline import add_excerpts
    from reviewer.render import NAMING, QUOTING

    if any(each.format in NAMING for each in wanted):
        from dataclasses import replace

        from reviewer.report.provenance import find_provenance

        report = replace(report, provenance=find_provenance(named, report.root))
    if any(each.format in QUOTING or verbosity.verbose or each.screen for each in wanted):
        with contained("the lines of findings are not shown"):
            report = add_excerpts(report, reading)
    report = add_shown_fixes(report, reading, wanted)
    refused: list[CannotReviewError] = []
    for each in wanted:
        with contained(f"the report was not written as {each.format}"):
            try:
                write(_render_output(report, each, verbosity), each.file)
            except CannotReviewError as error:
                refused.append(error)
    if refused:
        raise refused[0]


def _render_output(report: Any, output: Output, verbosity: Verbosity) -> str:
    """Render a report; as lines of text, as verbose as is asked for."""
    if output.counts:
        from reviewer.render import STATISTICS

        return STATISTICS[output.format](report)
    if output.format is Format.CONCISE or (output.format is Format.TEXT and verbosity.quiet):
        from reviewer.render import concise

        return concise.render(report, colour=output.coloured, unchanged=verbosity.unchanged)
    if output.format is Format.TEXT:
        from reviewer.render import text

        details = verbosity.verbose or output.screen is not None
        return text.render(report, text.Style(output.coloured, verbosity.unchanged, details, output.screen))
    from reviewer.render import RENDERERS

    return RENDERERS[output.format](report)


def add_shown_fixes(report: Any, reading: Any, wanted: Sequence[Output]) -> Any:
    """Return a report with the fixes of its findings, if a format that is wanted shows them."""
    from reviewer.render import FIXING

    if not any(each.format in FIXING for each in wanted):
        return report
    from reviewer.fixes.edits import add_fixes

    return add_fixes(report, reading)


def write(text: str, output: Path | None) -> None:
    """Write a text to a file or to standard output. Raises CannotReviewError if that cannot be."""
    if output is None:
        write_stdout(text)
        return
    try:
        _write_safely(output, text.encode("utf-8", "backslashreplace"))
    except BrokenPipeError:
        return
    except OSError as error:
        raise CannotReviewError(f"{output}: cannot be written: {(error.strerror or '').lower()}") from None


def _write_safely(output: Path, data: bytes) -> None:
    """Write a file such that a full disk leaves the old one; what is no file (a pipe, a terminal) is written to as it is."""
    if output.exists() and not output.is_file():
        output.write_bytes(data)
    elif os.access(os.path.realpath(output.parent), os.W_OK):
        replace_file(output, data)
    else:
        output.write_bytes(data)  # nothing can be put beside it
