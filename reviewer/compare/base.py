"""The base of a comparison: the servers under a path as they stood at a commit, read as those of the work tree were.

One configuration holds for both, that of the work tree or that of the base, with which go the base's ignore files. Flags
are the same for both, as are the packages that are installed beside the work tree.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from reviewer.caching import cache
from reviewer.compare.changes import Since
from reviewer.compare.moved_code import UNKNOWN, Moves
from reviewer.compare.setting_changes import ReviewedChange
from reviewer.config import Flags
from reviewer.engine import list_named_owners as placed_in
from reviewer.facts import Project
from reviewer.files import discovery
from reviewer.files.discovery import CannotReviewError, Tree
from reviewer.files.storage import Disk, TooLargeError
from reviewer.git.commits import Commit, Overseen
from reviewer.git.repository import Base, Repository
from reviewer.inputs import documents
from reviewer.pipeline import Before, Oversight, ProjectReading, read, read_tree, split_lines
from reviewer.progress import Progress, ignore_progress
from reviewer.report.model import ConfigFrom
from reviewer.source import Opaque, Source, Span


@contextmanager
def against(
    path: Path,
    flags: Flags,
    named: str,
    source: ConfigFrom = "head",
    baseline: Path | None = None,
    progress: Progress = ignore_progress,
) -> Iterator[tuple[ProjectReading, Before]]:
    """Read a path, and find what stood there where its history parts from that of a base, for as long as the context lasts.

    The configuration of the side `source` holds for both; `baseline` is the one that the caller names.
    Raises CannotReviewError if there is no such base, or nothing to review.
    """
    where = path.resolve()
    folder = where if where.is_dir() else where.parent
    if not where.exists():
        read(path, flags)  # says so
    base = Repository(folder).find_base(named)
    known: dict[str, Source] = {}
    links = base.repository.list_submodules()
    commit = Commit(base, Disk(folder, links), known)
    try:
        change = ReviewedChange(folder, flags, base, commit, baseline)
        if source == "base":
            oversight = Oversight(change.find_base_configuration(), Overseen(folder, commit, links))
        else:
            oversight = Oversight(None, Disk(folder, links))
        reading = read(path, flags, progress, oversight)
        known.update(reading.tree.sources if reading.tree is not None else {})
        made = _Document if reading.tree is not None and reading.tree.document is not None else _BaseSources
        earlier = made(path, reading, flags, base, commit)
        before = earlier.build_before()
        altered = change.detect_alterations(
            source, earlier.moves.left_out if earlier.moves else (), walks=path.is_dir()
        )
        unwatched = earlier.moves.unwatched if earlier.moves else {}
        scope = base.repository.prefix + ("" if path.is_dir() else path.name)
        told = tuple(each for each, why in unwatched.items() if why != UNKNOWN)
        since = replace(before.since, altered=altered, scope=scope, unwatched=told)
        yield reading, replace(before, since=since, oversees=source == "base")
    finally:
        commit.close()


class _BaseSources:
    """The sources under a folder at the base, or the one that a file was then."""

    def __init__(self, path: Path, reading: ProjectReading, flags: Flags, base: Base, commit: Commit) -> None:
        assert reading.tree is not None
        self._path = path
        self._reading = reading
        self._flags = flags
        self._base = base
        self._commit = commit
        self._now = reading.tree
        self._then = self._read_tree()
        placed = frozenset(path for path, _ in placed_in(reading.project))
        self.moves = Moves(base, self._then, self._now, placed) if path.is_dir() else None

    def build_before(self) -> Before:
        """Return the base that the reading is compared with."""
        return Before(Since(self._base.named, self._base.commit, self._find_renames()), self._read, self._is_same)

    @cache
    def _read(self) -> ProjectReading:
        return read_tree(self._then, self._reading.found, self._flags, f"the base {self._base.named}")

    def _read_tree(self) -> Tree:
        tree = Tree(self._now.root, self._commit)
        if self._path.is_dir():
            own = self._reading.found.configuration
            return discovery.fill_tree(tree, own.exclude, tests=own.include_tests, known=self._now.sources)
        name = find_old_name(self._path, self._base, self._commit)
        return discovery.read_source(tree, name, self._now.sources) if name is not None else tree

    def _find_renames(self) -> dict[str, str]:
        """Return the files that git says are renamed, and those of the same content that were moved since its last commit."""
        gone = {path: each for path, each in self._then.sources.items() if path not in self._now.sources}
        new = {each.data: path for path, each in self._now.sources.items() if path not in self._then.sources}
        moved = {path: new[each.data] for path, each in gone.items() if each.data in new}
        known = self._base.renames if self._path.is_dir() else dict.fromkeys(self._then.sources, self._path.name)
        return {**known, **moved}

    def _is_same(self) -> bool:
        now, then = self._now, self._then
        broken_alike = now.broken == then.broken and now.broken_scripts == then.broken_scripts
        read_alike = now.sources == then.sources and now.manifests == then.manifests and broken_alike
        return read_alike and all(then.look_up(place) == found for place, found in now.texts.items())


class _Document:
    """A file of tool definitions at the base."""

    moves = None

    def __init__(self, path: Path, reading: ProjectReading, _flags: Flags, base: Base, commit: Commit) -> None:
        self._path = path
        self._reading = reading
        self._base = base
        self._data = b""
        name = find_old_name(path, base, commit)
        if name is not None:
            try:
                self._data = commit.read(name, documents.LARGEST).removeprefix(discovery.BOM)
            except TooLargeError:
                self._data = b""

    def build_before(self) -> Before:
        """Return the base that the reading is compared with."""
        return Before(Since(self._base.named, self._base.commit), self._read, self._is_same)

    def _read(self) -> ProjectReading:
        from reviewer.inputs import definitions

        name = self._path.name
        lines = split_lines(self._data)
        try:
            document = documents.parse_document(self._data, name)
            project = definitions.build_project(document) or Project()
        except CannotReviewError as error:
            reason = str(error).removeprefix(f"{name}: ")
            project = Project(broken=(Opaque(reason, Span(name, 1, 1, 1, 1)),) if self._data else ())
        return ProjectReading(project, self._reading.found, lambda path: lines if path == name else [])

    def _is_same(self) -> bool:
        return self._reading.lines(self._path.name) == split_lines(self._data)


def find_old_name(path: Path, base: Base, commit: Commit) -> str | None:
    """Return the name that a file had at the base; None if it was not there."""
    name = path.resolve().name
    was = next((old for old, new in base.renames.items() if new == name), name)
    return was if commit.has(was) else None
