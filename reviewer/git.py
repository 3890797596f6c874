"""The repository around a path, read without touching it: no checkout, nothing written, nothing run that it configures.

A checkout may be a stranger's, and its configuration names programs: hooks, filters, external diffs, text conversions, monitors
of files, transports, pagers. Git reads objects, refs and the index, by commands that start none of them; what could still start
one is switched off for each call. So it is also safe to read a repository that belongs to somebody else.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reviewer.files import CannotReviewError
from reviewer.storage import TooLargeError

SAFELY = ("--no-pager", "--no-replace-objects", "--literal-pathspecs")
SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "safe.bareRepository": "explicit",
    "safe.directory": "*",  # git refuses because of what it would run; nothing is run
}
KEPT = frozenset(
    "GIT_CEILING_DIRECTORIES GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_CONFIG_SYSTEM GIT_EXEC_PATH"
    " GIT_TEST_ASSUME_DIFFERENT_OWNER".split()
)
"""The caller's variables for git that hold: where git and the user's own settings lie. Others lead to another repository, or name
programs."""

UNREACHABLE = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Variables that keep git from writing, from asking and from the network, where objects of a partial clone may lie."""

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
        self.prefix = self._located("--show-prefix")

    def base(self, named: str) -> Base:
        """Find the commit where the history of `named` and of the checked-out commit parts.

        Raises CannotReviewError, in one line, if one of them or their common history is not there.
        """
        theirs = self._commit(named)
        if theirs is None:
            raise CannotReviewError(f"--diff {named}: {self._absent(named)}")
        ours = self._commit("HEAD")
        if ours is None:
            raise CannotReviewError(f"--diff {named}: there is no commit on this branch yet")
        found = self._run("merge-base", ours, theirs)
        if found.returncode:
            why = (
                SHALLOW
                if self._is_shallow()
                else "the two have no commit in common; name one that this branch began at"
            )
            raise CannotReviewError(f"--diff {named}: no merge base of it and HEAD: {why}")
        commit = os.fsdecode(found.stdout).strip()
        changes = tuple(self._changes(commit, ours))
        inside = ((old, new) for old, new in changes if old.startswith(self.prefix) and new.startswith(self.prefix))
        renames = {old.removeprefix(self.prefix): new.removeprefix(self.prefix) for old, new in inside if old != new}
        return Base(self, named, commit, renames, frozenset(path for change in changes for path in change))

    @property
    def top(self) -> Path:
        """The folder of the work tree that the repository's paths begin at."""
        folder = Path(os.path.realpath(self._folder))
        return folder.parents[self.prefix.count("/") - 1] if self.prefix else folder

    def staged(self, commit: str) -> frozenset[str]:
        """Return the paths, from the top, of which the index holds something else than a commit; none if it cannot be read."""
        listing = self._run(
            *("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules=all", commit),
        )
        names = listing.stdout.split(b"\0")[:-1] if not listing.returncode else ()
        return frozenset(map(os.fsdecode, names))

    def entry(self, commit: str, path: str) -> tuple[str, str] | None:
        """Return the mode and the object of a path from the top, None if the commit has none there."""
        lines = self._done("ls-tree", "-z", "--full-tree", commit, "--", path).split(b"\0")[:-1]
        return next(((mode, name) for mode, name, found in map(_entry, lines) if found == path), None)

    def listed(self, commit: str) -> dict[str, tuple[str, str]]:
        """List what a commit holds below the folder, and the ignore files above it: mode and object, by path from the top."""
        parts = self.prefix.split("/")[:-1]
        above = ["/".join((*parts[:end], ".gitignore")) for end in range(len(parts))]
        wanted = (self.prefix, *above) if self.prefix else ()
        listing = self._done("ls-tree", "-r", "-z", "--full-tree", commit, "--", *wanted)
        return {path: (mode, name) for mode, name, path in map(_entry, listing.split(b"\0")[:-1])}

    def submodules(self) -> frozenset[str]:
        """Return the folders below this one that are other repositories, by the checked-out commit or by the index."""
        staged = map(_staged, self._done("ls-files", "--stage", "--full-name", "-z").split(b"\0")[:-1])
        both = (*staged, *((mode, path) for path, (mode, _) in self.listed("HEAD").items()))
        return below(self.prefix, (path for mode, path in both if mode == SUBMODULE))

    def blobs(self) -> "Blobs":
        """Open what gives the contents of objects."""
        return Blobs(self._start("--batch-check"), self._start("--batch"))

    def _located(self, what: str) -> str:
        found = self._run("rev-parse", what)
        if found.returncode:
            raise CannotReviewError(f"--diff: {self._unreadable(os.fsdecode(found.stderr))}")
        return os.fsdecode(found.stdout).removesuffix("\n")

    def _unreadable(self, said: str) -> str:
        folder = self._folder
        if "dubious ownership" in said:
            top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
            return (
                f"git older than 2.38 refuses to read {folder}, which belongs to another user; update git, or run:"
                f" git config --global --add safe.directory {top}"
            )
        if "bare repository" in said or "must be run in a work tree" in said:
            return f"{folder} is a bare repository; check it out, for the review compares a commit with files"
        if "not a git repository" in said:
            return f"{folder} is in no git repository; a base is a commit of one"
        first = next(iter(said.splitlines()), "git fails without a word")
        return f"{folder}: {first.removeprefix('fatal: ')}"

    def _commit(self, named: str) -> str | None:
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{named}^{{commit}}")
        return os.fsdecode(found.stdout).strip() if not found.returncode else None

    def _absent(self, named: str) -> str:
        if self._is_shallow():
            return f"no such commit here, for {SHALLOW}"
        near = (
            f"; did you mean `origin/{named}`?"
            if self._commit(f"origin/{named}")
            else "; fetch it, or correct the name"
        )
        return f"no such commit here{near}"

    def _is_shallow(self) -> bool:
        return self._run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def _changes(self, before: str, after: str) -> Iterator[tuple[str, str]]:
        """Return the paths that differ between two commits, from the top, old and new; a rename tells them apart."""
        said = self._done(
            *("diff-tree", "-r", "-z", "-M", "--name-status", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules=all", before, after),
        )
        parts = iter([os.fsdecode(each) for each in said.split(b"\0")])
        for status in parts:
            if status:
                old = next(parts)
                yield old, next(parts) if status.startswith("R") else old

    def _done(self, *arguments: str) -> bytes:
        found = self._run(*arguments)
        if found.returncode:
            first = next(iter(os.fsdecode(found.stderr).splitlines()), "")
            raise CannotReviewError(f"--diff: git {arguments[0]}: {first.removeprefix('fatal: ') or 'it fails'}")
        return found.stdout

    def _run(self, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(
                self._command(*arguments), capture_output=True, stdin=subprocess.DEVNULL, env=_variables(), check=False
            )
        except OSError as error:
            raise CannotReviewError(f"--diff: git does not start: {(error.strerror or '').lower()}") from None

    def _start(self, how: str) -> "subprocess.Popen[bytes]":
        pipe, command = subprocess.PIPE, self._command("cat-file", how)
        return subprocess.Popen(command, env=_variables(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def _command(self, *arguments: str) -> list[str]:
        settings = (part for each in SETTINGS.items() for part in ("-c", "=".join(each)))
        return [_program(os.get_exec_path()), "-C", str(self._folder), *SAFELY, *settings, *arguments]


def _program(path: Iterable[str]) -> str:
    """Return where git is installed. A relative folder of the PATH, or the current one, may be the checkout, and is passed over.

    Windows looks into the current folder first, whatever the PATH says. Raises CannotReviewError.
    """
    name = "git.exe" if os.name == "nt" else "git"
    found = (os.path.join(folder, name) for folder in path if os.path.isabs(folder))
    program = next((each for each in found if os.path.isfile(each) and os.access(each, os.X_OK)), None)
    if program is None:
        raise CannotReviewError("--diff: git is not installed, or not on the PATH")
    return program


def _variables() -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.upper().startswith("GIT_") or key in KEPT}
    return {**own, **UNREACHABLE}


def _entry(line: bytes) -> tuple[str, str, str]:
    """Take `mode type object<tab>path` apart."""
    about, _, path = line.partition(b"\t")
    mode, _, name = about.decode().split(" ")
    return mode, name, os.fsdecode(path)


def _staged(line: bytes) -> tuple[str, str]:
    """Take the mode and the path out of `mode object stage<tab>path`."""
    about, _, path = line.partition(b"\t")
    return about.decode().partition(" ")[0], os.fsdecode(path)


def below(prefix: str, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that begin with a prefix, without it."""
    return frozenset(path.removeprefix(prefix) for path in paths if path.startswith(prefix))


class Blobs:
    """Contents of objects by their names, one after another."""

    def __init__(self, sizes: "subprocess.Popen[bytes]", contents: "subprocess.Popen[bytes]") -> None:
        self._sizes = sizes
        self._contents = contents

    def read(self, name: str, most: int) -> bytes:
        """Give a blob. Raises TooLargeError, or CannotReviewError if the object is not in this clone."""
        size = self._asked(self._sizes, name)
        if size > most:
            raise TooLargeError(size)
        self._asked(self._contents, name)
        assert self._contents.stdout is not None
        return self._contents.stdout.read(size + 1)[:-1]

    def _asked(self, process: "subprocess.Popen[bytes]", name: str) -> int:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{name}\n".encode())
            process.stdin.flush()
            said = process.stdout.readline().split()
        except BrokenPipeError:
            said = []
        if len(said) != 3 or said[1] != b"blob":
            raise CannotReviewError(
                f"--diff: an object of the base is missing or broken: {name[:12]}; fetch all of it (a partial clone has"
                " not everything), or run `git fsck`"
            )
        return int(said[2])

    def close(self) -> None:
        """Let the processes end."""
        for process in (self._sizes, self._contents):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            process.wait()
