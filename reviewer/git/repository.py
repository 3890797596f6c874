"""The repository around a path, read without touching it: no checkout, nothing written, nothing run that it configures."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from reviewer.files.discovery import CannotReviewError
from reviewer.files.storage import TooLargeError
from reviewer.git.commands import Git, Talk
from reviewer.records import dataclass

SUBMODULE = "160000"
"""The mode of a folder that is another repository."""

SHALLOW = "this clone is shallow; fetch its history (`git fetch --unshallow`, or `fetch-depth: 0` of actions/checkout)"


@dataclass(frozen=True)
class Base:
    """The commit that a review is compared with. `named` is what the caller calls it, `renames` lead from old paths to new.

    `changed` are the paths from the repository's top that commits since then made or changed.
    """

    repository: "Repository"
    named: str
    commit: str
    renames: dict[str, str]
    changed: frozenset[str] = frozenset()


class Repository:
    """The repository around a folder. `prefix` is the way from its top to the folder, empty or with a slash at its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git = Git(folder)
        self.prefix = self._locate("--show-prefix")
        self._own = self._locate("--absolute-git-dir")

    def find_base(self, named: str) -> Base:
        """Find the commit where the history of `named` and of the checked-out commit parts.

        Raises CannotReviewError, in one line, if one of them or their common history is not there.
        """
        theirs = self._resolve_commit(named)
        if theirs is None:
            raise CannotReviewError(f"--diff {named}: {self._format_absent(named)}")
        ours = self._resolve_commit("HEAD")
        if ours is None:
            raise CannotReviewError(f"--diff {named}: there is no commit on this branch yet")
        found = self._git.run("merge-base", ours, theirs)
        if found.returncode:
            why = (
                SHALLOW
                if self._is_shallow()
                else "the two have no common commit; name one that this branch started from"
            )
            raise CannotReviewError(f"--diff {named}: no merge base of it and HEAD: {why}")
        commit = os.fsdecode(found.stdout).strip()
        changes = tuple(self._iter_changes(commit, ours))
        inside = ((old, new) for old, new in changes if old.startswith(self.prefix) and new.startswith(self.prefix))
        renames = {old.removeprefix(self.prefix): new.removeprefix(self.prefix) for old, new in inside if old != new}
        return Base(self, named, commit, renames, frozenset(path for change in changes for path in change))

    @property
    def top(self) -> Path:
        """The folder of the work tree that the repository's paths begin at."""
        folder = Path(os.path.realpath(self._folder))
        return folder.parents[self.prefix.count("/") - 1] if self.prefix else folder

    def find_staged_paths(self, commit: str) -> frozenset[str]:
        """Return the paths, from the top, of which the index holds something else than a commit; none if it cannot be read."""
        listing = self._git.run(
            *("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules=all", commit),
            within=self._own,
        )
        names = listing.stdout.split(b"\0")[:-1] if not listing.returncode else ()
        return frozenset(map(os.fsdecode, names))

    def find_entry(self, commit: str, path: str) -> tuple[str, str] | None:
        """Return the mode and the object of a path from the top, None if the commit has none there."""
        lines = self._get_done("ls-tree", "-z", "--full-tree", commit, "--", path).split(b"\0")[:-1]
        return next(((mode, name) for mode, name, found in map(_parse_entry, lines) if found == path), None)

    def list_tree(self, commit: str) -> dict[str, tuple[str, str]]:
        """List what a commit holds below the folder, and the ignore files above it: mode and object, by path from the top."""
        parts = self.prefix.split("/")[:-1]
        above = ["/".join((*parts[:end], ".gitignore")) for end in range(len(parts))]
        wanted = (self.prefix, *above) if self.prefix else ()
        listing = self._get_done("ls-tree", "-r", "-z", "--full-tree", commit, "--", *wanted)
        return {path: (mode, name) for mode, name, path in map(_parse_entry, listing.split(b"\0")[:-1])}

    def list_submodules(self) -> frozenset[str]:
        """Return the folders below this one that are other repositories, by the checked-out commit or by the index."""
        staged = map(_parse_staged_entry, self._get_done("ls-files", "--stage", "--full-name", "-z").split(b"\0")[:-1])
        both = (*staged, *((mode, path) for path, (mode, _) in self.list_tree("HEAD").items()))
        return select_below(self.prefix, (path for mode, path in both if mode == SUBMODULE))

    def open_blobs(self) -> "Blobs":
        """Open what gives the contents of objects."""
        return Blobs(self._git.start_talk("cat-file", "--batch-check"), self._git.start_talk("cat-file", "--batch"))

    def _locate(self, what: str) -> str:
        found = self._git.run("rev-parse", what)
        if found.returncode:
            raise CannotReviewError(f"--diff: {self._format_unreadable(os.fsdecode(found.stderr))}")
        return os.fsdecode(found.stdout).removesuffix("\n")

    def _format_unreadable(self, said: str) -> str:
        folder = self._folder
        if "dubious ownership" in said:
            top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
            return (
                f"git older than 2.38 refuses to read {folder}, which belongs to another user; update git, or run:"
                f" git config --global --add safe.directory {top}"
            )
        if "bare repository" in said or "must be run in a work tree" in said:
            return f"{folder} is a bare repository; check it out: the review compares a commit with files"
        if "not a git repository" in said:
            return f"{folder} is in no git repository; a base is a commit of one"
        first = next(iter(said.splitlines()), "git fails without a message")
        return f"{folder}: {first.removeprefix('fatal: ')}"

    def _resolve_commit(self, named: str) -> str | None:
        found = self._git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}")
        return os.fsdecode(found.stdout).strip() if not found.returncode else None

    def _format_absent(self, named: str) -> str:
        if self._is_shallow():
            return f"no such commit here, for {SHALLOW}"
        near = (
            f"; did you mean `origin/{named}`?"
            if self._resolve_commit(f"origin/{named}")
            else "; fetch it, or correct the name"
        )
        return f"no such commit here{near}"

    def _is_shallow(self) -> bool:
        return self._git.run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def _iter_changes(self, before: str, after: str) -> Iterator[tuple[str, str]]:
        """Return the paths that differ between two commits, from the top, old and new; a rename tells them apart."""
        said = self._get_done(
            *("diff-tree", "-r", "-z", "-M", "--name-status", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules=all", before, after),
            within=self._own,
        )
        parts = iter([os.fsdecode(each) for each in said.split(b"\0")])
        for status in parts:
            if status:
                old = next(parts)
                yield old, next(parts) if status.startswith("R") else old

    def _get_done(self, *arguments: str, within: str | None = None) -> bytes:
        found = self._git.run(*arguments, within=within)
        if found.returncode:
            first = next(iter(os.fsdecode(found.stderr).splitlines()), "")
            raise CannotReviewError(f"--diff: git {arguments[0]}: {first.removeprefix('fatal: ') or 'it fails'}")
        return found.stdout


def _parse_entry(line: bytes) -> tuple[str, str, str]:
    """Take `mode type object<tab>path` apart."""
    about, _, path = line.partition(b"\t")
    mode, _, name = about.decode().split(" ")
    return mode, name, os.fsdecode(path)


def _parse_staged_entry(line: bytes) -> tuple[str, str]:
    """Take the mode and the path out of `mode object stage<tab>path`."""
    about, _, path = line.partition(b"\t")
    return about.decode().partition(" ")[0], os.fsdecode(path)


def select_below(prefix: str, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that begin with a prefix, without it."""
    return frozenset(path.removeprefix(prefix) for path in paths if path.startswith(prefix))


class Blobs:
    """Contents of objects by their names, one after another."""

    def __init__(self, sizes: Talk, contents: Talk) -> None:
        self._sizes = sizes
        self._contents = contents

    def read(self, name: str, most: int) -> bytes:
        """Return a blob. Raises TooLargeError, or CannotReviewError if the object is not in this clone."""
        size = self._request_size(self._sizes, name)
        if size > most:
            raise TooLargeError(size)
        self._request_size(self._contents, name)
        return self._contents.read(size + 1)[:-1]

    def _request_size(self, talk: Talk, name: str) -> int:
        said = talk.ask(name).split()
        if len(said) != 3 or said[1] != b"blob":
            raise CannotReviewError(
                f"--diff: an object of the base is missing or broken: {name[:12]}; fetch all of it (a partial clone has"
                " not everything), or run `git fsck`"
            )
        return int(said[2])

    def close(self) -> None:
        """Let git's processes end."""
        self._sizes.close()
        self._contents.close()
