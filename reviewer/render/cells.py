"""How wide text is on a terminal, whose columns are cells: East Asian letters take two, combining marks none."""

import unicodedata

TAB = 4
"""Cells from one tab stop to the next, as in the other formats that show source."""


def measure_width(text: str) -> int:
    """Return how many cells a text without control characters takes."""
    return len(text) if text.isascii() else sum(map(_count_cells, text))


def cut(text: str, most: int) -> str:
    """Return a text in no more than `most` cells, at least one; what is cut off is an ellipsis."""
    if measure_width(text) <= most:
        return text
    room, kept = most - 1, []
    for char in text:
        room -= _count_cells(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def _count_cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
