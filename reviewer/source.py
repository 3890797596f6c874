"""Where things stand in the reviewed source: spans, texts that know their span, and what cannot be read.

Knows nothing of languages or rules.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, takewhile
from typing import NamedTuple

from reviewer.records import dataclass


def count_common_parts(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many parts two paths have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


class Span(NamedTuple):
    """A stretch of one file.

    Lines and columns count from 1, columns in characters; `end_column` is the column after the last character.
    `path` is relative to the reviewed root, with forward slashes.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: "Span") -> bool:
        """Return whether `other` lies within this span."""
        return (
            self.path == other.path
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )


class Text(str):
    """A string that was read from the source, with the span of the expression it came from."""

    __slots__ = ("span",)
    span: Span

    def __new__(cls, value: str, span: Span) -> "Text":
        """Make a text from its value and its place."""
        text = super().__new__(cls, value)
        text.span = span
        return text

    def __getnewargs__(self) -> tuple[str, Span]:  # type: ignore[override]  # typeshed knows of plain strings only
        """Let a text be copied and pickled with its span."""
        return str(self), self.span


def build_text(path: str, text: str, start: int, end: int) -> Text:
    """Return a part of the text of a file, by the characters where it begins and ends, with its place."""
    number, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return Text(text[start:end], Span(path, number, column, number, column + end - start))


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that is there and cannot be read from the source.

    `reason` completes the sentence "it is not readable: …".
    """

    reason: str
    span: Span


class Edit(NamedTuple):
    """A stretch of one file, and what is to stand there instead; `start` and `end` count bytes, a byte order mark left out."""

    span: Span
    start: int
    end: int
    text: str


Point = tuple[int, int]
"""A place as tree-sitter gives it: row and column from 0, the column in bytes."""


class Source:
    """One file's text as UTF-8, and the one place where byte columns become character columns.

    `is_as_stored` tells that the file holds these bytes, but for a byte order mark: only then can it be edited.
    """

    def __init__(self, path: str, data: bytes, *, is_as_stored: bool = True) -> None:
        self.path = path
        self.data = data
        self.is_as_stored = is_as_stored

    @cached_property
    def _lines(self) -> list[bytes] | None:
        return None if self.data.isascii() else self.data.split(b"\n")

    def _count_column(self, point: Point) -> int:
        row, column = point
        if self._lines is None or row >= len(self._lines):
            return column + 1
        return len(self._lines[row][:column].decode("utf-8", "replace")) + 1

    def to_span(self, start: Point, end: Point) -> Span:
        """Turn two tree-sitter points into a span."""
        if self._lines is None:
            return Span(self.path, start[0] + 1, start[1] + 1, end[0] + 1, end[1] + 1)
        return Span(self.path, start[0] + 1, self._count_column(start), end[0] + 1, self._count_column(end))

    def find_line_span(self, line: int) -> Span:
        """Return the span of a whole line, counted from 1; the file's first line stands for one that is not there."""
        length = len(self._slice_line(line).rstrip(b"\r")) if 0 < line <= len(self._starts) else 0
        return self.to_span((line - 1, 0), (line - 1, length))

    def stretch(self, start: int, end: int) -> Span:
        """Return the span of the bytes from `start` to before `end`."""
        return self.to_span(self._find_point(start), self._find_point(end))

    def _find_point(self, offset: int) -> Point:
        row = bisect_right(self._starts, offset) - 1
        return row, offset - self._starts[row]

    def reach(self, span: Span) -> tuple[int, int]:
        """Return where a span of this file begins and ends in bytes."""
        return self._find_offset(span.line, span.column), self._find_offset(span.end_line, span.end_column)

    def _find_offset(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return len(self.data)
        start = self._starts[line - 1]
        own = self._slice_line(line).decode("utf-8", "replace")[: column - 1]
        return min(start + len(own.encode("utf-8")), len(self.data))

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins in bytes."""
        return list(accumulate((len(row) + 1 for row in self.data.split(b"\n")[:-1]), initial=0))

    def _slice_line(self, line: int) -> bytes:
        end = self.data.find(b"\n", self._starts[line - 1])
        return self.data[self._starts[line - 1] : end if end >= 0 else len(self.data)]
