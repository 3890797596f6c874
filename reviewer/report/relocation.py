"""Files that a report names, in its places and in its texts: moved, so that they start from another folder."""

from collections.abc import Container
from pathlib import Path

from reviewer.caching import cache
from reviewer.text.patterns import pattern

_PLACE = pattern(r"(?<![^\s:`'\"(),;])[^\s:`'\"(),;]++(?=:\d)")
"""What may be a file in a text, as in `server.py:12`; whether it is one, the files that were read say."""


def relocate_places(text: str, files: Container[str], way: str) -> str:
    """Return a text in which the places that lie in one of `files` begin with `way`, which is empty or ends in a slash."""
    return _PLACE.sub(lambda found: way + found[0] if found[0] in files else found[0], text) if way else text


def find_path_from_here(path: str, root: Path | None) -> str:
    """Return the path of a reviewed file from the current folder, `path` being relative to `root`."""
    return find_way(root) + path


def find_way(root: Path | None) -> str:
    """Return the path from the current folder to a reviewed one, empty or with a slash at its end.

    It is absolute if the reviewed folder was named so and lies elsewhere, and empty where there is none.
    """
    return "" if root is None else _format_way(root, _find_current_folder() if root.is_absolute() else None)


def _find_current_folder() -> Path | None:
    try:
        return Path.cwd()
    except OSError:  # the current folder is gone
        return None


@cache
def _format_way(root: Path, here: Path | None) -> str:
    if here is not None and root.is_relative_to(here):
        root = root.relative_to(here)
    leading = root.as_posix()
    return "" if leading == "." else f"{leading.removesuffix('/')}/"
