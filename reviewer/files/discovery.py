"""A path → the files of interest under it, read once, and what could not be read with its reason.

Git's ignore rules hold, also outside a checkout. Links are never followed. Knows nothing of what the files mean.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import InitVar, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reviewer.facts import Language
from reviewer.failures import CannotReviewError as CannotReviewError  # noqa: PLC0414  # for those who know of files only
from reviewer.failures import Unreviewed
from reviewer.files.decoding import IllegibleError, decode_source
from reviewer.files.ignore_patterns import Filter, compile_exclusions, compile_patterns, is_ignored
from reviewer.files.recording import RecordedStorage
from reviewer.files.storage import (
    MOST_IGNORED,
    MOST_MANIFEST,
    UNREADABLE,
    Disk,
    FolderEntry,
    Manifest,
    Storage,
    TooLargeError,
    explain_unread,
    explain_unread_ignore,
    iter_submodule_paths,
)
from reviewer.progress import Progress, Stage, ignore_progress
from reviewer.records import dataclass
from reviewer.source import Opaque, Source, Span
from reviewer.text.patterns import pattern

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

TYPED = (".ts", ".mts", ".cts", ".tsx")
"""What the names of files end in that are written in TypeScript, and not compiled."""

COMPILED = (".js", ".mjs", ".cjs", ".jsx")
"""What the names of files of JavaScript end in, which a person wrote or a compiler."""

SCRIPTS = (*TYPED, *COMPILED)
"""What the names of files of TypeScript and of JavaScript end in, which are read alike."""

SUFFIXES: dict[str, Language] = {".py": "python", ".rs": "rust", **dict.fromkeys(SCRIPTS, "typescript")}


def find_language(path: str) -> Language:
    """Return the language that a source is in, by what its name ends in."""
    return SUFFIXES[os.path.splitext(path)[1]]


NAMES: dict[str, str] = {"python": "Python", "rust": "Rust", "typescript": "TypeScript"}
"""How messages name the languages."""

UNREAD = {".go": "Go"}
"""Languages in which servers are written and that are not read yet, by what the names of their files end in."""

INSTEAD = 'review the tools of the running server (--live "COMMAND"), or a tools.json with its answer to tools/list'
"""What to do about a server whose source is not read yet."""

DOCUMENTS = frozenset({".json", ".yaml", ".yml"})
"""What the names of files of tool definitions end in."""

MANIFESTS = frozenset(
    "Cargo.toml Cargo.lock pyproject.toml uv.lock poetry.lock pdm.lock Pipfile.lock requirements.txt METADATA PKG-INFO"
    " entry_points.txt setup.cfg package.json tsconfig.json package-lock.json npm-shrinkwrap.json"
    " pnpm-lock.yaml yarn.lock bun.lock".split()
)
"""Files that say of which release an SDK is, or how a server is started: METADATA, PKG-INFO and entry_points.txt of an unpacked
wheel or sdist, too; tsconfig.json says what names in imports stand for."""

LARGEST = 8 * 2**20
"""Bytes. A larger source file is named and not read."""

LARGEST_TEXT = 2**20
"""Bytes. A larger file that code reads while it declares tools is not read."""

README = pattern(r"README[\w.-]*\.md", re.IGNORECASE)
"""Only Markdown is read for what a document says of tools; a name may end in a language, as README.de.md."""

MARKDOWN = pattern(r"[\w.-]+\.md", re.IGNORECASE)
"""Names as people give them. What has other signs is not opened."""

BESIDE = pattern(
    r"(?!(?:change|history|news|release|roadmap|todo|plan|migrat|upgrad|spec|design))[\w.-]+\.md",
    re.IGNORECASE,
)
"""Documents that lie beside a README and tell of what is there now."""

MOST_DOCUMENTS = 50
"""In each of the two folders: documentation that is written by machine has thousands."""

BOM = b"\xef\xbb\xbf"
"""What a file may begin with that is no part of its text."""

NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "site-packages", "target"})
"""Folders that hold no source of the server itself, whatever the ignore files say."""

VENDORED = frozenset({"_vendor", "vendor", "_vendored", "vendored", "third_party"})
"""Folders with copies of other projects: read where something is imported from them, not searched for servers."""

RETIRED = pattern(r"_?archived(?:[-_ ].*)?|_archives?|_?attic|_?obsolete")
"""Folders with what a project has put away, as `archived_services/` of a repository with many servers: `archive/` alone may
be a package that reads archives."""

COPIES = "in a folder for vendored code"
PUT_AWAY = "in a folder for code that is archived"
HIDDEN = "in a hidden folder"
NOT_SOURCE = "in a folder that never holds a server's own source"
NOT_CHECKED_OUT = (
    "a submodule that is not checked out; fetch it with `git submodule update --init`, or exclude its folder"
)
LINKED = "a link, which is not followed"
TESTS = "looks like tests"
EXCLUDED = "excluded by the configuration or the caller"
IGNORED = "ignored by git"

TEST_FOLDERS = frozenset({"tests", "test", "benches", "__tests__", "__mocks__"})
"""What lies in them only tests run, or benchmarks of Cargo: a server there stands for another one."""

TEST_FILES = pattern(r"test_.*\.py|.*_test\.py|conftest\.py|.*_tests\.rs|tests\.rs|.*\.(?:test|spec)\.[cm]?[jt]sx?")
"""What tests are called. A Rust file that is called `test.rs` may be a tool that runs tests: its adapter looks into it."""

TESTING = pattern(rb"\b(?:pytest|unittest|TestCase|hypothesis)\b|\b(?:async )?def test|\bclass Test")
"""What a Python file of tests has. A `test_runs.py` without it holds the tools for runs of tests, as one for Polarion does."""


FORMS = {"folder": "/", "file": ""}
"""What stands behind the names of what is listed; other things are passed over."""

MOST_LEFT_OUT = 10_000
"""Entries of folders that are looked through for sources that are left out: installed packages have a hundred thousand."""


@dataclass
class Tree:
    """The files under one root. Sources and manifests are keyed by path relative to the root, sorted.

    `broken` is what could not be read with them; `broken_scripts` what holds no text that can be read and is TypeScript or
    JavaScript, which may be of a page that belongs to no server. `texts` are the other files that were asked for, None where
    nothing is; `gaps` are those that should have been read, and could not, by their paths. `unread` names the files of languages
    that are not read yet, and the manifests of their packages; `skipped` what is left out, folders with a slash at the end, and
    why.
    What is installed `beside` the sources lies under `root` on the disk, wherever they themselves are stored.
    """

    root: Path
    stored: InitVar[Storage | None] = None
    sources: dict[str, Source] = field(default_factory=dict)
    manifests: dict[str, Manifest] = field(default_factory=dict)
    broken: list[Opaque] = field(default_factory=list)
    broken_scripts: list[Opaque] = field(default_factory=list)
    texts: dict[str, str | Opaque | None] = field(default_factory=dict)
    gaps: dict[str, Opaque] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    storage: Storage = field(init=False)
    beside: Storage = field(init=False)

    def __post_init__(self, stored: Storage | None) -> None:
        """Take the disk under the root if nothing else is said."""
        self.beside = Disk(self.root)
        self.storage = stored or self.beside

    @property
    def is_on_disk(self) -> bool:
        """Whether its files lie where they are installed, and not in a commit."""
        return self.storage is self.beside

    def record(self) -> RecordedStorage:
        """Have all noted that is asked from now on of a tree whose files lie on the disk."""
        self.storage = self.beside = recorded = RecordedStorage(self.beside)
        return recorded

    def list_installed(self, folder: str) -> list[str]:
        """Return the names in a folder on the disk under the root, none if it is not there: what is installed is in no commit."""
        try:
            return [each.name for each in self.beside.list_folder(folder)]
        except OSError:
            return []

    def explain_exclusion(self, path: str) -> str | None:
        """Return why a file is not searched for servers, None if it is, or if no rule says so."""
        folders = [path[: at + 1] for at, letter in enumerate(path) if letter == "/"]
        said = next((self.skipped[each] for each in (*folders, path) if each in self.skipped), None)
        return said or explain_aside(path)

    def iter_excluded_sources(self) -> Iterator[tuple[str, str]]:
        """Yield the sources that are there and are not searched for servers, and why, so far as they are found soon."""
        rest = MOST_LEFT_OUT
        for name, why in sorted(self.skipped.items(), key=lambda each: (each[1] == NOT_SOURCE, each)):
            waiting = [name] if why != LINKED else []
            while waiting and rest:
                place = waiting.pop()
                rest -= 1
                if place.endswith("/"):
                    waiting += (f"{place}{each.name}{FORMS.get(each.kind, '')}" for each in self._list_folder(place))
                elif os.path.splitext(place)[1] in SUFFIXES:
                    yield place, why
        yield from ((path, aside) for path in self.sources if (aside := explain_aside(path)) is not None)

    def _list_folder(self, folder: str) -> list[FolderEntry]:
        try:
            return [each for each in self.storage.list_folder(folder) if each.kind in FORMS]
        except OSError:
            return []

    def find_text(self, place: str) -> str | None:
        """Return the text of any file under the root, None if there is none that can be read."""
        found = self.look_up(place)
        return found if isinstance(found, str) else None

    def look_up(self, place: str) -> str | Opaque | None:
        """Return the text of any file under the root, None if there is none, why it cannot be read if there is."""
        if place not in self.texts:
            try:
                self.texts[place] = self.storage.find_text(place, LARGEST_TEXT)
            except UNREADABLE as error:
                self.texts[place] = _build_opaque(place, explain_unread(error, LARGEST_TEXT))
        return self.texts[place]

    def read_bytes(self, name: str, most: int) -> bytes:
        """Return a file's contents; nothing of one that is larger than `most`, or cannot be read, which is named."""
        try:
            return self.storage.read(name, most)
        except TooLargeError:
            return b""
        except OSError as error:
            self.gaps[name] = _build_opaque(name, explain_unread(error, most))
            return b""

    def iter_documents(self, *, beside: bool = False) -> Iterator[tuple[str, str]]:
        """Yield the texts of the README in the root and of what lies right in `docs/`, by their paths.

        With `beside`, also those of what lies beside the README, but for what tells of other times.
        """
        for folder, wanted in (("", BESIDE if beside else README), ("docs/", MARKDOWN)):
            try:
                names = [each.name for each in self.storage.list_folder(folder) if wanted.fullmatch(each.name)]
            except OSError:
                continue
            for name in names[:MOST_DOCUMENTS]:
                found = self.look_up(folder + name)
                if isinstance(found, Opaque):
                    self.gaps[folder + name] = found
                elif found is not None:
                    yield folder + name, found

    @property
    def document(self) -> Source | None:
        """The file of tool definitions that is all there is, if one is."""
        only = next(iter(self.sources.values()), None)
        return only if only is not None and os.path.splitext(only.path)[1] in DOCUMENTS else None

    @property
    def size(self) -> int:
        """The bytes of all sources."""
        return sum(len(source.data) for source in self.sources.values())

    def select_suffix(self, suffix: str) -> dict[str, Source]:
        """Return the sources whose name ends in `suffix`."""
        return {path: source for path, source in self.sources.items() if path.endswith(suffix)}


class _ExclusionRules(NamedTuple):
    """What is left out beside what git ignores: the caller's patterns, and tests unless they are wanted."""

    exclude: "GitIgnoreSpec | None"
    tests: bool

    def explain_exclusion(self, path: str, name: str, *, folder: bool) -> str | None:
        if folder and name in NEVER:
            return NOT_SOURCE
        if not self.tests and (name in TEST_FOLDERS if folder else TEST_FILES.fullmatch(name) is not None):
            return TESTS
        return EXCLUDED if self.exclude is not None and self.exclude.match_file(path) else None


def is_aside(path: str) -> bool:
    """Return whether a file is not searched for servers: it lies in a folder with copies of others, or in a hidden one."""
    return explain_aside(path) is not None


def explain_aside(path: str) -> str | None:
    """Return why a file is not searched for servers, though it is read where something is imported from it; None if it is.

    Hidden folders hold the settings of tools: an agent's skills in `.claude/` with a tool as test data were taken for a server's.
    """
    folders = path.split("/")[:-1]
    if not VENDORED.isdisjoint(folders):
        return COPIES
    if any(map(RETIRED.fullmatch, folders)):
        return PUT_AWAY
    return HIDDEN if any(each.startswith(".") for each in folders) else None


def discover_files(
    path: Path,
    exclude: tuple[str, ...] = (),
    *,
    tests: bool = False,
    progress: Progress = ignore_progress,
    storage: Storage | None = None,
) -> Tree:
    """Read the sources and manifests under `path`, a folder or one source file.

    `exclude` are patterns as in `.gitignore`, relative to `path`; `tests` keeps files that look like tests.
    Raises CannotReviewError if `path` is neither.
    """
    if _format_kind(path) == "file":
        tree = Tree(path.parent)
        _read_file(tree, path.name, {})
        return tree
    return fill_tree(Tree(path, storage), exclude, tests=tests, progress=progress)


def fill_tree(
    tree: Tree,
    exclude: tuple[str, ...],
    *,
    tests: bool,
    known: Mapping[str, Source] | None = None,
    progress: Progress = ignore_progress,
) -> Tree:
    """Read what lies in a tree's storage into it, as `find` does.

    A source that is `known` with the same name and content is taken as it is, and so is parsed once for both.
    """
    for count, name in enumerate(iter_paths(tree, exclude, tests=tests)):
        progress(Stage.FINDING_FILES, count)
        if name.rpartition("/")[2] in MANIFESTS:
            _take_manifest(tree, name)
        elif _is_unread(name):
            tree.unread.append(name)
        else:
            _read_file(tree, name, known or {})
    return tree


def iter_paths(tree: Tree, exclude: tuple[str, ...], *, tests: bool) -> Iterator[str]:
    """Return the paths of the sources and manifests in a tree's storage."""
    rules = _ExclusionRules(compile_exclusions(exclude) if exclude else None, tests)
    return _walk(tree, tuple(_iter_outer_filters(tree)), rules)


def read_source(tree: Tree, name: str, known: Mapping[str, Source]) -> Tree:
    """Read one source of a tree's storage into it."""
    _read_file(tree, name, known)
    return tree


def build_file_tree(path: Path, data: bytes) -> Tree:
    """Return a tree of one file that has a text of its own, whatever is on the disk.

    Raises CannotReviewError if its name is that of neither a source nor a file of tool definitions.
    """
    tree = Tree(path.parent)
    if path.suffix not in {*SUFFIXES, *DOCUMENTS}:
        known = ", ".join((*SUFFIXES, *sorted(DOCUMENTS)))
        raise CannotReviewError(
            f"{path}: not the name of a source or tool definition file; expected one that ends in {known}"
        )
    if path.suffix in DOCUMENTS:
        tree.sources[path.name] = Source(path.name, data.removeprefix(BOM))
    elif len(data) > LARGEST:
        raise CannotReviewError(f"{path}: larger than the limit of {LARGEST // 2**20} MB")
    else:
        _take_source(tree, path.name, data, {})
    return tree


def _format_kind(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise CannotReviewError(f"{path}: {_get_reason(error)}; give a folder or a source file") from None
    if stat.S_ISDIR(mode):
        if not os.access(path, os.R_OK | os.X_OK):
            raise CannotReviewError(f"{path}: permission denied; give a readable folder")
        return "folder"
    if stat.S_ISREG(mode) and path.suffix in SUFFIXES:
        return "file"
    if stat.S_ISREG(mode) and path.suffix in UNREAD:
        raise CannotReviewError(f"{path}: {UNREAD[path.suffix]} is not read yet; {INSTEAD}")
    if not stat.S_ISREG(mode):
        raise CannotReviewError(f"{path}: not a regular file; give a folder or a source file")
    raise CannotReviewError(
        f"{path}: neither a folder nor a .py, .rs, .ts or .js file; give the folder of the server's source"
    )


def _get_reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


class _Submodules:
    """The folders of other repositories, by what git knows and by the `.gitmodules` files that are met."""

    def __init__(self, known: frozenset[str]) -> None:
        self._named = set(known)
        self._below: dict[str, set[str]] = {}
        for path in known:
            parts = path.split("/")
            for end, name in enumerate(parts):
                self._below.setdefault("".join(f"{part}/" for part in parts[:end]), set()).add(name)

    def declare(self, tree: Tree, folder: str) -> None:
        """Take those that a folder's `.gitmodules` names; one that cannot be read is named."""
        name = f"{folder}.gitmodules"
        try:
            data = tree.storage.read(name, MOST_IGNORED)
        except (OSError, TooLargeError) as error:
            tree.broken.append(_build_opaque(name, explain_unread(error, MOST_IGNORED)))
            return
        self._named.update(folder + path for path in iter_submodule_paths(data))

    def iter_missing(self, folder: str, listed: list[FolderEntry]) -> Iterator[FolderEntry]:
        """Yield the folders that git knows and that are not there."""
        there = {each.name for each in listed}
        return (FolderEntry(name, "folder") for name in sorted(self._below.get(folder, ())) if name not in there)

    def is_known(self, folder: str) -> bool:
        """Return whether git knows of something within a folder, or of the folder itself."""
        return folder in self._below or folder.rstrip("/") in self._named

    def is_absent(self, folder: str, listed: list[FolderEntry]) -> bool:
        """Return whether a folder is another repository of which nothing is there."""
        return folder.rstrip("/") in self._named and all(each.name == ".git" for each in listed)


def _walk(tree: Tree, outer: tuple[Filter, ...], rules: _ExclusionRules) -> Iterator[str]:
    """Name the files of interest, folder by folder in their order; without recursion, for folders may lie thousands deep."""
    submodules = _Submodules(tree.storage.list_submodules())
    waiting = [_Listed.from_entries("", outer, _collect_entries(tree, "", submodules))]
    while waiting:
        folder, filters, entries, is_package = waiting[-1]
        entry = next(entries, None)
        if entry is None:
            waiting.pop()
            continue
        name = folder + entry.name
        if entry.name == ".gitignore" and entry.kind != "folder":
            waiting[-1] = waiting[-1]._replace(filters=(*filters, *_filter(tree, folder)))
        elif entry.kind == "link":
            tree.skipped |= {name: LINKED, f"{name}/": LINKED}
            _note_link(tree, name, entry.name)
        elif entry.kind == "folder":
            inner = name + "/"
            if _is_left_out(tree, inner, rules.explain_exclusion(inner, entry.name, folder=True), filters):
                continue
            waiting.append(_Listed.from_entries(inner, filters, _collect_entries(tree, inner, submodules)))
        elif entry.kind == "other" or _is_of_interest(entry.name) or _is_unread(entry.name):
            why = rules.explain_exclusion(name, entry.name, folder=False)
            if why == TESTS and is_package and entry.kind == "file" and _holds_no_test(tree, name):
                why = None
            if _is_left_out(tree, name, why, filters):
                continue
            if entry.kind == "file":
                yield name
            else:
                tree.broken.append(_build_opaque(name, "not a regular file; it was not opened"))


def _holds_no_test(tree: Tree, path: str) -> bool:
    """Return whether a module of a package is only called like one of tests; one that cannot be read is taken by its name.

    What lies in no package is a script by which somebody tries something out.
    """
    name = path.rpartition("/")[2]
    if not name.startswith("test_") or not name.endswith(".py"):
        return False
    try:
        return TESTING.search(tree.storage.read(path, LARGEST_TEXT)) is None
    except (OSError, TooLargeError):
        return False


def _is_left_out(tree: Tree, name: str, why: str | None, filters: tuple[Filter, ...]) -> bool:
    """Return whether a rule leaves a file or folder out, for the reason given or because git ignores it, and note why."""
    if why is None and is_ignored(name, filters):
        why = IGNORED
    if why is not None:
        tree.skipped[name] = why
    return why is not None


class _Listed(NamedTuple):
    """A folder that is being gone through."""

    folder: str
    filters: tuple[Filter, ...]
    entries: Iterator[FolderEntry]
    is_package: bool

    @classmethod
    def from_entries(cls, folder: str, filters: tuple[Filter, ...], entries: list[FolderEntry]) -> "_Listed":
        """Return a folder of which nothing was gone through yet."""
        is_package = any(each.name == "__init__.py" and each.kind == "file" for each in entries)
        return cls(folder, filters, iter(entries), is_package)


def _collect_entries(tree: Tree, folder: str, submodules: _Submodules) -> list[FolderEntry]:
    """List a folder, its ignore file first, which holds for all the others; name a submodule that is not checked out."""
    try:
        entries = tree.storage.list_folder(folder)
    except OSError as error:
        if not (isinstance(error, FileNotFoundError) and submodules.is_known(folder)):
            tree.broken.append(_build_unreviewed(folder or ".", f"the folder cannot be read: {_get_reason(error)}"))
            return []
        entries = []
    if folder and submodules.is_absent(folder, entries):
        tree.broken.append((_build_opaque if is_aside(folder) else _build_unreviewed)(folder, NOT_CHECKED_OUT))
        return []
    if any(each.name == ".gitmodules" and each.kind == "file" for each in entries):
        submodules.declare(tree, folder)
    return sorted((*entries, *submodules.iter_missing(folder, entries)), key=lambda entry: entry.name != ".gitignore")


def _filter(tree: Tree, folder: str) -> list[Filter]:
    name = f"{folder}.gitignore"
    try:
        data = tree.storage.read(name, MOST_IGNORED)
    except (OSError, TooLargeError) as error:
        tree.broken.append(_build_opaque(name, explain_unread_ignore(error)))
        return []
    return [Filter(compile_patterns(data.decode("utf-8", "replace").splitlines()), base=folder)]


def _iter_outer_filters(tree: Tree) -> Iterator[Filter]:
    """Yield the patterns of the ignore files above the root, and name the files that were not read."""
    for each in tree.storage.iter_outer_ignores():
        if each.refused:
            tree.broken.append(_build_opaque(each.place, each.refused))
        else:
            yield Filter(compile_patterns(each.lines), inner=each.inner)


def _is_of_interest(name: str) -> bool:
    return os.path.splitext(name)[1] in SUFFIXES or name in MANIFESTS


def _is_unread(name: str) -> bool:
    return os.path.splitext(name)[1] in UNREAD


def _is_document(name: str) -> bool:
    """Return whether `Tree.documents` may read what has this path."""
    folder, _, own = name.rpartition("/")
    return (folder == "" and README.fullmatch(own) is not None) or (
        folder == "docs" and MARKDOWN.fullmatch(own) is not None
    )


def _note_link(tree: Tree, name: str, own: str) -> None:
    """Name a link that leads out of the tree, or nowhere; one within it leads to what is read anyway."""
    wanted = _is_of_interest(own) or _is_unread(own) or _is_document(name)
    if (wanted or tree.storage.is_folder(name)) and tree.storage.leads_out(name):
        tree.broken.append(_build_opaque(name, "a link out of the reviewed folder is not followed"))
    elif wanted and tree.storage.leads_nowhere(name):
        tree.broken.append(_build_opaque(name, "a link that leads to nothing"))


def _take_manifest(tree: Tree, name: str) -> None:
    """Take a manifest or a lock file into a tree, or say why it will not be read."""
    try:
        tree.manifests[name] = tree.storage.open_manifest(name)
    except UNREADABLE as error:
        tree.broken.append(_build_opaque(name, explain_unread(error, MOST_MANIFEST)))


def _read_file(tree: Tree, name: str, known: Mapping[str, Source]) -> None:
    try:
        data = tree.storage.read(name, LARGEST)
    except UNREADABLE as error:
        is_bundle = isinstance(error, TooLargeError) and name.endswith(COMPILED)  # no person wrote it
        build = _build_opaque if is_bundle else _build_unreviewed
        # What may not be read may be a server, in whatever language; what is too large is likelier a page's.
        broken = _choose_broken(tree, name) if isinstance(error, TooLargeError) else tree.broken
        broken.append(build(name, explain_unread(error, LARGEST)))
        return
    _take_source(tree, name, data, known)


def _take_source(tree: Tree, name: str, data: bytes, known: Mapping[str, Source]) -> None:
    """Take what a file holds into a tree, or say why it is no source."""
    try:
        text = decode_source(data, python=name.endswith(".py"))
    except IllegibleError as error:
        speaks = error.hides or b"mcp" in data.lower()  # a file that does not declares no tool by itself
        _choose_broken(tree, name).append((_build_unreviewed if speaks else _build_opaque)(name, str(error)))
        return
    same, is_as_stored = known.get(name), text == data.removeprefix(BOM)
    if same is not None and (same.data, same.is_as_stored) == (text, is_as_stored):
        tree.sources[name] = same
    else:
        tree.sources[name] = Source(name, text, is_as_stored=is_as_stored)


def _choose_broken(tree: Tree, name: str) -> list[Opaque]:
    """Return where it is kept that a source cannot be read."""
    return tree.broken_scripts if name.endswith(SCRIPTS) else tree.broken


def _build_unreviewed(name: str, reason: str) -> Unreviewed:
    """Name what may declare tools and was not read: no report over it is a PASS."""
    return Unreviewed(reason, Span(name, 1, 1, 1, 1))


def _build_opaque(name: str, reason: str) -> Opaque:
    return Opaque(reason, Span(name, 1, 1, 1, 1))
