"""The lines of a place, numbered, with the flawed part marked."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from reviewer.render.html.markup import Part, aside, counted, tag
from reviewer.source import Span

WIDTH = 200
"""Characters shown of a line; of a longer one, those around the mark."""

BEFORE = 40
"""Characters shown before a mark that stands far to the right."""


def excerpt(span: Span, lines: tuple[str, ...]) -> Element | None:
    """Show the lines of a span, the first of which is the span's first; None if there are none."""
    if not lines:
        return None
    rows = [_row(line, number, span) for number, line in enumerate(lines, span.line)]
    more = span.end_line - span.line + 1 - len(lines)
    return tag(
        "pre",
        aside(f"Source from line {span.line}: "),
        rows,
        tag("span", f"… {counted(more, 'more line')}", class_="more") if more > 0 else None,
    )


def _row(line: str, number: int, span: Span) -> Element:
    return tag("code", list(_marked(line.rstrip("\r\n"), *_columns(line, number, span))), "", data_line=number)


def _columns(line: str, number: int, span: Span) -> tuple[int, int]:
    """Give where the flawed part of a line starts and ends, from 0: without the indentation, never past the line."""
    indentation = len(line) - len(line.lstrip())
    start = span.column - 1 if number == span.line else indentation
    end = span.end_column - 1 if number == span.end_line else len(line)
    return min(max(start, 0), len(line)), min(max(end, 0), len(line.rstrip()))


def _marked(line: str, start: int, end: int) -> Iterator[Part]:
    first = 0 if len(line) <= WIDTH or start < WIDTH - BEFORE else start - BEFORE
    last = min(len(line), first + WIDTH)
    if first:
        yield tag("span", "…", class_="cut")
    yield _flat(line[first : min(start, last)] if start < end else line[first:last])
    if start < end:
        yield tag("mark", _flat(line[start : min(end, last)]))
        yield _flat(line[min(end, last) : last])
    if last < len(line):
        yield tag("span", "…", class_="cut")


def _flat(text: str) -> str:
    return text.replace("\t", "    ")
