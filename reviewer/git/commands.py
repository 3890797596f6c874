"""The one place that runs git: for a bounded time, executing nothing that a checkout configures, opening nothing without an end.

A checkout may be a stranger's, and its configuration names programs: hooks, filters, external diffs, text conversions, monitors
of files, transports, pagers. Git reads objects, refs and the index, by commands that start none of them; what could still start
one is switched off for each call. So it is also safe to read a repository that belongs to somebody else.
"""

import contextlib
import os
import re
import stat
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from reviewer.failures import CannotReviewError
from reviewer.files.storage import TooLargeError, read_regular

SECONDS = 60.0
"""How long a command of git may take, or what it is asked for. On large repositories with a cold disk they take some seconds."""

SAFELY = ("--no-pager", "--no-replace-objects", "--literal-pathspecs")
"""No pager that would wait for a key, no objects that a repository puts in the place of others, no signs of a pattern in a
path."""

SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
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

MOST_LOOKED_AT = 200_000
"""Files of a repository that are looked at before git opens them. Behind that, only the time of a command is bounded."""

NEVER_OPENED = frozenset({"hooks", "lfs", "modules"})
"""What lies in a repository and no command that is run here looks into."""

LONGEST = 2**16
"""Bytes of a file that leads to another folder."""


class Git:
    """The commands of git in a folder. Raises CannotReviewError for a repository in which one would wait without end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        special = next(_iter_special(Path(os.path.realpath(folder))), None)
        if special is not None:
            raise CannotReviewError(f"--diff: {special} is a pipe or a device, at which git would wait; remove it")

    def run(self, *arguments: str, within: str | None = None) -> "subprocess.CompletedProcess[bytes]":
        """Run a command to its end. Raises CannotReviewError if git does not start, or takes too long.

        Where the repository is given that it is to be run `within`, that stands for the work tree too, whose attributes are not
        read then.
        """
        try:
            return subprocess.run(
                self._collect_command(*arguments, within=within),
                capture_output=True,
                stdin=subprocess.DEVNULL,
                env=_collect_variables(),
                check=False,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise CannotReviewError(_format_endless(arguments[0])) from None
        except OSError as error:
            raise CannotReviewError(f"--diff: git does not start: {(error.strerror or '').lower()}") from None

    def start_talk(self, *arguments: str) -> "Talk":
        """Start a command that answers what it is asked."""
        pipe = subprocess.PIPE
        started = subprocess.Popen(
            self._collect_command(*arguments),
            env=_collect_variables(),
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
        )
        return Talk(started, arguments[0])

    def _collect_command(self, *arguments: str, within: str | None = None) -> list[str]:
        settings = (part for each in SETTINGS.items() for part in ("-c", "=".join(each)))
        place = (
            ("-C", str(self._folder)) if within is None else ("-C", within, "--git-dir", within, "--work-tree", within)
        )
        return [_format_program(os.get_exec_path()), *place, *SAFELY, *settings, *arguments]


class Talk:
    """A command of git that answers line by line. It is ended if it takes too long for an answer."""

    def __init__(self, process: "subprocess.Popen[bytes]", name: str) -> None:
        self._process = process
        self._name = name
        self._due: float | None = None
        self._is_late = False
        self._closed = Event()
        Thread(target=self._enforce_deadline, daemon=True).start()

    def ask(self, line: str) -> bytes:
        """Return the line that answers one; empty if the command ended. Raises CannotReviewError if it takes too long."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._due = monotonic() + SECONDS
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
            return self._get_in_time(self._process.stdout.readline())
        except BrokenPipeError:
            return self._get_in_time(b"")

    def read(self, size: int) -> bytes:
        """Return so many bytes of what follows an answer, or fewer if it ended. Raises CannotReviewError if it takes too long."""
        assert self._process.stdout is not None
        self._due = monotonic() + SECONDS
        return self._get_in_time(self._process.stdout.read(size))

    def _get_in_time(self, found: bytes) -> bytes:
        self._due = None
        if self._is_late:
            raise CannotReviewError(_format_endless(self._name))
        return found

    def _enforce_deadline(self) -> None:
        while not self._closed.wait(min(1.0, SECONDS / 4)):
            due = self._due
            if due is not None and monotonic() > due:
                self._is_late = True
                self._process.kill()
                return

    def close(self) -> None:
        """Let the command end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._closed.set()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _format_endless(command: str) -> str:
    return (
        f"--diff: git {command} did not end in {SECONDS:.0f} s; its configuration may lead to what has no end"
        " (`git config --show-origin --list`)"
    )


def _format_program(path: Iterable[str]) -> str:
    """Return where git is installed. A relative folder of the PATH, or the current one, may be the checkout, and is passed over.

    Windows looks into the current folder first, whatever the PATH says. Raises CannotReviewError.
    """
    name = "git.exe" if os.name == "nt" else "git"
    found = (os.path.join(folder, name) for folder in path if os.path.isabs(folder))
    program = next((each for each in found if os.path.isfile(each) and os.access(each, os.X_OK)), None)
    if program is None:
        raise CannotReviewError("--diff: git is not installed, or not on the PATH")
    return program


def _collect_variables() -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.upper().startswith("GIT_") or key in KEPT}
    return {**own, **UNREACHABLE}


def _iter_special(folder: Path) -> Iterator[Path]:
    """Yield the paths that git would open around a folder and that are a pipe or a device, or lead to one."""
    for each in (folder, *folder.parents):
        own = each / ".git"
        yield from filter(_is_special, (own, *(each / name for name in ("HEAD", "commondir", "config"))))
        for place in _iter_git_folders(own):
            yield from _iter_special_below(place)
        if own.is_file() or os.path.lexists(own / "HEAD"):
            return


def _iter_git_folders(own: Path) -> Iterator[Path]:
    """Yield the folders of a repository: what `.git` is or names, and the one that a work tree shares with others."""
    named = re.fullmatch(r"gitdir: ([^\0\n]+)\n?", _get_text(own)) if own.is_file() else None
    place = own.parent / named[1] if named is not None else own
    yield place
    shared = _get_text(place / "commondir").strip()
    if shared and "\0" not in shared:
        yield Path(os.path.realpath(place / shared))


def _get_text(file: Path) -> str:
    try:
        return os.fsdecode(read_regular(file, LONGEST))
    except (OSError, TooLargeError):
        return ""


def _iter_special_below(place: Path) -> Iterator[Path]:
    waiting, seen, count = [str(place)], set[tuple[int, int]](), 0
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.is_file(follow_symlinks=False) or (folder == str(place) and entry.name in NEVER_OPENED):
                continue
            if not entry.is_symlink() and entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif _is_special(Path(entry.path)):
                yield Path(entry.path)
            elif entry.is_dir():  # by a link
                status = entry.stat()
                if (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    waiting.append(entry.path)
        count += len(entries)
        if count > MOST_LOOKED_AT:
            return


def _is_special(file: Path) -> bool:
    """Return whether opening a file may block, or reading it never end. A socket cannot be opened, and what is null is empty."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return False
    if stat.S_ISCHR(status.st_mode):
        return not os.path.samestat(status, os.stat(os.devnull))
    return stat.S_ISFIFO(status.st_mode) or stat.S_ISBLK(status.st_mode)
