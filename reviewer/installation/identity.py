"""What tells this program from another one that may answer differently: its own files, Python, and what is installed."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from reviewer.version import __version__

PACKAGE = Path(__file__).parents[1]


def digest_program() -> str:
    """Return a digest of all that decides how this program answers, besides what it is asked. Raises OSError.

    Of a package whose files were altered after it was installed, those are told by their times.
    """
    parts = [__version__, sys.version, sys.platform, *_list_distributions()]
    record = PACKAGE.parent / f"mcp_review-{__version__}.dist-info" / "RECORD"
    installed = -1
    with suppress(OSError):  # a checkout has no such file
        parts.append(record.read_text("utf-8", "replace"))  # it has a digest of each file of the package
        installed = record.stat().st_mtime_ns
    parts += sorted(_iter_own_files(PACKAGE, installed))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _list_distributions() -> list[str]:
    """Name what is installed, with its versions, as folders of metadata have it in their names."""
    found: set[str] = set()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        found.update(each for each in names if each.endswith((".dist-info", ".egg-info")))
    return sorted(found)


def _iter_own_files(folder: Path, after: int) -> Iterator[str]:
    """Yield the files of the program that were written after a time in nanoseconds, each with its size and its own time."""
    for each in os.scandir(folder):
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _iter_own_files(Path(each.path), after)
        elif (status := each.stat()).st_mtime_ns > after:
            yield f"{each.path} {status.st_size} {status.st_mtime_ns} {status.st_ino}"
