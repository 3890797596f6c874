"""Where the files of a review lie: the disk here, a commit in `repository.py`. Knows nothing of which of them matter.

Names are relative to the reviewed root, with forward slashes; that of a folder is empty or ends in one.
"""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from reviewer.records import dataclass


class FolderEntry(NamedTuple):
    """One thing in a folder."""

    name: str
    kind: Literal["file", "folder", "link", "other"]


class Manifest(Protocol):
    """A file that says what a project depends on, read when somebody asks."""

    @property
    def name(self) -> str:
        """The file's own name."""

    def read_text(self, encoding: str, errors: str) -> str:
        """Return its bytes. Raises OSError."""


def read_manifest(manifest: Manifest) -> str:
    """Return the text of a manifest; nothing if it cannot be read."""
    try:
        return manifest.read_text("utf-8", "replace")
    except OSError:
        return ""


class OuterIgnore(NamedTuple):
    """An ignore file above the root, and the way from its folder down to the root.

    `own` tells that it stands in no commit, for it is this checkout's own. `refused` says why the one at `place`, relative to
    the root, was not read; it is empty for one that was.
    """

    lines: list[str]
    inner: str
    own: bool = False
    place: str = ""
    refused: str = ""


class TooLargeError(Exception):
    """A file holds more than was asked for; its bytes are counted."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


def read_regular(path: str | Path, most: int, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file; all else is refused before it is opened, for opening may block, and reading never end.

    A file that grows meanwhile, or that does not tell its size, is read up to `most` bytes too. Without `follow` a link is
    refused. Raises TooLargeError for more than `most` bytes, and OSError.
    """
    _require_regular_file(os.stat(path, follow_symlinks=follow), most)
    handle = os.open(path, OPENING | (0 if follow else NOT_FOLLOWING))
    with open(handle, "rb", buffering=0) as file:
        status = os.fstat(handle)
        _require_regular_file(status, most)  # it may be another by now
        data = _read_up_to(file, min(most, status.st_size) + 1)
        if len(data) > status.st_size:
            data += _read_up_to(file, most + 1 - len(data))
    if len(data) > most:
        raise TooLargeError(len(data))
    return data


OPENING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NOT_FOLLOWING = getattr(os, "O_NOFOLLOW", 0)


def _require_regular_file(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "Not a regular file")
    if status.st_size > most:
        raise TooLargeError(status.st_size)


def _read_up_to(file: RawIOBase, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0 and (part := file.read(most)):
        parts.append(part)
        most -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


UNREADABLE = (OSError, TooLargeError, UnicodeDecodeError)
"""What is raised for a file that is there and cannot be read."""


def explain_unread(error: OSError | TooLargeError | UnicodeDecodeError, most: int) -> str:
    """Return why a file was not read, of which `most` bytes may be."""
    if isinstance(error, TooLargeError):
        return f"{-(-error.size // 2**20)} MB, more than the limit of {most // 2**20} MB"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return f"the file cannot be read: {(error.strerror or str(error)).lower()}"


def explain_unread_ignore(error: OSError | TooLargeError) -> str:
    """Return why an ignore file was not read, and what follows from it."""
    if isinstance(error, TooLargeError):
        return f"larger than {MOST_IGNORED // 2**20} MB; it was not read, and nothing is ignored by it"
    return f"it cannot be read, and nothing is ignored by it: {(error.strerror or str(error)).lower()}"


def replace_file(file: Path, data: bytes) -> None:
    """Write a file in one stroke: it is there as a whole, or as it was. A link stays one. Raises OSError."""
    target = Path(os.path.realpath(file))
    mode, made = _get_mode(target), ""
    try:
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        with open(handle, "wb") as written:
            written.write(data)
            written.flush()
            os.fsync(written.fileno())
        os.chmod(made, mode)
        os.replace(made, target)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(made)
        raise


def _get_mode(target: Path) -> int:
    """Return the permissions of what is written over, or those of a new file. Raises OSError for what is no file."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if not stat.S_ISREG(mode):
        raise OSError(0, "Not a file")
    return stat.S_IMODE(mode)


def decode_text(data: bytes, encoding: str, errors: str) -> str:
    """Return bytes as text with the ends of lines that Python reads: `\\r\\n` and `\\r` are `\\n`."""
    text = data.decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


MOST_IGNORED = 2**20
"""Bytes of an ignore file. A larger one is none that people write."""

MOST_MANIFEST = 32 * 2**20
"""Bytes of a manifest or a lock file. The largest lock files of big workspaces have a few megabytes."""


@dataclass(frozen=True, slots=True)
class DiskManifest:
    """A manifest on the disk."""

    path: Path

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    def read_text(self, encoding: str, errors: str) -> str:
        """Return its bytes. Raises OSError."""
        try:
            return decode_text(read_regular(self.path, MOST_MANIFEST, follow=False), encoding, errors)
        except TooLargeError:
            raise OSError(errno.EFBIG, "File too large") from None


class Storage(Protocol):
    """Gives folders and files by name. What it cannot give raises OSError."""

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """List a folder, sorted by name."""

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises TooLargeError if they are more than `most`."""

    def open_manifest(self, name: str) -> Manifest:
        """Return a file that may be read later. Raises OSError and TooLargeError for one that surely will not be."""

    def leads_out(self, link: str) -> bool:
        """Return whether a link leads out of the root."""

    def leads_nowhere(self, link: str) -> bool:
        """Return whether there is nothing at the end of a link."""

    def is_folder(self, link: str) -> bool:
        """Return whether a link leads to a folder."""

    def find_text(self, place: str, most: int) -> str | None:
        """Return the text of any file, None if there is none below the root.

        Raises one of UNREADABLE for what is there and is no regular file, no UTF-8, or more than `most` bytes.
        """

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Return the ignore files between the checkout's top and the root, outermost first."""

    def list_submodules(self) -> frozenset[str]:
        """Return the folders below the root of which git knows that they are other repositories, without a slash at the end."""


class Disk:
    """Files under a folder of the disk. `submodules` are the folders of other repositories, as git knows them."""

    def __init__(self, root: Path, submodules: frozenset[str] = frozenset()) -> None:
        self.root = root
        self._submodules = submodules

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """List a folder, sorted by name."""
        with os.scandir(os.path.join(self.root, folder)) as listed:
            return sorted(FolderEntry(each.name, _get_kind(each)) for each in listed)

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises TooLargeError if they are more than `most`."""
        return read_regular(os.path.join(self.root, name), most, follow=False)

    def open_manifest(self, name: str) -> Manifest:
        """Return a file that may be read later. Raises TooLargeError, and OSError for one that may not, or is gone."""
        path = self.root / name
        size = os.lstat(path).st_size
        if size > MOST_MANIFEST:
            raise TooLargeError(size)
        if not os.access(path, os.R_OK):
            raise PermissionError(errno.EACCES, "Permission denied")
        return DiskManifest(path)

    def leads_out(self, link: str) -> bool:
        """Return whether a link leads out of the root."""
        root = os.path.realpath(self.root)
        return os.path.commonpath([root, os.path.realpath(os.path.join(self.root, link))]) != root

    def leads_nowhere(self, link: str) -> bool:
        """Return whether there is nothing at the end of a link."""
        return not os.path.exists(os.path.join(self.root, link))

    def is_folder(self, link: str) -> bool:
        """Return whether a link leads to a folder."""
        return os.path.isdir(os.path.join(self.root, link))

    def find_text(self, place: str, most: int) -> str | None:
        """Return the text of any file, None if there is none below the root.

        Raises one of UNREADABLE for what is there and is no regular file, no UTF-8, or more than `most` bytes.
        """
        root = os.path.realpath(self.root)
        try:
            path = os.path.realpath(os.path.join(root, place))
            outside = os.path.commonpath([root, path]) != root
        except ValueError:  # no name of a file, or one on another drive
            return None
        if outside or not os.path.exists(path) or os.path.isdir(path):
            return None
        return decode_text(read_regular(path, most, follow=False), "utf-8", "strict")

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Yield the ignore files between the checkout's top and the root, outermost first."""
        root = self.root.resolve()
        top = find_checkout(root)
        if top is None:
            return
        between = [folder for folder in reversed(root.parents) if top == folder or top in folder.parents]
        for folder, file in [(top, ".git/info/exclude"), *((folder, ".gitignore") for folder in between)]:
            lines, refused = [], ""
            try:
                lines = read_regular(folder / file, MOST_IGNORED).decode("utf-8", "replace").splitlines()
            except (FileNotFoundError, NotADirectoryError):  # `.git` is a file in a work tree that is linked to another
                continue
            except (OSError, TooLargeError) as error:
                refused = explain_unread_ignore(error)
            place = Path(os.path.relpath(folder / file, root)).as_posix()
            inner = root.relative_to(folder).as_posix().removesuffix(".").rstrip("/") + "/" if folder != root else ""
            yield OuterIgnore(lines, inner, file == ".git/info/exclude", place, refused)

    def list_submodules(self) -> frozenset[str]:
        """Return the folders below the root of which git knows that they are other repositories, without a slash at the end."""
        return self._submodules | frozenset(self._iter_declared_submodules())

    def _iter_declared_submodules(self) -> Iterator[str]:
        """Yield the folders that `.gitmodules` files above the root name, so far as they are there."""
        root = self.root.resolve()
        top = find_checkout(root)
        for folder in root.parents if top is not None else ():
            if top != folder and top not in folder.parents:
                return
            with contextlib.suppress(OSError, TooLargeError):
                for path in iter_submodule_paths(read_regular(folder / ".gitmodules", MOST_IGNORED)):
                    place = folder / path
                    if root in place.parents and place.is_dir():
                        yield place.relative_to(root).as_posix()


def find_checkout(folder: Path) -> Path | None:
    """Return the top of the checkout that a resolved folder lies in, None if it is in none."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def iter_submodule_paths(data: bytes) -> Iterator[str]:
    """Yield the folders that a `.gitmodules` file names, from its own."""
    for line in data.decode("utf-8", "replace").splitlines():
        key, _, value = line.partition("=")
        path = value.strip().strip('"').strip("/")
        if key.strip().lower() == "path" and path and "\0" not in path:
            yield path


def _get_kind(entry: "os.DirEntry[str]") -> Literal["file", "folder", "link", "other"]:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
