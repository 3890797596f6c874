"""The user's folder for what can be made again, and entries in it that are whole or not there.

An entry that was cut or changed is none, and a folder that others may write to is not used. What goes wrong costs the entry and
nothing else: no home, a full disk, a folder that is read-only.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from reviewer.files.storage import TooLargeError, read_regular

VARIABLE = "MCP_REVIEW_CACHE"
"""The environment variable with the folder to use instead of the user's own."""

DISABLING = "MCP_REVIEW_NO_CACHE"
"""The environment variable that has no answer of a review kept or used, if it is not empty."""

MOST_ENTRY = 64 * 2**20
"""Bytes of an entry. A report of 10,000 findings has a tenth of it."""

MOST_KEPT = 256 * 2**20
"""Bytes of all entries: the least recently used go first."""

MOST_ENTRIES = 5_000
"""Entries of any size: all are looked through whenever one is written."""

MAGIC = b"mcp-review entry\n"

HEAD = len(MAGIC) + 32
"""Bytes before what was written: that, and a SHA-256 digest."""


def find_cache_folder() -> Path:
    """Return the user's folder for what can be made again. Raises RuntimeError if there is none.

    Without a home the system's own rule gives a place below the current folder, and the reviewed code may be there.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # most commands have no need of it

    folder = user_cache_path("mcp-review", appauthor=False)
    if not folder.is_absolute():
        raise RuntimeError(f"no folder of the user's own: {folder}")
    return folder


def lies_apart(folders: Iterable[Path]) -> bool:
    """Return whether the user's folder is within none of some folders, and none of them within it.

    Raises RuntimeError and ValueError if there is no such folder, or none can have its name.
    """
    own = Path(os.path.realpath(find_cache_folder()))
    others = [Path(os.path.realpath(each)) for each in folders]
    return not any(_is_within(own, each) or _is_within(each, own) for each in others)


def _is_within(inner: Path, outer: Path) -> bool:
    """Return whether a path without links leads through another one, however the two are spelt, or mounted twice."""
    if inner.is_relative_to(outer):
        return True
    try:
        wanted = os.stat(outer)
    except OSError:
        return False  # it is not there yet
    for each in (inner, *inner.parents):
        with contextlib.suppress(OSError):
            if os.path.samestat(wanted, os.stat(each)):
                return True
    return False


class EntryFolder:
    """Entries by their keys, each in a file of its own. Two runs may write one at once: the last one's stays, as a whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def open(cls, name: str, apart_from: Iterable[Path]) -> "EntryFolder | None":
        """Open a folder of entries; None if there can be none that only the user writes to, apart from reviewed folders."""
        try:
            if not lies_apart(apart_from):
                return None
            own = Path(os.path.realpath(find_cache_folder()))
            own.mkdir(mode=0o700, parents=True, exist_ok=True)  # a judge's verdicts will lie beside
            folder = own / name
            folder.mkdir(mode=0o700, exist_ok=True)
            return cls(folder) if _is_private(folder) else None
        except (OSError, RuntimeError, ValueError):
            return None

    def read(self, key: str) -> bytes | None:
        """Return the bytes that were written under a key; None if there are none, or not all of them."""
        file = self._folder / key
        try:
            data = read_regular(file, MOST_ENTRY, follow=False)
        except (OSError, TooLargeError):
            return None
        body = data[HEAD:]
        if data[:HEAD] != MAGIC + sha256(body).digest():
            return None
        with contextlib.suppress(OSError):
            os.utime(file)  # it is the last to be removed
        return body

    def write(self, key: str, body: bytes) -> None:
        """Write under a key, if that can be, and remove what was not used for longest if there is too much by then."""
        made = ""
        if len(body) + HEAD > MOST_ENTRY:
            return
        try:
            handle, made = tempfile.mkstemp(dir=self._folder, prefix=".")
            with open(handle, "wb") as written:
                written.write(MAGIC + sha256(body).digest())
                written.write(body)
            os.replace(made, self._folder / key)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(made)
        self.remove_least_used()

    def remove_least_used(self) -> None:
        """Remove what was used least recently, until no more than the bounds allow is left.

        What a run left unfinished that was killed is among them: in the end it is the least recently used.
        """
        with contextlib.suppress(OSError):
            found = []
            for each in os.scandir(self._folder):
                with contextlib.suppress(OSError):
                    status = each.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, each.path))
            total = 0
            for number, (_, size, path) in enumerate(sorted(found, reverse=True)):
                total += size
                if total > MOST_KEPT or number >= MOST_ENTRIES:
                    with contextlib.suppress(OSError):
                        os.unlink(path)


def _is_private(folder: Path) -> bool:
    """Return whether only the user can write to a folder, as far as the system tells."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        return False
    if hasattr(os, "geteuid"):
        return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return True
