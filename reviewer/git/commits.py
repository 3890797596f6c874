"""The files of a commit, as a storage: what a review reads of the base of a comparison."""

import os
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha1, sha256
from io import StringIO
from pathlib import Path
from typing import Literal

from reviewer.config import read_on_disk
from reviewer.files.decoding import is_pointer
from reviewer.files.storage import Disk, FolderEntry, Manifest, OuterIgnore, TooLargeError
from reviewer.git.repository import SUBMODULE, Base, Blobs, select_below
from reviewer.source import Source

MOST = 2**24
"""Bytes of a manifest, an ignore file or a link in a commit: the largest of 62 servers has 14 KB, and more must not fill memory.

"""

LINKS = 40
"""Symbolic links that are followed one after another: the limit of Linux (`path_resolution(7)`)."""

IGNORE = ".gitignore"

MODES: dict[str, Literal["file", "folder", "link", "other"]] = {
    "120000": "link",
    SUBMODULE: "folder",
    "040000": "folder",
}


class Commit:
    """The files of a base below its folder, as a storage. What is `known` with the same content is not read again.

    A submodule is read where it is checked out, for its files are no part of the commit.
    """

    def __init__(self, base: Base, disk: Disk, known: Mapping[str, Source]) -> None:
        self._blobs = base.repository.open_blobs()
        self._disk = disk
        self._known = known
        self._prefix = base.repository.prefix
        self._listed = base.repository.list_tree(base.commit)

    def close(self) -> None:
        """Let git's processes end."""
        self._blobs.close()

    @cached_property
    def _folders(self) -> dict[str, dict[str, FolderEntry]]:
        """What lies in each folder below the root, by its name."""
        folders: dict[str, dict[str, FolderEntry]] = {"": {}}
        for path, (mode, _) in self._listed.items():
            if not path.startswith(self._prefix):
                continue
            above, _, name = path.removeprefix(self._prefix).rpartition("/")
            self._enter(folders, above)[name] = FolderEntry(name, MODES.get(mode, "file"))
        return folders

    def _enter(self, folders: dict[str, dict[str, FolderEntry]], folder: str) -> dict[str, FolderEntry]:
        """Return the entries of a folder, which lies in the ones above it."""
        key = f"{folder}/" if folder else ""
        if key not in folders:
            folders[key] = {}
            above, _, name = folder.rpartition("/")
            self._enter(folders, above)[name] = FolderEntry(name, "folder")
        return folders[key]

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        return tuple(f"{path}/" for path, (mode, _) in self._listed.items() if mode == SUBMODULE)

    def list_submodules(self) -> frozenset[str]:
        """Return the folders below the root of which git knows that they are other repositories, without a slash at the end."""
        return select_below(self._prefix, (path.rstrip("/") for path in self._submodules))

    @cached_property
    def _checked_out(self) -> tuple[str, ...]:
        """The submodules that are some now too: where files have come into the place of one, they are none of its own."""
        now = self._disk.list_submodules()
        return tuple(each for each in self._submodules if each.removeprefix(self._prefix).rstrip("/") in now)

    def _is_in_submodule(self, place: str) -> bool:
        return bool(self._checked_out) and f"{self._prefix}{place.rstrip('/')}/".startswith(self._checked_out)

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """List a folder, sorted by name."""
        if folder and self._is_in_submodule(folder):
            try:
                return self._disk.list_folder(folder)
            except (FileNotFoundError, NotADirectoryError):
                return []
        return sorted(self._folders.get(folder, {}).values())

    def has(self, name: str) -> bool:
        """Return whether there is a file of that name."""
        return self._listed.get(self._prefix + name, ("", ""))[0].startswith("100")

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises TooLargeError if they are more than `most`."""
        if self._is_in_submodule(name):
            return self._disk.read(name, most)
        try:
            _, blob = self._listed[self._prefix + name]
        except KeyError:
            raise FileNotFoundError(2, "No such file or directory") from None
        same = self._find_same(name, blob)
        if same is not None:
            return same
        data = self._blobs.read(blob, most)
        known = self._known.get(name)
        if is_pointer(data) and known is not None and sha256(known.data).hexdigest().encode() in data:
            return known.data
        return data

    def _find_same(self, name: str, blob: str) -> bytes | None:
        """Return the content of a known source if it is that of a blob, though with other line ends or a byte order mark."""
        known = self._known.get(name)
        if known is None:
            return None
        data = known.data
        forms = (data, data.replace(b"\r\n", b"\n")) if b"\r\n" in data else (data,)
        marked = (b"\xef\xbb\xbf" + each for each in forms)
        return data if any(hash_blob(each, len(blob)) == blob for each in (*forms, *marked)) else None

    def open_manifest(self, name: str) -> Manifest:
        """Return a file that may be read later; that of the disk if it is the same."""
        _, blob = self._listed.get(self._prefix + name, ("", ""))
        if self._is_in_submodule(name) or blob == self._find_on_disk(name, len(blob)):
            return self._disk.open_manifest(name)
        return CommittedManifest(self, name)

    def _find_on_disk(self, name: str, digits: int) -> str | None:
        try:
            return hash_blob(self._disk.read(name, MOST), digits)
        except (OSError, TooLargeError):
            return None

    def leads_out(self, link: str) -> bool:
        """Return whether a link leads out of the root, or nowhere."""
        return self._follow(link) is None

    def leads_nowhere(self, link: str) -> bool:
        """Return whether there is nothing at the end of a link."""
        place = self._follow(link)
        return place is None or not (self._is_folder(place) or self._prefix + place in self._listed)

    def is_folder(self, link: str) -> bool:
        """Return whether a link leads to a folder."""
        place = self._follow(link)
        return place is not None and self._is_folder(place)

    def _is_folder(self, place: str) -> bool:
        return place == "" or f"{place}/" in self._folders

    def find_text(self, place: str, most: int) -> str | None:
        """Return the text of any file, None if there is none below the root.

        Raises one of UNREADABLE for what is there and is no UTF-8, or more than `most` bytes.
        """
        followed = self._follow(place)
        if followed is None:
            return None
        try:
            data = self.read(followed, most)
        except FileNotFoundError:
            return None
        return StringIO(data.decode("utf-8"), newline=None).read()

    def _follow(self, place: str) -> str | None:
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

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Yield the ignore files between the checkout's top and the root, outermost first."""
        yield from (each for each in self._disk.iter_outer_ignores() if each.own)
        parts = self._prefix.split("/")[:-1]
        for end in range(len(parts)):
            _, blob = self._listed.get("/".join((*parts[:end], ".gitignore")), ("", ""))
            if blob:
                text = self._blobs.read(blob, MOST).decode("utf-8", "replace")
                yield OuterIgnore(text.splitlines(), "/".join(parts[end:]) + "/")


class CommittedManifest:
    """A manifest of a commit."""

    def __init__(self, commit: Commit, path: str) -> None:
        self._commit = commit
        self._path = path
        self.name = posixpath.basename(path)

    def read_text(self, encoding: str, errors: str) -> str:
        """Return its bytes. Raises OSError."""
        try:
            return StringIO(self._commit.read(self._path, MOST).decode(encoding, errors), newline=None).read()
        except TooLargeError:
            raise OSError(27, "File too large") from None


def hash_blob(data: bytes, digits: int) -> str:
    """Return the name that git gives a blob, in SHA-1 or SHA-256 by the number of its digits."""
    name = (sha1 if digits == 40 else sha256)(b"blob %d\0" % len(data), usedforsecurity=False)
    name.update(data)
    return name.hexdigest()


class BaseTree:
    """Files as they were at a base, by their places on the disk, wherever in the repository those lie."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._top = base.repository.top

    def read(self, file: Path) -> bytes | None:
        """Return a file's bytes, None if there was none. What lies outside of the repository is read as it is now.

        Raises OSError for what is no file or too large.
        """
        place = self._find_path_from_top(Path(os.path.abspath(file)))
        if place is None:
            return read_on_disk(file)
        blobs = self._base.repository.open_blobs()
        try:
            return self._follow(place, blobs)
        except TooLargeError:
            raise OSError(27, "File too large") from None
        finally:
            blobs.close()

    def _find_path_from_top(self, file: Path) -> str | None:
        """Return the path of a file from the top. A link on the way to it is not followed: the change may have made it."""
        around = next((each for each in reversed(file.parents) if each.exists() and each.samefile(self._top)), None)
        return file.relative_to(around).as_posix() if around is not None else None

    def _follow(self, place: str, blobs: Blobs) -> bytes | None:
        for _ in range(LINKS):
            entry = self._base.repository.find_entry(self._base.commit, place)
            if entry is None or MODES.get(entry[0]) == "folder":
                return None
            data = blobs.read(entry[1], MOST)
            if MODES.get(entry[0]) != "link":
                return data
            place = posixpath.normpath(posixpath.join(posixpath.dirname(place), os.fsdecode(data)))
            if place.startswith(("/", "../")):
                return None
        return None


class Overseen(Disk):
    """The files of a folder of the disk, with the ignore files of a commit: a change hides none of its files by its own."""

    def __init__(self, root: Path, commit: Commit, submodules: frozenset[str] = frozenset()) -> None:
        super().__init__(root, submodules)
        self._commit = commit

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """List a folder, sorted by name."""
        listed = [each for each in super().list_folder(folder) if each.name != IGNORE]
        return sorted([*listed, FolderEntry(IGNORE, "file")]) if self._commit.has(folder + IGNORE) else listed

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises TooLargeError if they are more than `most`."""
        return self._commit.read(name, most) if posixpath.basename(name) == IGNORE else super().read(name, most)

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Return the ignore files between the checkout's top and the root, outermost first."""
        return self._commit.iter_outer_ignores()
