"""Two reviews → what was introduced, what was fixed and what was there before.

A finding is told again by what it says, not by its line: by rule, tool and message without the counts and places in it. Where
several say the same they are told apart by their lines, as a comparison of the two files aligns them, then by the text of the
line, then by their order. Code that moved to another file, files and tools that were renamed are followed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import TypeVar

from reviewer.facts import Ignore
from reviewer.failures import Unreviewed
from reviewer.records import dataclass
from reviewer.report.model import (
    SHARED,
    Altered,
    BaseComparison,
    Finding,
    Report,
    SectionReport,
    Suppression,
    digest_finding,
)
from reviewer.rules import find_slugs
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

T = TypeVar("T")
ReadLines = Callable[[str], list[str]]
Step = tuple[Callable[[T], Hashable | None], Callable[[T, T], bool] | None]
"""What two that are the same have in common, and whether an earlier and a later one agree besides."""

NEAR = 4
"""Lines above and below a finding that identify its place in changed code: about one block.

Of 113 findings in generated histories (`evals/diff/run.py --commits 15`) 1 and 4 tell the same 109 right.
"""

LONGEST = 20_000
"""Lines. Larger files are not aligned line by line: `difflib` takes time that grows with the square of their length."""


@dataclass(frozen=True)
class ReviewSide:
    """One of the two reviews: its sections, the lines of its files, its tools by path and name, its suppression comments, and
    what could not be read.
    """

    sections: tuple[SectionReport, ...]
    lines: ReadLines
    tools: frozenset[tuple[str, str]] = frozenset()
    broken: tuple[Opaque, ...] = ()
    ignores: tuple[Ignore, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all tools."""
        return frozenset(name for _, name in self.tools)

    @property
    def findings(self) -> Iterator[Finding]:
        """All findings, also those that are suppressed."""
        return (each for part in self.sections for each in part.findings)


@dataclass(frozen=True)
class Since:
    """The base as the caller names it, the commit that it comes to, and the files that were renamed since, old to new.

    `altered` is what the change alters about its review, but for suppression comments; `scope` is the path from the repository's
    top that is reviewed, `unwatched` the files that the change makes or alters and that are not reviewed.
    """

    base: str
    commit: str
    renames: Mapping[str, str] = field(default_factory=dict)
    altered: Altered = field(default_factory=Altered)
    scope: str = ""
    unwatched: tuple[str, ...] = ()


def compare_reports(report: Report, before: ReviewSide, after: ReviewSide, since: Since) -> Report:
    """Mark every finding of a report as introduced since the base or not, and add those that were fixed.

    Nothing counts as fixed if a part was left unreviewed: a finding may be gone only because nothing looked.
    """
    files = _LineMaps(before, after, since.renames)
    earlier = [_Mark(each, before, after, files, old=True) for each in before.findings]
    later = [_Mark(each, after, before, files, old=False) for each in after.findings]
    same = match_partners(earlier, later, STEPS)
    marks = iter(later)
    sections = tuple(
        replace(
            part,
            findings=tuple(_classify_finding(each, mark := next(marks), same.get(id(mark))) for each in part.findings),
        )
        for part in report.sections
    )
    kept = {id(each) for each in same.values()}
    gone = (each for each in earlier if id(each) not in kept and each.finding.status == "reported")
    read = (each.finding for each in gone if not report.skips(each.path) and not each.has_tipped)
    fixed = () if any(isinstance(each, Unreviewed) for each in after.broken) else tuple(read)
    known = {(files.resolve_old_path(each.span.path), each.reason) for each in after.broken}
    broken = tuple(each for each in before.broken if (each.span.path, each.reason) not in known)
    hidden = [each.finding for each in later if _is_hidden_now(each.finding, same.get(id(each)))]
    altered = replace(since.altered, suppressions=tuple(_iter_new_suppressions(hidden, before, after, files)))
    return replace(report, sections=sections, compared=BaseComparison(since.base, fixed, since.commit, broken, altered))


def _is_hidden_now(finding: Finding, partner: "_Mark | None") -> bool:
    """Return whether a finding is suppressed that was not there before, or was not suppressed."""
    return finding.status == "suppressed" and (partner is None or partner.finding.status != "suppressed")


def _iter_new_suppressions(
    hidden: list[Finding], before: ReviewSide, after: ReviewSide, files: "_LineMaps"
) -> Iterator[Suppression]:
    """Return the suppression comments that are new, by their words and their file, and the others that hide something now."""
    known = Counter((each.span.path, each.slugs, each.reason) for each in before.ignores)
    for ignore in after.ignores:
        slugs = {slug for name in ignore.slugs for slug in find_slugs(name)}
        under = (each for each in hidden if each.rule.slug in slugs and ignore.reaches(each.span))
        hides = tuple(each.fingerprint for each in under) if ignore.reason is not None else ()
        words = (files.resolve_old_path(ignore.span.path), ignore.slugs, ignore.reason)
        known[words] -= 1
        if hides or known[words] < 0:
            reason = str(ignore.reason) if ignore.reason is not None else None
            yield Suppression(ignore.span, tuple(map(str, ignore.slugs)), reason, hides)


def _classify_finding(finding: Finding, mark: "_Mark", partner: "_Mark | None") -> Finding:
    """Take a finding for new that was suppressed before and is no more: it is this change that shows it.

    One of unchanged code that only another majority makes a finding is not.
    """
    shown_now = partner is not None and partner.finding.status == "suppressed" and finding.status == "reported"
    stood = partner is not None or mark.has_tipped
    return replace(finding, change="unchanged" if stood and not shown_now else "introduced")


class _LineMaps:
    """How the lines of each file of the base lie in the file that it became."""

    def __init__(self, before: ReviewSide, after: ReviewSide, renames: Mapping[str, str]) -> None:
        self._before = before
        self._after = after
        self._new = renames
        self._old = {new: old for old, new in renames.items()}
        self._alignments: dict[str, _Alignment] = {}
        self._counts: dict[tuple[str, bool], Counter[str]] = {}

    def resolve_new_path(self, path: str) -> str:
        """Return the path that a file of the base has now, if it is still there."""
        return self._new.get(path, path)

    def resolve_old_path(self, path: str) -> str:
        """Return the path that a file had in the base, if it was there."""
        return self._old.get(path, path)

    def align_file(self, path: str) -> "_Alignment":
        """Align the two forms of a file, given by the path that it has now."""
        if path not in self._alignments:
            self._alignments[path] = _Alignment(
                self._before.lines(self.resolve_old_path(path)), self._after.lines(path)
            )
        return self._alignments[path]

    def read_bare_line(self, path: str, line: int, *, old: bool) -> str:
        """Return a line without its indentation."""
        lines = (self._before if old else self._after).lines(path)
        return strip_blanks(lines[line - 1]) if 0 < line <= len(lines) else ""

    def has_lost_line(self, path: str, text: str) -> bool:
        """Return whether a line of the base stands fewer times in its file than it did."""
        return self._count(self.resolve_new_path(path), text, old=False) < self._count(path, text, old=True)

    def has_gained_line(self, path: str, text: str) -> bool:
        """Return whether a line stands more times in its file than it did in the base."""
        return self._count(path, text, old=False) > self._count(self.resolve_old_path(path), text, old=True)

    def _count(self, path: str, text: str, *, old: bool) -> int:
        if (path, old) not in self._counts:
            self._counts[path, old] = Counter(map(strip_blanks, (self._before if old else self._after).lines(path)))
        return self._counts[path, old][text]


class _Alignment:
    """Which line of one text is which of another: by stretches that are equal, or that stand in each other's stead."""

    def __init__(self, before: list[str], after: list[str]) -> None:
        if before == after:
            stretches = [("equal", 0, len(before), 0, len(after))]
        elif max(len(before), len(after)) > LONGEST:
            stretches = []
        else:
            matcher = SequenceMatcher(None, list(map(strip_blanks, before)), list(map(strip_blanks, after)))
            stretches = list(matcher.get_opcodes())
        self._stretches = stretches

    def locate_line(self, line: int, *, old: bool) -> tuple[int, int | None] | None:
        """Return the stretch of a line, and its place within one that is equal; None if that is not known."""
        for number, (kind, start, end, new_start, new_end) in enumerate(self._stretches):
            first, last = (start, end) if old else (new_start, new_end)
            if first < line <= last:
                return number, line - first if kind == "equal" else None
        return None


class _Mark:
    """A finding with all that it may be told again by."""

    def __init__(self, finding: Finding, own: ReviewSide, other: ReviewSide, files: _LineMaps, *, old: bool) -> None:
        self.finding = finding
        self._own = own
        self._other = other
        self._files = files
        self._old = old
        self._path = finding.span.path
        self.path = files.resolve_new_path(self._path) if old else self._path
        self.signature = digest_finding(finding)

    @cached_property
    def text(self) -> str:
        """The line that it begins on."""
        return self._files.read_bare_line(self._path, self.finding.span.line, old=self._old)

    @cached_property
    def around(self) -> frozenset[str]:
        """The lines around it, but for its own and those that hold hardly a word."""
        line = self.finding.span.line
        near = (*range(line - NEAR, line), *range(line + 1, line + NEAR + 1))
        texts = (self._files.read_bare_line(self._path, each, old=self._old) for each in near)
        return frozenset(each for each in texts if len(each) > len("else {"))

    @cached_property
    def at(self) -> tuple[int, int | None] | None:
        """Where it stands in the alignment of its file."""
        return self._files.align_file(self.path).locate_line(self.finding.span.line, old=self._old)

    @property
    def stretch(self) -> int | None:
        """The edited stretch in which it stands, None if its line stands on both sides."""
        return self.at[0] if self.at is not None and not self.is_aligned else None

    @property
    def is_aligned(self) -> bool:
        """Whether its line stands on both sides."""
        return self.at is not None and self.at[1] is not None

    @property
    def has_moved(self) -> bool:
        """Whether its line left its file, or came into it."""
        return (
            self._files.has_lost_line(self._path, self.text)
            if self._old
            else self._files.has_gained_line(self._path, self.text)
        )

    @property
    def has_tipped(self) -> bool:
        """Whether its line is what it is on the other side, so that only others can have made a finding of it, or none."""
        return self.finding.rule.compares and self.is_aligned

    @property
    def tool_has_moved(self) -> bool:
        """Whether its tool left its file, or came into it."""
        there = self.path if self._old else self._files.resolve_old_path(self._path)
        return self.finding.tool is not None and (there, self.finding.tool) not in self._other.tools

    @property
    def tool(self) -> str | None:
        """The tool by its name, if that is one on both sides: others may have been renamed."""
        return self.finding.tool if self.finding.tool in self._other.names else None

    @property
    def form(self) -> tuple[str, str]:
        """What it says, whatever it says it of."""
        return self.finding.rule.slug, QUOTED.sub("`", SHARED.sub("", self.finding.message))


QUOTED = pattern(r"`[^`]*`|\d+")
"""What two findings of one rule differ in: the names and numbers of what they are told of."""


def _may_have_moved(old: _Mark, new: _Mark) -> bool:
    """Return whether two places of a file may be one: not if both lines stand on both sides, each without the other's finding."""
    return not (old.is_aligned and new.is_aligned)


def _may_be_same(old: _Mark, new: _Mark) -> bool:
    """Return whether two findings of a file may be one whose line was changed: by their tool, or by what stands around them."""
    if old.finding.tool is not None:
        return True
    shared = len(old.around & new.around)
    return _may_have_moved(old, new) and shared * 2 >= min(len(old.around), len(new.around))


STEPS: tuple[Step[_Mark], ...] = (
    (lambda mark: (mark.signature, mark.path, mark.at) if mark.is_aligned else None, None),
    (lambda mark: (mark.signature, mark.path, mark.text), _may_have_moved),
    (lambda mark: (mark.signature, mark.path, mark.stretch) if mark.stretch is not None else None, None),
    (lambda mark: (mark.signature, mark.path), _may_be_same),
    (lambda mark: (mark.signature, mark.text) if mark.has_moved else None, None),
    (lambda mark: mark.signature if mark.tool_has_moved else None, None),
    (lambda mark: (mark.form, mark.path, mark.tool, mark.at) if mark.is_aligned else None, None),
    (lambda mark: (mark.form, mark.path, mark.tool, mark.stretch) if mark.stretch is not None else None, None),
)
"""By what a finding is told again, the surest first."""


def match_partners(earlier: list[T], later: list[T], steps: Iterable[Step[T]]) -> dict[int, T]:
    """Return for each later one the earlier one that is the same, by its identity. What a step gives None for is passed over."""
    found: dict[int, T] = {}
    before, after = earlier, later
    for key, agree in steps:
        waiting: defaultdict[Hashable, list[T]] = defaultdict(list)
        for each in before if after else ():
            waiting[key(each)].append(each)
        waiting.pop(None, None)
        for each in after if waiting else ():
            may = waiting.get(key(each), [])
            place = next((at for at, other in enumerate(may) if agree is None or agree(other, each)), None)
            if place is not None:
                found[id(each)] = may.pop(place)
        taken = {id(each) for each in found.values()}
        before = [each for each in before if id(each) not in taken]
        after = [each for each in after if id(each) not in found]
    return found


def strip_blanks(line: str) -> str:
    """Return a line without its indentation and its runs of blanks."""
    return " ".join(line.split())
