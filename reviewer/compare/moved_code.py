"""Code of the base that a change moves to where nothing is reviewed: into tests, copies, ignored folders, or out of the tree.

It is told by its lines, and not by what git takes for a rename: a change may move a file and add so much to it that git sees
none, or leave an import behind in the old place.
"""

import os
import posixpath
from collections.abc import Mapping
from functools import cached_property

from reviewer.files.discovery import (
    COPIES,
    EXCLUDED,
    HIDDEN,
    IGNORED,
    LARGEST,
    LINKED,
    NOT_SOURCE,
    PUT_AWAY,
    SUFFIXES,
    TESTS,
    Tree,
)
from reviewer.files.storage import UNREADABLE, read_regular
from reviewer.git.repository import Base
from reviewer.records import dataclass
from reviewer.report.model import LeftOut

MOST = 2_000
"""Files of a change that are searched for moved code: reading the lines of one of 38 KB takes 1 ms."""

SHORTEST = 4
"""Characters of a line that tells where code went: `}` and `):` stand everywhere."""

FEWEST = 3
"""Lines that a file must have of another before its code is said to stand there."""

FEWEST_LEFT = 8
"""Lines that must have left a file that is still reviewed: a few imports and decorators are alike everywhere."""

OUTSIDE = "outside of the reviewed folder"
UNKNOWN = "its name is not that of Python, Rust or TypeScript source"
SUBMODULE = "a submodule, whose files are its own repository's"
REASONS = frozenset(
    {COPIES, HIDDEN, PUT_AWAY, NOT_SOURCE, LINKED, TESTS, EXCLUDED, IGNORED, OUTSIDE, UNKNOWN, SUBMODULE}
)
"""Why something is left out: all that a report says of it."""


@dataclass(frozen=True)
class Moves:
    """What the change since a base does to the files under a folder. `placed` are the files in which tools stand now."""

    base: Base
    then: Tree
    now: Tree
    placed: frozenset[str]

    @cached_property
    def unwatched(self) -> Mapping[str, str]:
        """The files that the change makes or alters and that are not reviewed, by their paths, and why they are not."""
        repository = self.base.repository
        changed = (
            _strip_prefix(path, repository.prefix)
            for path in (*self.base.changed, *repository.find_staged_paths(self.base.commit))
        )
        fresh = (path for path in self.now.sources if path not in self.then.sources)
        found = {path: self._find_reason(path) for path in sorted({*changed, *fresh})}
        return {path: why for path, why in found.items() if why is not None}

    @cached_property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was reviewed at the base and is not any more, though its code is still there."""
        gone = ((path, self._collect_lost_lines(path)) for path in self.then.sources)
        found = (self._locate_moved(path, lost) for path, lost in gone if lost)
        return tuple(each for each in found if each is not None)

    def _find_reason(self, path: str) -> str | None:
        """Return why a file is not reviewed, None if it is, or is gone."""
        place = os.path.join(self.now.root, path)
        if path in self.placed or not os.path.lexists(place):
            return None
        if path.startswith("../"):
            return OUTSIDE
        ruled = self.now.explain_exclusion(path)
        if ruled is not None or path in self.now.sources:
            return ruled
        if os.path.isdir(place):
            return SUBMODULE
        return UNKNOWN if os.path.splitext(path)[1] not in SUFFIXES else None

    def _collect_lost_lines(self, path: str) -> frozenset[str]:
        """Return the lines of a file of the base that stand in no reviewed file any more; none if that is so of only a few."""
        source, is_kept = self.then.sources[path], path in self.now.sources and path not in self.unwatched
        if self.then.explain_exclusion(path) is not None or (is_kept and self.now.sources[path].data == source.data):
            return frozenset()
        own = _collect_telling_lines(source.data)
        lost = own - self._reviewed
        return lost if len(lost) >= (FEWEST_LEFT if is_kept else max(1, len(own) // 2)) else frozenset()

    @cached_property
    def _reviewed(self) -> frozenset[str]:
        """The lines of all files that are reviewed and are not what they were at the base."""
        old = self.then.sources
        own = {path: each for path, each in self.now.sources.items() if path not in self.unwatched}
        fresh = (each.data for path, each in own.items() if path not in old or old[path].data != each.data)
        return frozenset().union(*map(_collect_telling_lines, fresh))

    @cached_property
    def _texts(self) -> Mapping[str, frozenset[str]]:
        return {path: self._read_telling_lines(path) for path in list(self.unwatched)[:MOST]}

    def _read_telling_lines(self, path: str) -> frozenset[str]:
        try:
            return _collect_telling_lines(read_regular(os.path.join(self.now.root, path), LARGEST, follow=False))
        except UNREADABLE:
            return frozenset()

    def _locate_moved(self, path: str, lost: frozenset[str]) -> LeftOut | None:
        """Say where lines of a file of the base stand now, or what stands in its place; None if they are deleted."""
        there = max(self._texts, key=lambda name: len(self._texts[name] & lost), default="")
        shared = len(self._texts[there] & lost) if there else 0
        if shared >= min(FEWEST, len(lost)) and 2 * shared >= len(lost):
            return LeftOut(there, self.unwatched[there], path)
        if path in self.now.sources:
            return None
        above = next((name for name in self.unwatched if f"{path}/".startswith(f"{name}/")), None)
        if above is not None:
            return LeftOut(above, self.unwatched[above], path)
        why = self.now.explain_exclusion(path)
        is_there = why is not None and (why == LINKED or os.path.lexists(os.path.join(self.now.root, path)))
        return LeftOut(path, why, path) if why is not None and is_there else None


def _strip_prefix(path: str, prefix: str) -> str:
    """Return a path from the top as one from the folder with that prefix."""
    if path.startswith(prefix):
        return path.removeprefix(prefix)
    return posixpath.relpath(f"/{path}", f"/{prefix}")


def _collect_telling_lines(data: bytes) -> frozenset[str]:
    """Return the lines of a text that tell it from others."""
    lines = (" ".join(line.split()) for line in data.decode("utf-8", "replace").splitlines())
    return frozenset(line for line in lines if len(line) >= SHORTEST)
