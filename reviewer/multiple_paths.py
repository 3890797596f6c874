"""Several paths → one report: each is reviewed as it would be alone, and its findings then get the way to it.

Each path has the configuration, the profile and the threshold that hold there.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path, PurePosixPath
from typing import Generic, TypeVar

from reviewer.config import Configuration, Flags, FoundConfiguration, Settings
from reviewer.facts import Project
from reviewer.failures import ROOT, CannotReviewError, Unreviewed
from reviewer.kept_reviews import can_keep_reviews
from reviewer.maturity import score_together
from reviewer.pipeline import ProjectReading, find_folder, read, run_rules
from reviewer.progress import Progress, ignore_progress
from reviewer.records import dataclass
from reviewer.report.groups import group_by_cause, iter_apart
from reviewer.report.model import (
    Finding,
    Fix,
    Open,
    Report,
    SectionReport,
    SectionStatus,
    ServerReport,
    ToolScore,
    add_fingerprints,
)
from reviewer.report.relocation import relocate_places
from reviewer.source import Edit, Opaque
from reviewer.text.excerpts import format_count

Placed = TypeVar("Placed", Finding, Open, Opaque, ToolScore, ServerReport)
Work = TypeVar("Work")
Adjust = Callable[[Report, ProjectReading, Settings], Report]
"""What is done with the report on one path before it is joined with the others."""


@dataclass(frozen=True, slots=True)
class PathReview:
    """The review of one path. `base` leads from the common folder to the folder that was read; empty, or ending in a slash."""

    base: str
    report: Report
    settings: Settings
    reading: ProjectReading

    def holds(self, path: str) -> bool:
        """Return whether a file, named from the common folder, was read for this path."""
        tree = self.reading.tree
        return tree is not None and path.startswith(self.base) and path.removeprefix(self.base) in tree.sources


@dataclass(frozen=True, slots=True)
class MultiReport:
    """One report on several paths, which names those that could not be reviewed."""

    parts: tuple[PathReview, ...]
    report: Report
    slugs: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Note the rules that ran for any of the paths."""
        object.__setattr__(self, "slugs", frozenset(slug for part in self.parts for slug in part.settings.slugs))

    @property
    def reading(self) -> ProjectReading:
        """What was read of all paths, as far as renderers ask for it: the lines of each file."""
        return ProjectReading(Project(), FoundConfiguration(Configuration(), None), self._read_lines)

    def _read_lines(self, path: str) -> list[str]:
        part = next((each for each in self.parts if each.holds(path)), None)
        return part.reading.lines(path.removeprefix(part.base)) if part is not None else []

    def fails(self, report: Report) -> bool:
        """Return whether a finding of the joined report, or an open question, fails one of the paths by its own settings."""
        return any(
            own.fails(part.settings.fail_on) or (part.settings.fail_on_unanswered and own.open)
            for part in self.parts
            for own in [_select_path(part, report)]
        )


def _select_path(part: PathReview, report: Report) -> Report:
    """Return the part of a joined report about one path."""
    sections = (
        replace(
            each,
            findings=tuple(one for one in each.findings if part.holds(one.span.path)),
            waiting=tuple(one for one in each.waiting if part.holds(one.span.path)),
        )
        for each in report.sections
    )
    return replace(report, sections=tuple(sections))


def review(paths: Sequence[Path], flags: Flags, adjust: Adjust, progress: Progress = ignore_progress) -> MultiReport:
    """Review several paths; one that lies within another, and was read with it, is not read again.

    Raises CannotReviewError if one does not exist, or none can be reviewed.
    """

    def build_work(reading: ProjectReading) -> tuple[Report, Settings]:
        report, settings = run_rules(reading, flags, progress=progress)
        return adjust(report, reading, settings), settings

    each = _read_each(paths, flags, build_work, progress)
    parts = tuple(PathReview(base, report, settings, reading) for base, reading, (report, settings) in each.done)
    report = _join_reports(parts, each.root)
    return MultiReport(parts, replace(report, broken=(*report.broken, *each.gaps)))


def read_each(paths: Sequence[Path], flags: Flags, progress: Progress = ignore_progress) -> "Each[None]":
    """Read several paths, as `review` does. Raises CannotReviewError if one does not exist, or none can be read."""
    return _read_each(paths, flags, lambda _: None, progress)


@dataclass(frozen=True, slots=True)
class Each(Generic[Work]):
    """What was read at each path and made of it, with the way there from the common folder; and what could not be read."""

    done: tuple[tuple[str, ProjectReading, Work], ...]
    root: Path
    gaps: tuple[Unreviewed, ...] = ()


def _read_each(
    paths: Sequence[Path], flags: Flags, work: Callable[[ProjectReading], Work], progress: Progress
) -> Each[Work]:
    for path in paths:
        if not path.exists():
            read(path, flags)  # says so
    places = {Path(os.path.abspath(path)): path for path in reversed(paths)}
    flags = replace(flags, cached=flags.cached and can_keep_reviews(map(_get_folder, places)))
    found: dict[Path, tuple[ProjectReading, Work]] = {}
    problems: list[str] = []
    for place in sorted(places, key=lambda each: len(each.parts)):  # what lies within another comes after it
        if any(_covers(reading, place) for reading, _ in found.values()):
            continue
        try:
            reading = read(places[place], flags, progress)
            found[place] = reading, work(reading)
        except CannotReviewError as error:
            problems.append(str(error))
    if not found:
        raise CannotReviewError("; ".join(dict.fromkeys(problems)))
    root = _find_common_folder([_get_folder(place) for place in places])
    order = dict.fromkeys(place for path in paths if (place := Path(os.path.abspath(path))) in found)
    gaps = tuple(Unreviewed(each, ROOT) for each in dict.fromkeys(problems))
    return Each(tuple((_format_base(root, place), *found[place]) for place in order), root, gaps)


def _get_folder(place: Path) -> Path:
    return place if place.is_dir() else place.parent


def _covers(reading: ProjectReading, place: Path) -> bool:
    """Return whether files at a place were read already: tests within a folder may not have been."""
    if reading.tree is None:
        return False
    root = Path(os.path.abspath(reading.tree.root))
    if not place.is_relative_to(root):
        return False
    within = PurePosixPath(place.relative_to(root).as_posix())
    return any(PurePosixPath(name).is_relative_to(within) for name in reading.tree.sources)


def _find_common_folder(folders: Sequence[Path]) -> Path:
    """Return the folder that paths of findings start from: the current one if it holds all, else the innermost that does."""
    here = Path.cwd()
    if all(each.is_relative_to(here) for each in folders):
        return here
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:  # on several drives
        raise CannotReviewError("the paths lie on several drives; review them one at a time") from None


def _format_base(root: Path, place: Path) -> str:
    way = _get_folder(place).relative_to(root).as_posix()
    return "" if way == "." else f"{way}/"


def _join_reports(parts: Sequence[PathReview], root: Path) -> Report:
    """Return one report, in the order of the parts."""
    moved = [_move_report(part) for part in parts]
    sections = tuple(_join_section(each) for each in zip(*(report.sections for report in moved), strict=True))
    profile, because = _join_profiles(parts, moved)
    report = Report(
        profile,
        because,
        sections,
        sum(report.tools for report in moved),
        tuple(each for report in moved for each in report.broken),
        score_together([report.maturity for report in moved]),
        folder=find_folder(root),
        root=root,
        unread=tuple(sorted({name for report in moved for name in report.unread})),
        files=frozenset().union(*(report.files for report in moved)),
        servers=tuple(each for report in moved for each in report.servers),
    )
    return group_by_cause(report)


def _join_profiles(parts: Sequence[PathReview], moved: Sequence[Report]) -> tuple[str, str]:
    reasons = {(report.profile, report.because) for report in moved}
    if len(reasons) == 1:
        return reasons.pop()
    told = (
        f"{part.base or './'}: {report.profile}, {report.because}" for part, report in zip(parts, moved, strict=True)
    )
    return ", ".join(dict.fromkeys(part.report.profile for part in parts)), "; ".join(told)


STANDINGS: tuple[SectionStatus, ...] = ("violations", "not-judged", "ok", "not-applicable")
"""The statuses of a section, in the order in which one path's holds for all."""


def _join_section(group: Sequence[SectionReport]) -> SectionReport:
    status = min((each.status for each in group), key=STANDINGS.index)
    waiting = tuple(one for each in group for one in each.waiting)
    reason = next((each.reason for each in group if each.status == status), None)
    if status == "not-judged":
        reason = format_count(len(waiting), "question")
    findings = add_fingerprints(one for each in group for one in iter_apart(each.findings))
    return SectionReport(group[0].section, status, findings, reason, waiting)


def _move_report(part: PathReview) -> Report:
    """Return a report whose places start from the common folder. Nothing is left of it that makes fixes: they are made by now."""
    report, base = part.report, part.base

    def move_place(each: Placed) -> Placed:
        path = base + each.span.path if each.span != ROOT else base.rstrip("/") or ROOT.path
        return replace(each, span=each.span._replace(path=path))

    def move_text(text: str) -> str:
        return relocate_places(text, report.files, base)

    def move_finding(each: Finding) -> Finding:
        fix = _move_fix(each.fix, base) if each.fix else None
        related = tuple(one._replace(path=base + one.path) for one in each.related)
        told, help = move_text(each.message), move_text(each.help)
        cause, parts = f"{base}{each.cause}" if each.cause else "", tuple(map(move_finding, each.parts))
        return replace(
            move_place(each), message=told, help=help, fix=fix, fix_plan=None, related=related, cause=cause, parts=parts
        )

    sections = tuple(
        replace(each, findings=tuple(map(move_finding, each.findings)), waiting=tuple(map(move_place, each.waiting)))
        for each in report.sections
    )
    maturity = replace(report.maturity, tools=tuple(map(move_place, report.maturity.tools)))
    broken = tuple(replace(move_place(each), reason=move_text(each.reason)) for each in report.broken)
    unread = tuple(base + each for each in report.unread)
    files = frozenset(base + each for each in report.files)
    because = move_text(report.because)

    def add_base(names: frozenset[str]) -> frozenset[str]:
        return frozenset(base + name for name in names)

    servers = tuple(
        replace(
            move_place(each), because=move_text(each.because), files=add_base(each.files), shared=add_base(each.shared)
        )
        for each in report.servers
    )
    return replace(
        report,
        because=because,
        sections=sections,
        broken=broken,
        maturity=maturity,
        unread=unread,
        files=files,
        servers=servers,
    )


def _move_fix(fix: Fix, base: str) -> Fix:
    edits = tuple(Edit(each.span._replace(path=base + each.span.path), *each[1:]) for each in fix.edits)
    return replace(fix, edits=edits, lines=replace(fix.lines, path=base + fix.lines.path) if fix.lines else None)
