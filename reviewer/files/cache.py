"""The user's folder for what can be made again, and entries in it that are whole or not there.

Nothing in it is trusted: an entry that was cut or changed is none, and a folder that others may write to is not used. What goes
wrong costs the entry and nothing else: no home, a full disk, a folder that is read-only.
"""

import contextlib
import os
import stat
import tempfile
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

MAGIC = b"mcp-review entry\n"

HEAD = len(MAGIC) + 32


def find_cache_folder() -> Path:
    """Return the user's folder for what can be made again. Raises RuntimeError if there is none."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # most commands have no need of it

    return user_cache_path("mcp-review", appauthor=False)


class EntryFolder:
    """Entries by their keys, each in a file of its own. Two runs may write one at once: the last one's stays, as a whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def open(cls, name: str, apart_from: Path) -> "EntryFolder | None":
        """Open a folder of entries; None if there can be none that only the user writes to, apart from a reviewed folder."""
        try:
            folder = Path(os.path.realpath(find_cache_folder())) / name
            reviewed = Path(os.path.realpath(apart_from))
            if folder.is_relative_to(reviewed) or reviewed.is_relative_to(folder):
                return None
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(folder) if _is_private(folder) else None
        except (OSError, RuntimeError, ValueError):
            return None

    def read(self, key: str) -> bytes | None:
        """Return what was written under a key; None if nothing was, or not all of it is there."""
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
        """Write under a key, if that can be; now and then, remove what was not used for long."""
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
        if key.startswith(("00", "40", "80", "c0", "f0")):  # of keys that are digests, one in 50
            self.remove_least_used()

    def remove_least_used(self, most: int = MOST_KEPT) -> None:
        """Remove the entries that were used least recently, until no more than `most` bytes are left."""
        with contextlib.suppress(OSError):
            found = []
            for each in os.scandir(self._folder):
                with contextlib.suppress(OSError):
                    status = each.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, each.path))
            total = 0
            for _, size, path in sorted(found, reverse=True):
                total += size
                if total > most:
                    with contextlib.suppress(OSError):
                        os.unlink(path)


def _is_private(folder: Path) -> bool:
    """Return whether nobody but the user writes to a folder, so far as the system tells."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
