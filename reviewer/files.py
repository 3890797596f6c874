"""A path → the files of interest under it, read once, and what could not be read with its reason.

Git's ignore rules hold, also outside a checkout. Links are never followed. Knows nothing of what the files mean.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from reviewer.source import Opaque, Source, Span

SUFFIXES = {".py": "python", ".rs": "rust"}
MANIFESTS = frozenset({"Cargo.toml", "Cargo.lock", "pyproject.toml", "uv.lock", "poetry.lock", "requirements.txt", "METADATA"})
LARGEST = 8 * 2**20
"""Bytes. A larger source file is named and not read."""

NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "site-packages", "target"})
"""Folders that hold no source of the server itself, whatever the ignore files say."""

TESTS = GitIgnoreSpec.from_lines(
    ["tests/", "test/", "benches/", "test_*.py", "*_test.py", "conftest.py", "*_test.rs", "*_tests.rs", "tests.rs", "test.rs"]
)


class CannotReviewError(Exception):
    """The review cannot be made; the message is one line that says what and how to mend it."""


@dataclass
class Tree:
    """The files under one root. Sources and manifests are keyed by path relative to the root, sorted."""

    root: Path
    sources: dict[str, Source] = field(default_factory=dict)
    manifests: dict[str, Path] = field(default_factory=dict)
    broken: list[Opaque] = field(default_factory=list)

    def of(self, suffix: str) -> dict[str, Source]:
        """Give the sources whose name ends in `suffix`."""
        return {path: source for path, source in self.sources.items() if path.endswith(suffix)}


class _Filter(NamedTuple):
    """One ignore file: its patterns hold for paths below `base`."""

    base: str
    spec: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        return self.spec.check_file(path[len(self.base) :]).include


def find(path: Path, exclude: tuple[str, ...] = (), *, tests: bool = False) -> Tree:
    """Read the sources and manifests under `path`, a folder or one source file.

    `exclude` are patterns as in `.gitignore`, relative to `path`; `tests` keeps files that look like tests.
    Raises CannotReviewError if `path` is neither.
    """
    kind = _kind(path)
    if kind == "file":
        tree = Tree(path.parent)
        _read(tree, path.name, path)
        return tree
    tree = Tree(path)
    own = GitIgnoreSpec.from_lines(exclude)
    for name, entry in _walk(tree, "", _outer_filters(path), own if tests else own + TESTS):
        if Path(name).name in MANIFESTS:
            tree.manifests[name] = Path(entry.path)
        else:
            _read(tree, name, Path(entry.path))
    return tree


def _kind(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise CannotReviewError(f"{path}: {_why(error)}; give a folder or a source file") from None
    if stat.S_ISDIR(mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise CannotReviewError(f"{path}: permission denied; give a folder that may be read")
        return "folder"
    if stat.S_ISREG(mode) and path.suffix in SUFFIXES:
        return "file"
    raise CannotReviewError(f"{path}: neither a folder nor a .py or .rs file; give the folder of the server's source")


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _outer_filters(root: Path) -> tuple[_Filter, ...]:
    """Read the ignore files between the checkout's top and the root, if the root lies in a checkout."""
    root = root.resolve()
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return ()
    filters = []
    between = [top, *reversed([folder for folder in root.parents if top in folder.parents])] if top != root else []
    for folder in between:
        inner = root.relative_to(folder).as_posix() + "/"
        filters += [_Outer("", spec, inner) for spec in _spec(folder / ".gitignore")]
    return (*(_Outer("", spec, root.relative_to(top).as_posix() + "/") for spec in _spec(top / ".git/info/exclude")), *filters)


class _Outer(_Filter):
    """An ignore file above the root: `inner` is the root's path below it."""

    inner: str

    def __new__(cls, base: str, spec: GitIgnoreSpec, inner: str) -> "_Outer":
        outer = super().__new__(cls, base, spec)
        outer.inner = "" if inner == "./" else inner
        return outer

    def verdict(self, path: str) -> bool | None:
        return self.spec.check_file(self.inner + path).include


def _spec(file: Path) -> list[GitIgnoreSpec]:
    try:
        return [GitIgnoreSpec.from_lines(file.read_text("utf-8", "replace").splitlines())]
    except OSError:
        return []


def _walk(tree: Tree, folder: str, filters: tuple[_Filter, ...], own: GitIgnoreSpec) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    here = tree.root / folder
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError as error:
        tree.broken.append(_opaque(folder or ".", f"the folder cannot be read: {_why(error)}"))
        return
    if any(entry.name == ".gitignore" for entry in entries):
        filters = (*filters, *(_Filter(folder, spec) for spec in _spec(here / ".gitignore")))
    for entry in entries:
        name = folder + entry.name
        if entry.is_symlink():
            _note_link(tree, name, entry)
        elif entry.is_dir(follow_symlinks=False):
            if entry.name not in NEVER and not _ignored(name + "/", filters, own):
                yield from _walk(tree, name + "/", filters, own)
        elif _of_interest(entry.name) and entry.is_file(follow_symlinks=False) and not _ignored(name, filters, own):
            yield name, entry


def _of_interest(name: str) -> bool:
    return os.path.splitext(name)[1] in SUFFIXES or name in MANIFESTS


def _ignored(path: str, filters: tuple[_Filter, ...], own: GitIgnoreSpec) -> bool:
    if own.match_file(path):
        return True
    for item in reversed(filters):
        verdict = item.verdict(path)
        if verdict is not None:
            return verdict
    return False


def _note_link(tree: Tree, name: str, entry: "os.DirEntry[str]") -> None:
    """Name a link that leads out of the tree; one within it leads to what is read anyway."""
    if not (_of_interest(entry.name) or os.path.isdir(entry.path)):
        return
    target = os.path.realpath(entry.path)
    root = os.path.realpath(tree.root)
    if os.path.commonpath([root, target]) != root:
        tree.broken.append(_opaque(name, "a link out of the reviewed folder is not followed"))


def _read(tree: Tree, name: str, path: Path) -> None:
    try:
        size = path.stat().st_size
        if size > LARGEST:
            tree.broken.append(_opaque(name, f"{size // 2**20} MB are more than the {LARGEST // 2**20} MB that are read"))
            return
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        tree.broken.append(_opaque(name, f"the file cannot be read: {_why(error)}"))
        return
    if not data.isascii() and not _is_utf8(data):
        tree.broken.append(_opaque(name, "not UTF-8"))
        return
    tree.sources[name] = Source(name, data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _opaque(name: str, reason: str) -> Opaque:
    return Opaque(reason, Span(name, 1, 1, 1, 1))
