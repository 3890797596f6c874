"""Where the files of a review lie: the disk here, a commit in `git.py`. Knows nothing of which of them matter.

Names are relative to the reviewed root, with forward slashes; that of a folder is empty or ends in one.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol


class Entry(NamedTuple):
    """One thing in a folder."""

    name: str
    kind: Literal["file", "folder", "link", "other"]


class Manifest(Protocol):
    """A file that says what a project depends on, read when somebody asks. A `Path` is one."""

    @property
    def name(self) -> str:
        """The file's own name."""

    def read_text(self, encoding: str, errors: str) -> str:
        """Give what stands in it. Raises OSError."""


class OuterIgnore(NamedTuple):
    """An ignore file above the root, and the way from its folder down to the root.

    `own` tells that it stands in no commit, for it is this checkout's own.
    """

    lines: list[str]
    inner: str
    own: bool = False


class TooLargeError(Exception):
    """A file holds more than was asked for; its bytes are counted."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


class Storage(Protocol):
    """Gives folders and files by name. What it cannot give raises OSError."""

    def entries(self, folder: str) -> list[Entry]:
        """List a folder, sorted by name."""

    def read(self, name: str, most: int) -> bytes:
        """Give a file's bytes. Raises TooLargeError if they are more than `most`."""

    def manifest(self, name: str) -> Manifest:
        """Give a file that may be read later."""

    def leads_out(self, link: str) -> bool:
        """Tell whether a link leads out of the root."""

    def is_folder(self, link: str) -> bool:
        """Tell whether a link leads to a folder."""

    def text(self, place: str, most: int) -> str | None:
        """Give the text of any file, None if it is not there, no UTF-8, a link out, or more than `most` bytes."""

    def outer_ignores(self) -> Iterator[OuterIgnore]:
        """Give the ignore files between the checkout's top and the root, outermost first."""


class Disk:
    """Files under a folder of the disk."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def entries(self, folder: str) -> list[Entry]:
        """List a folder, sorted by name."""
        with os.scandir(os.path.join(self.root, folder)) as listed:
            return sorted(Entry(each.name, _kind(each)) for each in listed)

    def read(self, name: str, most: int) -> bytes:
        """Give a file's bytes. Raises TooLargeError if they are more than `most`."""
        with open(os.path.join(self.root, name), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise TooLargeError(size)
            return file.read()

    def manifest(self, name: str) -> Manifest:
        """Give a file that may be read later."""
        return self.root / name

    def leads_out(self, link: str) -> bool:
        """Tell whether a link leads out of the root."""
        root = os.path.realpath(self.root)
        return os.path.commonpath([root, os.path.realpath(os.path.join(self.root, link))]) != root

    def is_folder(self, link: str) -> bool:
        """Tell whether a link leads to a folder."""
        return os.path.isdir(os.path.join(self.root, link))

    def text(self, place: str, most: int) -> str | None:
        """Give the text of any file, None if it is not there, no UTF-8, a link out, or more than `most` bytes."""
        root = os.path.realpath(self.root)
        try:
            path = os.path.realpath(os.path.join(root, place))
            status = os.stat(path)
            inside = os.path.commonpath([root, path]) == root
            if not inside or not stat.S_ISREG(status.st_mode) or status.st_size > most:
                return None
            with open(path, encoding="utf-8", newline=None) as file:
                return file.read()
        except (OSError, ValueError):
            return None

    def outer_ignores(self) -> Iterator[OuterIgnore]:
        """Give the ignore files between the checkout's top and the root, outermost first."""
        root = self.root.resolve()
        top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
        if top is None:
            return
        between = [folder for folder in reversed(root.parents) if top == folder or top in folder.parents]
        for folder, file in [(top, ".git/info/exclude"), *((folder, ".gitignore") for folder in between)]:
            try:
                lines = (folder / file).read_text("utf-8", "replace").splitlines()
            except OSError:
                continue
            inner = root.relative_to(folder).as_posix().removesuffix(".").rstrip("/") + "/" if folder != root else ""
            yield OuterIgnore(lines, inner, own=file == ".git/info/exclude")


def _kind(entry: "os.DirEntry[str]") -> Literal["file", "folder", "link", "other"]:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
