"""`--fix`: findings that are fixed, round by round, in memory; a fix that does not hold what it promises is undone.

Nothing is written before all is settled. A fix holds if its file still parses, its finding is gone, and no other came that
weighs as much: what is lighter may have been hidden by what was wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import field, replace

from reviewer.config import Flags
from reviewer.files.discovery import CannotReviewError, Tree
from reviewer.fixes.edits import build_fix
from reviewer.languages import edits as editing
from reviewer.pipeline import Before, ProjectReading, read_tree, run_rules
from reviewer.records import dataclass
from reviewer.report.groups import list_one_by_one
from reviewer.report.model import Finding, Fix, Report, digest_finding
from reviewer.rules import Severity
from reviewer.source import Edit, Source

MOST_PASSES = 50
"""Reviews of one run, in which those fixes that do not hold are told apart by halves."""

Counts = Counter[tuple[str, str]]


@dataclass(slots=True)
class Fixed:
    """What came of it: the reading afterwards, the fixes of each round, and those that were undone, with the reason.

    `stopped` tells that there were more rounds to go than a run takes.
    """

    before: ProjectReading
    after: ProjectReading
    passes: list[list[tuple[Finding, Fix]]] = field(default_factory=list)
    undone: list[tuple[Finding, str]] = field(default_factory=list)
    stopped: bool = False

    @property
    def made(self) -> list[tuple[Finding, Fix]]:
        """The findings that are gone, each with its fix, whose places are those at the time."""
        return [each for batch in self.passes for each in batch]

    @property
    def files(self) -> Iterator[tuple[str, bytes, bytes]]:
        """Yield each file that differs, with its bytes before and after, a byte order mark left out."""
        assert self.before.tree is not None
        assert self.after.tree is not None
        for path, source in self.before.tree.sources.items():
            now = self.after.tree.sources[path].data
            if now != source.data:
                yield path, source.data, now


def apply_fixes(
    reading: ProjectReading,
    flags: Flags,
    before: Before | None = None,
    mark: Callable[[Report], Report] = lambda report: report,
    *,
    unsafe: bool = False,
) -> Fixed:
    """Fix what can be, of what counts: with a base, what was introduced since; `mark` says what is in a baseline.

    Raises CannotReviewError for what has no files.
    """
    if reading.tree is None:
        raise CannotReviewError(
            "--fix: give the path of a server's source or of tool definitions: only files can be fixed"
        )
    counting = list_one_by_one(mark(_report(reading, flags, before))).counting
    run = _Run(Fixed(reading, reading), flags, Counter(map(digest_finding, counting)), unsafe)
    run.report = _report(reading, flags)
    run.settle()
    return run.fixed


def _report(reading: ProjectReading, flags: Flags, before: Before | None = None) -> Report:
    """Review without a judge: what a judge finds has no fix, and each round would be paid for."""
    flags = replace(flags, scores=False)
    return list_one_by_one(run_rules(reading, flags, lambda _judge_settings, _code: nullcontext(), before)[0])


@dataclass(slots=True)
class _Run:
    fixed: Fixed
    flags: Flags
    wanted: Counter[str]
    unsafe: bool
    report: Report = field(init=False)

    def settle(self) -> None:
        """Apply what does not overlap, and review, until nothing is left; a batch that fails is halved down to what fails."""
        size, better = None, False
        for _ in range(MOST_PASSES):
            batch = self._choose_batch(size)
            if not batch and not (better and self.fixed.undone):
                return
            if not batch:  # what stood in the way of those that were undone may be gone by now
                self.fixed.undone.clear()
                size, better = None, False
                continue
            why = self._try(batch)
            if why is None:
                size, better = None if size is None else size * 2, True
            elif len(batch) > 1:
                size = len(batch) // 2
            else:
                self.fixed.undone.append((batch[0][0], why))
        self.fixed.stopped = True

    def _choose_batch(self, size: int | None) -> list[tuple[Finding, Fix]]:
        """Return fixes of which no two speak of the same bytes, the first come first; equal ones are one."""
        assert self.fixed.after.tree is not None
        sources, left = self.fixed.after.tree.sources, self.wanted.copy()
        tried = {finding.fingerprint for finding, _ in self.fixed.undone}
        taken: set[Edit] = set()
        batch: list[tuple[Finding, Fix]] = []
        for finding in self.report.findings:
            own = digest_finding(finding)
            if not left[own] or finding.fix_plan is None or finding.fingerprint in tried or len(batch) == size:
                continue
            fix = build_fix(finding, sources)
            if fix is None or (fix.applicability == "unsafe" and not self.unsafe):
                continue
            if all(each in taken or not _meets(each, taken) for each in fix.edits):
                left[own] -= 1
                taken.update(fix.edits)
                batch.append((finding, fix))
        return batch

    def _try(self, batch: list[tuple[Finding, Fix]]) -> str | None:
        """Apply fixes and keep them if they hold, else say why they do not."""
        sources = _apply_edits(self.fixed.after, {edit for _, fix in batch for edit in fix.edits})
        if not self._keeps(sources, batch):
            return "the file would not parse, or other code would change"
        reading = _read_changed(self.fixed.after, sources, self.flags)
        try:
            report = _report(reading, self.flags)
        except CannotReviewError:
            return "the server could no longer be read"
        if len(report.unreviewed) > len(self.report.unreviewed):
            return "a part of the code could no longer be reviewed"
        goal = _count_findings(self.report) - Counter(_build_key(finding) for finding, _ in batch)
        more = _count_findings(report) - goal
        if any(more[_build_key(finding)] for finding, _ in batch):
            return "the finding would remain"
        lightest = max(_get_severity_rank(finding) for finding, _ in batch)
        heavy = any(more[_build_key(each)] and _get_severity_rank(each) <= lightest for each in _iter_findings(report))
        if heavy or report.tools != self.report.tools:
            return "another finding would appear"
        self.fixed.after, self.report = reading, report
        self.fixed.passes.append(batch)
        self.wanted -= Counter(digest_finding(finding) for finding, _ in batch)
        return None

    def _keeps(self, changed: dict[str, Source], batch: list[tuple[Finding, Fix]]) -> bool:
        """Return whether changed files parse, and documents say what they said but for what is fixed."""
        assert self.fixed.after.tree is not None
        sources = self.fixed.after.tree.sources
        fix_plans = [
            fix_plan
            for finding, _ in batch
            if finding.fix_plan is not None
            if (fix_plan := finding.fix_plan()) is not None
        ]
        return all(editing.holds(sources[path], each, fix_plans) for path, each in changed.items())


def _meets(edit: Edit, taken: set[Edit]) -> bool:
    return any(editing.overlap(edit, other) for other in taken)


def _apply_edits(reading: ProjectReading, edits: set[Edit]) -> dict[str, Source]:
    """Return the files that the edits change, changed."""
    assert reading.tree is not None
    sources = {}
    for path in {each.span.path for each in edits}:
        own = [each for each in edits if each.span.path == path]
        sources[path] = Source(path, editing.apply_edits(reading.tree.sources[path].data, own))
    return sources


def _read_changed(reading: ProjectReading, changed: dict[str, Source], flags: Flags) -> ProjectReading:
    """Read a tree again in which some files are others."""
    old = reading.tree
    assert old is not None
    found = list(old.broken)
    tree = Tree(old.root, old.storage, {**old.sources, **changed}, old.manifests, found)
    return replace(read_tree(tree, reading.found, flags, str(old.root)), folder=reading.folder)


def _iter_findings(report: Report) -> Iterator[Finding]:
    return (each for part in report.sections for each in part.findings)


def _count_findings(report: Report) -> Counts:
    return Counter(map(_build_key, _iter_findings(report)))


def _get_severity_rank(finding: Finding) -> int:
    """Return the place of its severity, the heaviest first."""
    return list(Severity).index(finding.severity)


def _build_key(finding: Finding) -> tuple[str, str]:
    return digest_finding(finding), finding.status
