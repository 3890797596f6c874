"""What tells this program from another one that may answer differently: its own files, Python, and what is installed."""

import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from reviewer.version import __version__

PACKAGE = Path(__file__).parents[1]


def digest_program() -> str:
    """Return a digest of all that decides how this program answers, besides what it is asked."""
    parts = [__version__, sys.version, sys.platform, *_list_distributions()]
    record = PACKAGE.parent / f"mcp_review-{__version__}.dist-info" / "RECORD"
    try:
        own = record.read_bytes()  # an installed package has a digest of each of its files there
    except OSError:
        own = "\n".join(sorted(_iter_own_files(PACKAGE))).encode("utf-8", "surrogatepass")
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass") + b"\0" + own).hexdigest()


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


def _iter_own_files(folder: Path) -> Iterator[str]:
    """Yield the files that a program of a checkout consists of, each with its size and when it was written."""
    for each in os.scandir(folder):
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _iter_own_files(Path(each.path))
        else:
            status = each.stat()
            yield f"{each.path} {status.st_size} {status.st_mtime_ns} {status.st_ino}"
