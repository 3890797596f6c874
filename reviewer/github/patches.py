"""The patch of a file, as GitHub lists it → the lines that a comment may stand on."""

from collections.abc import Iterable, Mapping
from typing import Any

from reviewer.text.patterns import pattern

_HUNK = pattern(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
"""The header of a hunk, which may leave out a length of 1; only where it begins in the new file counts."""


def find_commentable_lines(files: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[int]]:
    """Give, for each file of a pull request, its lines on the new side of the diff.

    GitHub leaves the patch out where it is too large or not of text: no line of such a file takes a comment.
    """
    return {str(each["filename"]): parse_right_side(each.get("patch") or "") for each in files}


def parse_right_side(patch: str) -> frozenset[int]:
    """Return the numbers of the lines that are added or shown unchanged, as they are counted in the new file."""
    lines, at = set(), 0
    for line in patch.split("\n"):
        if hunk := _HUNK.match(line):
            at = int(hunk[1])
        elif at and not line.startswith(("-", "\\")):
            lines.add(at)
            at += 1
    return frozenset(lines)
