"""What was fixed → the files, or a diff of them. No file is ever half written, and none is written that is not what was read."""

import contextlib
import os
import stat
from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path
from tempfile import mkstemp

from reviewer.files.discovery import BOM, CannotReviewError
from reviewer.render.plain import escape_hidden

FileChange = tuple[str, bytes, bytes]
"""The name of a file below the root, and its bytes before and after, a byte order mark left out."""


def format_diff(files: Iterable[FileChange]) -> str:
    """Return the changes as one unified diff, as `git apply` and `patch -p1` take it in the reviewed folder."""
    return "".join(_format_file_diff(*each) for each in files)


def _format_file_diff(name: str, before: bytes, after: bytes) -> str:
    shown = escape_hidden(name)
    lines = unified_diff(_split_lines(before), _split_lines(after), f"a/{shown}", f"b/{shown}", lineterm="\n")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _split_lines(data: bytes) -> list[str]:
    """Split at line feeds alone, as diffs do."""
    rows = data.decode("utf-8", "replace").split("\n")
    return [*(f"{row}\n" for row in rows[:-1]), *rows[-1:]] if rows[-1] else [f"{row}\n" for row in rows[:-1]]


def write(root: Path, files: Iterable[FileChange]) -> None:
    """Write files in the place of what was read. Raises CannotReviewError before anything is written if one must not be."""
    checked = [(root / name, _read_current(root, name, before), after) for name, before, after in files]
    beside: list[str] = []
    done = 0
    try:
        for path, old, after in checked:
            _put_beside(path, BOM + after if old.startswith(BOM) else after, beside)
        for name, (path, _, _) in zip(beside, checked, strict=True):
            os.replace(name, path)
            done += 1
    except OSError as error:
        told = f"{done} of {len(checked)} files are written" if done else "nothing is written"
        raise CannotReviewError(f"{path}: cannot be written: {(error.strerror or '').lower()}; {told}") from None
    finally:  # also if it is interrupted: each file is then the old one or the new one
        for name in beside[done:]:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _read_current(root: Path, name: str, before: bytes) -> bytes:
    """Return the contents of a file.

    Raises CannotReviewError if it may not be written, or has changed since it was read.
    """
    path = root / name
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise CannotReviewError(f"{path}: a link is not fixed; give what it leads to; nothing is written")
        if os.path.realpath(root) not in map(str, Path(os.path.realpath(path)).parents):
            raise CannotReviewError(f"{path}: outside of the reviewed folder; nothing is written")
        if not (status.st_mode & stat.S_IWUSR and os.access(path, os.W_OK)):
            raise CannotReviewError(f"{path}: read-only; make it writable to have it fixed; nothing is written")
        data = path.read_bytes()
    except OSError as error:
        raise CannotReviewError(
            f"{path}: cannot be read again: {(error.strerror or '').lower()}; nothing is written"
        ) from None
    if data.removeprefix(BOM) != before:
        raise CannotReviewError(f"{path}: changed since it was read; run --fix again; nothing is written")
    return data


def _put_beside(path: Path, data: bytes, beside: list[str]) -> None:
    """Write a file that may take the place of another, with its mode and its owner, right beside it."""
    status = path.stat()
    handle, name = mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    beside.append(name)
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(name, stat.S_IMODE(status.st_mode))
    if hasattr(os, "geteuid") and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(OSError):
            os.chown(name, status.st_uid, status.st_gid)
