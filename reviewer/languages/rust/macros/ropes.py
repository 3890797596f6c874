"""Text that is put together of pieces, each of which knows the place in its file that it stands for."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from reviewer.records import dataclass
from reviewer.source import Point, Source, Span

Stretch = tuple[int, int]
"""Where something begins and ends in a file, in bytes."""


@dataclass(frozen=True, slots=True)
class RopePiece:
    """A stretch of text. `at` is where it stands in the file, if it does; `site` the use of a macro that it came by."""

    text: bytes
    at: int | None
    site: Stretch | None = None

    def cut(self, start: int, end: int) -> "RopePiece":
        """Return a part of it."""
        return RopePiece(self.text[start:end], None if self.at is None else self.at + start, self.site)

    def with_site(self, site: Stretch) -> "RopePiece":
        """Say which use of a macro it came by; the outermost one counts."""
        return replace(self, site=self.site or site)


class Rope:
    """Pieces one after another, and the text that they make."""

    def __init__(self, pieces: Iterable[RopePiece]) -> None:
        self.pieces = [piece for piece in pieces if piece.text]
        self.text = b"".join(piece.text for piece in self.pieces)

    @cached_property
    def _starts(self) -> list[int]:
        starts, total = [], 0
        for piece in self.pieces:
            starts.append(total)
            total += len(piece.text)
        return starts

    def cut(self, start: int, end: int) -> Iterator[RopePiece]:
        """Yield the pieces of a stretch of the text."""
        index = max(bisect_right(self._starts, start) - 1, 0)
        while index < len(self.pieces) and self._starts[index] < end:
            first = self._starts[index]
            part = self.pieces[index].cut(max(start - first, 0), end - first)
            if part.text:
                yield part
            index += 1

    def find_origin(self, start: int, end: int) -> Stretch:
        """Say where a stretch of the text stands in the file: itself if it was written there, else the use of a macro."""
        first, begins = self._find_piece(start)
        last, ends = self._find_piece(max(end - 1, start))
        if first.site == last.site and begins is not None and ends is not None and begins <= ends:
            return begins, ends + (end > start)
        sites = [piece.site for piece in (first, last) if piece.site is not None]
        one = begins if first.site is None and begins is not None else min(sites)[0]
        other = ends + 1 if last.site is None and ends is not None else max(site[1] for site in sites)
        return one, max(one, other)

    def place(self, offset: int) -> int:
        """Say where a place of the file stands in the text; one in a use of a macro, where what it gives begins."""
        for start, piece in zip(self._starts, self.pieces, strict=True):
            if piece.site is not None and piece.site[0] <= offset < piece.site[1]:
                return start
            if piece.site is None and piece.at is not None and piece.at <= offset < piece.at + len(piece.text):
                return start + offset - piece.at
        return len(self.text)

    def _find_piece(self, place: int) -> tuple[RopePiece, int | None]:
        index = max(bisect_right(self._starts, place) - 1, 0)
        piece = self.pieces[index]
        return piece, None if piece.at is None else piece.at + place - self._starts[index]


class Expanded(Source):
    """A file whose macros are written out; what it says of places is where they are in the file as it was written."""

    def __init__(self, written: Source, rope: Rope) -> None:
        super().__init__(written.path, rope.text)
        self.written = written
        self._rope = rope

    def to_span(self, start: Point, end: Point) -> Span:
        """Turn two tree-sitter points of the text into a span of the file."""
        if not self._rope.pieces:
            return self.written.find_line_span(1)
        begins, ends = self._rope.find_origin(_find_offset(self._rows, start), _find_offset(self._rows, end))
        return self.written.to_span(_point(self._written_rows, begins), _point(self._written_rows, ends))

    def reach(self, span: Span) -> Stretch:
        """Return where a span of the file begins and ends in the text."""
        begins, ends = self.written.reach(span)
        return self._rope.place(begins), self._rope.place(ends)

    @cached_property
    def _rows(self) -> list[int]:
        return _index_rows(self.data)

    @cached_property
    def _written_rows(self) -> list[int]:
        return _index_rows(self.written.data)


def as_written(source: Source) -> Source:
    """Return a file as it was written."""
    return source.written if isinstance(source, Expanded) else source


def _index_rows(data: bytes) -> list[int]:
    rows, place = [0], data.find(b"\n")
    while place >= 0:
        rows.append(place + 1)
        place = data.find(b"\n", place + 1)
    return rows


def _find_offset(rows: list[int], point: Point) -> int:
    return rows[min(point[0], len(rows) - 1)] + point[1]


def _point(rows: list[int], offset: int) -> Point:
    row = bisect_right(rows, offset) - 1
    return row, offset - rows[row]
