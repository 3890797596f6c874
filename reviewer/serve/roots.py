"""Which paths a client may have reviewed: what lies below the roots once every link is followed."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass
from reviewer.serve.refusals import RefusalError


class ServedPath(NamedTuple):
    """Something below a root: its real path, the root, and what the client called it."""

    path: Path
    root: Path
    named: str


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that may be looked into, with their links followed."""

    folders: tuple[Path, ...]

    def place(self, named: str) -> ServedPath:
        """Find what a client names, below the first root that has it.

        Raises RefusalError for what lies outside of all roots; whether it is there is not told.
        """
        inside = []
        for root in self.folders:
            # A real path is asked for, not a normalized one: `link/..` leads to where the link leads.
            path = Path(os.path.realpath(root / named)) if "\0" not in named else root.parent
            if path.is_relative_to(root):
                inside.append(ServedPath(path, root, named))
        if not inside:
            raise RefusalError(
                "path_outside_roots",
                "the path lies outside of the folders that this server may read",
                'Give a path relative to such a folder, "." for the folder itself; the server\'s `--root DIR` adds more.',
            )
        return next((each for each in inside if each.path.exists()), inside[0])


def resolve_roots(folders: Sequence[Path]) -> Roots:
    """Take the folders that a user names, the current one if none. Raises CannotReviewError for what is no folder."""
    for each in folders:
        if not each.is_dir():
            raise CannotReviewError(f"--root {each}: no folder there; give one that may be looked into")
    return Roots(tuple(Path(os.path.realpath(each)) for each in folders or (Path(),)))
