"""What a fuzzer makes: files by path, and the way in which they are put before the product."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from reviewer.files.storage import FolderEntry, OuterIgnore, TooLargeError

Way = Literal["review", "compare", "configure", "judge", "replay", "baseline", "report", "command"]
"""`review` takes the files as a project, `compare` those below `base/` and `head/` as two; the others take one file."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input. `pipes` are the paths of named pipes, which nobody writes to, for `command`."""

    way: Way
    files: Mapping[str, bytes]
    pipes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(map(len, self.files.values()))

    def below(self, folder: str) -> dict[str, bytes]:
        """Return the files of a folder, by their paths in it."""
        return {path.removeprefix(folder): data for path, data in self.files.items() if path.startswith(folder)}


class Kept(NamedTuple):
    """A manifest in memory."""

    name: str
    data: bytes

    def read_text(self, encoding: str, errors: str) -> str:
        """Return what stands in it."""
        return self.data.decode(encoding, errors)


@dataclass(frozen=True)
class Memory:
    """Files that lie nowhere, as `reviewer.files.storage.Storage`: no disk is touched."""

    files: Mapping[str, bytes]

    def list_folder(self, folder: str) -> list[FolderEntry]:
        """Return what lies in a folder, sorted by name."""
        below = [path.removeprefix(folder) for path in self.files if path.startswith(folder)]
        folders = {path.partition("/")[0] for path in below if "/" in path}
        found = [FolderEntry(name, "folder") for name in folders]
        found += [FolderEntry(path, "file") for path in below if "/" not in path and path not in folders]
        return sorted(found)

    def read(self, name: str, most: int) -> bytes:
        """Return a file's bytes. Raises FileNotFoundError, and TooLargeError if they are more than `most`."""
        if name not in self.files:
            raise FileNotFoundError(2, "No such file or directory", name)
        if len(self.files[name]) > most:
            raise TooLargeError(len(self.files[name]))
        return self.files[name]

    def open_manifest(self, name: str) -> Kept:
        """Return a manifest."""
        return Kept(Path(name).name, self.files[name])

    def leads_out(self, _link: str) -> bool:
        """Return whether a link leads out of the root; there is none."""
        return False

    def is_folder(self, _link: str) -> bool:
        """Return whether a link leads to a folder; there is none."""
        return False

    def find_text(self, place: str, most: int) -> str | None:
        """Return the text of a file, None if it is not there, no UTF-8, or more than `most` bytes."""
        data = self.files.get(place)
        if data is None or len(data) > most:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def list_submodules(self) -> frozenset[str]:
        """Return the folders of other repositories; there are none."""
        return frozenset()

    def iter_outer_ignores(self) -> Iterator[OuterIgnore]:
        """Return the ignore files above the root; there are none."""
        return iter(())
