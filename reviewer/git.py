"""A commit of the repository around a path, read without touching it: no checkout, no index, no ref, nothing that it configures.

Git reads objects and nothing else here: no hook, filter, external diff, file system monitor or transport is run, whatever the
repository's own configuration says.
"""

import os
import posixpath
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha1, sha256
from io import StringIO
from pathlib import Path
from typing import Literal

from reviewer.files import LFS, CannotReviewError
from reviewer.source import Source
from reviewer.storage import Disk, Entry, Manifest, OuterIgnore, TooLargeError

SAFELY = ("--no-pager", "--no-replace-objects", "--literal-pathspecs")
SETTINGS = {"core.fsmonitor": "false", "safe.bareRepository": "explicit", "core.hooksPath": os.devnull}
KEPT = ("GIT_CONFIG", "GIT_CEILING", "GIT_EXEC_PATH", "GIT_TEST")
"""What the caller's variables for git may begin with: others may lead to another repository."""

UNREACHABLE = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Variables that keep git from writing, from asking and from the network, where objects of a partial clone may lie."""

SHALLOW = "this clone is shallow; fetch its history (`git fetch --unshallow`, or `fetch-depth: 0` of actions/checkout)"
LINKS = 40
"""Links that are followed one after another."""

MODES: dict[str, Literal["file", "folder", "link", "other"]] = {
    "120000": "link",
    "160000": "folder",
    "040000": "folder",
}


@dataclass(frozen=True)
class Base:
    """The commit that a review is compared with. `named` is what the caller calls it, `renames` lead from old paths to new."""

    repository: "Repository"
    named: str
    commit: str
    renames: dict[str, str]


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
        return Base(self, named, commit, dict(self._renames(commit, ours)))

    def listed(self, commit: str) -> dict[str, tuple[str, str]]:
        """List what a commit holds below the folder, and the ignore files above it: mode and object, by path from the top."""
        parts = self.prefix.split("/")[:-1]
        above = ["/".join((*parts[:end], ".gitignore")) for end in range(len(parts))]
        wanted = (self.prefix, *above) if self.prefix else ()
        listing = self._done("ls-tree", "-r", "-z", "--full-tree", commit, "--", *wanted)
        return {path: (mode, name) for mode, name, path in map(_entry, listing.split(b"\0")[:-1])}

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
                f"git does not trust {folder}, which belongs to somebody else;"
                f" if you do: git config --global --add safe.directory {top}"
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
            f"; did you mean `origin/{named}`?" if self._commit(f"origin/{named}") else "; fetch it, or mend the name"
        )
        return f"no such commit here{near}"

    def _is_shallow(self) -> bool:
        return self._run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def _renames(self, before: str, after: str) -> Iterator[tuple[str, str]]:
        said = self._done(
            *("diff-tree", "-r", "-z", "-M", "--name-status", "--diff-filter=R", "--no-ext-diff", "--no-textconv"),
            *("--ignore-submodules=all", before, after),
        )
        parts = [os.fsdecode(each) for each in said.split(b"\0")]
        for old, new_ in zip(parts[1::3], parts[2::3], strict=False):
            if old.startswith(self.prefix) and new_.startswith(self.prefix):
                yield old.removeprefix(self.prefix), new_.removeprefix(self.prefix)

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
        except FileNotFoundError:
            raise CannotReviewError("--diff: git is not installed, or not on the PATH") from None

    def _start(self, how: str) -> "subprocess.Popen[bytes]":
        pipe, command = subprocess.PIPE, self._command("cat-file", how)
        return subprocess.Popen(command, env=_variables(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def _command(self, *arguments: str) -> list[str]:
        settings = (part for each in SETTINGS.items() for part in ("-c", "=".join(each)))
        return ["git", "-C", str(self._folder), *SAFELY, *settings, *arguments]


def _variables() -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith(KEPT)}
    return {**own, **UNREACHABLE}


def _entry(line: bytes) -> tuple[str, str, str]:
    """Take `mode type object<tab>path` apart."""
    about, _, path = line.partition(b"\t")
    mode, _, name = about.decode().split(" ")
    return mode, name, os.fsdecode(path)


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


class Commit:
    """The files of a base below its folder, as a storage. What is `known` with the same content is not read again.

    A submodule is read where it is checked out, for its files are no part of the commit.
    """

    def __init__(self, base: Base, disk: Disk, known: Mapping[str, Source]) -> None:
        self._blobs = base.repository.blobs()
        self._disk = disk
        self._known = known
        self._prefix = base.repository.prefix
        self._listed = base.repository.listed(base.commit)

    def close(self) -> None:
        """Let git's processes end."""
        self._blobs.close()

    @cached_property
    def _folders(self) -> dict[str, dict[str, Entry]]:
        """What lies in each folder below the root, by its name."""
        folders: dict[str, dict[str, Entry]] = {"": {}}
        for path, (mode, _) in self._listed.items():
            if not path.startswith(self._prefix):
                continue
            above, _, name = path.removeprefix(self._prefix).rpartition("/")
            self._enter(folders, above)[name] = Entry(name, MODES.get(mode, "file"))
        return folders

    def _enter(self, folders: dict[str, dict[str, Entry]], folder: str) -> dict[str, Entry]:
        """Give the entries of a folder, which lies in the ones above it."""
        key = f"{folder}/" if folder else ""
        if key not in folders:
            folders[key] = {}
            above, _, name = folder.rpartition("/")
            self._enter(folders, above)[name] = Entry(name, "folder")
        return folders[key]

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        return tuple(f"{path}/" for path, (mode, _) in self._listed.items() if mode == "160000")

    def _in_submodule(self, place: str) -> bool:
        return bool(self._submodules) and f"{self._prefix}{place.rstrip('/')}/".startswith(self._submodules)

    def entries(self, folder: str) -> list[Entry]:
        """List a folder, sorted by name."""
        if folder and self._in_submodule(folder):
            try:
                return self._disk.entries(folder)
            except FileNotFoundError:
                return []
        return sorted(self._folders.get(folder, {}).values())

    def has(self, name: str) -> bool:
        """Tell whether there is a file of that name."""
        return self._listed.get(self._prefix + name, ("", ""))[0].startswith("100")

    def read(self, name: str, most: int) -> bytes:
        """Give a file's bytes. Raises TooLargeError if they are more than `most`."""
        if self._in_submodule(name):
            return self._disk.read(name, most)
        try:
            _, blob = self._listed[self._prefix + name]
        except KeyError:
            raise FileNotFoundError(2, "No such file or directory") from None
        same = self._same(name, blob)
        if same is not None:
            return same
        data = self._blobs.read(blob, most)
        known = self._known.get(name)
        if data.startswith(LFS) and known is not None and sha256(known.data).hexdigest().encode() in data:
            return known.data
        return data

    def _same(self, name: str, blob: str) -> bytes | None:
        """Give the content of a known source if it is that of a blob, though with other line ends or a byte order mark."""
        known = self._known.get(name)
        if known is None:
            return None
        data = known.data
        forms = (data, data.replace(b"\r\n", b"\n")) if b"\r\n" in data else (data,)
        marked = (b"\xef\xbb\xbf" + each for each in forms)
        return data if any(blob_name(each, len(blob)) == blob for each in (*forms, *marked)) else None

    def manifest(self, name: str) -> Manifest:
        """Give a file that may be read later; that of the disk if it is the same."""
        on_disk = self._disk.manifest(name)
        _, blob = self._listed.get(self._prefix + name, ("", ""))
        if self._in_submodule(name) or blob == self._on_disk(name, len(blob)):
            return on_disk
        return Stored(self, name)

    def _on_disk(self, name: str, digits: int) -> str | None:
        try:
            return blob_name(self._disk.read(name, MOST), digits)
        except (OSError, TooLargeError):
            return None

    def leads_out(self, link: str) -> bool:
        """Tell whether a link leads out of the root, or nowhere."""
        return self._followed(link) is None

    def is_folder(self, link: str) -> bool:
        """Tell whether a link leads to a folder."""
        place = self._followed(link)
        return place is not None and (place == "" or f"{place}/" in self._folders)

    def text(self, place: str, most: int) -> str | None:
        """Give the text of any file, None if it is not there, no UTF-8, a link out, or more than `most` bytes."""
        followed = self._followed(place)
        if followed is None:
            return None
        try:
            data = self.read(followed, most)
            return StringIO(data.decode("utf-8"), newline=None).read()
        except (OSError, ValueError, TooLargeError):
            return None

    def _followed(self, place: str) -> str | None:
        """Follow every link on the way to a place; None if the way leads out of the root."""
        waiting = place.split("/")
        done: list[str] = []
        for _ in range(LINKS + len(waiting)):
            while waiting and waiting[0] in ("", "."):
                waiting.pop(0)
            if not waiting:
                return "/".join(done)
            part = waiting.pop(0)
            if part == "..":
                if not done:
                    return None
                done.pop()
                continue
            mode, blob = self._listed.get(self._prefix + "/".join((*done, part)), ("", ""))
            if mode != "120000":
                done.append(part)
                continue
            target = os.fsdecode(self._blobs.read(blob, MOST))
            if target.startswith("/"):
                return None
            waiting = [*target.split("/"), *waiting]
        return None

    def outer_ignores(self) -> Iterator[OuterIgnore]:
        """Give the ignore files between the checkout's top and the root, outermost first."""
        yield from (each for each in self._disk.outer_ignores() if each.own)
        parts = self._prefix.split("/")[:-1]
        for end in range(len(parts)):
            _, blob = self._listed.get("/".join((*parts[:end], ".gitignore")), ("", ""))
            if blob:
                text = self._blobs.read(blob, MOST).decode("utf-8", "replace")
                yield OuterIgnore(text.splitlines(), "/".join(parts[end:]) + "/")


MOST = 2**24
"""Bytes of a manifest, an ignore file or a link."""


class Stored:
    """A manifest of a commit."""

    def __init__(self, commit: Commit, path: str) -> None:
        self._commit = commit
        self._path = path
        self.name = posixpath.basename(path)

    def read_text(self, encoding: str, errors: str) -> str:
        """Give what stands in it. Raises OSError."""
        try:
            return StringIO(self._commit.read(self._path, MOST).decode(encoding, errors), newline=None).read()
        except TooLargeError:
            raise OSError(27, "File too large") from None


def blob_name(data: bytes, digits: int) -> str:
    """Give the name that git gives a blob, in SHA-1 or SHA-256 by the number of its digits."""
    name = (sha1 if digits == 40 else sha256)(b"blob %d\0" % len(data), usedforsecurity=False)
    name.update(data)
    return name.hexdigest()
