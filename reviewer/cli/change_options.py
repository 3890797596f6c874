"""The command line's words about changes: options, and the two sides that they ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.cli.streams import tell
from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass
from reviewer.text.excerpts import format_count

PANEL = "Comparison"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

DiffOption = Annotated[
    str | None,
    _option(
        "--diff",
        metavar="BASE",
        help="Report what was introduced and fixed since the merge base with BASE: a commit, branch or tag.",
    ),
]
UnchangedOption = Annotated[
    bool, _option("--show-unchanged", help="With --diff, also print findings that were there before.")
]
BaselineOption = Annotated[
    Path | None,
    _option(
        "--baseline", metavar="FILE", help="A file of accepted findings: they are counted, but never fail the review."
    ),
]
WriteOption = Annotated[
    bool,
    _option(
        "--write-baseline",
        help="Accept all current findings: write them to the baseline (mcp-review-baseline.json).",
    ),
]


SuppressedOption = Annotated[
    bool,
    _option(
        "--fail-on-suppressed",
        help="With --diff, exit code 1 if the change hides findings by a suppression or the baseline, or leaves out files that"
        " were reviewed.",
    ),
]


class ComparedSide(StrEnum):
    """One of the two sides of a comparison."""

    BASE = "base"
    HEAD = "head"


ConfigFromOption = Annotated[
    ComparedSide,
    _option(
        "--config-from",
        help="With --diff, the side whose configuration, baseline and ignore files apply to both: with `base`, a change cannot"
        " alter its own review.",
    ),
]


@dataclass(frozen=True)
class Accepting:
    """Which baseline holds, and whether it is written anew. `reads` reads one that is not of the work tree."""

    file: Path | None = None
    write: bool = False
    reads: Any = None

    def with_configuration(self, found: Any) -> "Accepting":
        """Return the same with the baseline that a configuration names, where the caller names none, read as that was."""
        return replace(self, file=self.file or found.baseline, reads=found.elsewhere)

    def read(self) -> Any:
        """Read the baseline; None if there is none to read. Raises CannotReviewError."""
        if self.file is None and not self.write:
            return None
        from reviewer.compare import baseline

        file = self.file or baseline.FILE
        return () if self.write and not file.exists() else baseline.read(file, self.reads)

    def mark(self, lines: Any) -> Any:
        """Return the function that marks the findings of a report which the baseline holds, and writes nothing."""
        entries = self.read()
        if entries is None:
            return lambda report: report
        from reviewer.compare import baseline

        return lambda report: baseline.mark_accepted(report, entries, lines, frozenset())[0]

    def apply(self, report: Any, entries: Any, lines: Any, ran: frozenset[str]) -> Any:
        """Mark what the baseline holds, tell what of it is gone, and write it if that is asked for."""
        if entries is None:
            return report
        from reviewer.compare import baseline
        from reviewer.report.groups import list_one_by_one

        marked, gone = baseline.mark_accepted(report, entries, lines, ran)
        if self.write and report.unreviewed:
            raise CannotReviewError("--write-baseline: a part of the code was not reviewed; nothing is written")
        if self.write:
            file = self.file or baseline.FILE
            found = [
                baseline.build_entry(each, lines)
                for part in list_one_by_one(marked).sections
                for each in part.findings
                if each.status != "suppressed"
            ]
            looked_for = ran - {each.rule.slug for part in report.sections for each in part.waiting}
            unknown = [each for each in entries if each.rule not in looked_for]
            baseline.write(file, [*found, *(each for each in unknown if each not in found)])
            tell(f"{file}: {format_count(len(found), 'finding')} written")
            return baseline.mark_accepted(report, found, lines, ran)[0]
        if gone:
            entries_ = "entry is" if len(gone) == 1 else "entries are"
            tell(f"baseline: {len(gone)} {entries_} no longer found; rewrite it with --write-baseline")
        return marked


@dataclass(frozen=True)
class Comparing:
    """What is compared with, and whose configuration holds for both sides."""

    base: str | None = None
    side: ComparedSide = ComparedSide.HEAD

    def validate(self, accepting: Accepting) -> None:
        """Raise CannotReviewError for what does not go together."""
        if self.side is ComparedSide.BASE and self.base is None:
            raise CannotReviewError("--config-from base: requires --diff BASE")
        if self.side is ComparedSide.BASE and accepting.write:
            raise CannotReviewError("--write-baseline: accepts findings of the work tree; remove --config-from base")


@contextmanager
def open_sides(
    path: Path | None, flags: Any, comparing: Comparing, live: str | None, accepting: Accepting, progress: Any
) -> Iterator[tuple[Any, Any]]:
    """Read a path and what it is compared with, which lasts as long as the context. Raises CannotReviewError."""
    from reviewer.compare.base import against

    if live is not None or path is None:
        raise CannotReviewError(
            "--diff: give a path in a git repository, and no --live: what a live server was is not known"
        )
    with against(path, flags, str(comparing.base), comparing.side.value, accepting.file, progress) as found:
        yield found
