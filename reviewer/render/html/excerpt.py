"""The lines of a place, numbered, with the flawed part marked, and what a fix makes of them."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from xml.etree.ElementTree import Element

from reviewer.render.html.markup import Part, format_count, render_aside, tag
from reviewer.report.model import Lines
from reviewer.source import Span

WIDTH = 200
"""Characters shown of a line; of a longer one, those around the mark."""

BEFORE = 40
"""Characters shown before a mark that stands far to the right."""


def render_excerpt(span: Span, lines: tuple[str, ...]) -> Element | None:
    """Show the lines of a span, the first of which is the span's first; None if there are none."""
    if not lines:
        return None
    rows = [_render_row(line, number, span) for number, line in enumerate(lines, span.line)]
    more = span.end_line - span.line + 1 - len(lines)
    return tag(
        "pre",
        render_aside(f"Source from line {span.line}: "),
        rows,
        tag("span", f"… {format_count(more, 'more line')}", class_="more") if more > 0 else None,
    )


def _render_row(line: str, number: int, span: Span) -> Element:
    return tag(
        "code", list(_render_marked(line.rstrip("\r\n"), *_find_columns(line, number, span))), "", data_line=number
    )


def _find_columns(line: str, number: int, span: Span) -> tuple[int, int]:
    """Return where the flawed part of a line starts and ends, from 0: without the indentation, never past the line."""
    indentation = len(line) - len(line.lstrip())
    start = span.column - 1 if number == span.line else indentation
    end = span.end_column - 1 if number == span.end_line else len(line)
    return min(max(start, 0), len(line)), min(max(end, 0), len(line.rstrip()))


def render_difference(lines: Lines) -> Element:
    """Show what stands in some lines once they are fixed, under what stands there now; the part that differs is marked."""
    before, after = ([each.rstrip("\r") for each in rows] for rows in (lines.before, lines.text))
    rows: list[Element] = []
    for kind, one, last, other, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new, at = before[one:last], after[other:end], lines.first
        if kind == "equal" or not before:
            rows += [tag("code", _expand_tabs(line), data_line=at + other + place) for place, line in enumerate(new)]
        else:
            rows += [_render_changed("del", line, new[place:][:1], at + one + place) for place, line in enumerate(old)]
            rows += [
                _render_changed("ins", line, old[place:][:1], at + other + place) for place, line in enumerate(new)
            ]
    return tag("pre", render_aside("What the fix changes: " if before else "Source after the fix: "), rows)


def _render_changed(name: str, line: str, beside: list[str], number: int) -> Element:
    """Show a line of one side; what the line of the other side that it became has not is marked."""
    start, end = len(line) - len(line.lstrip()), 0
    for other in beside:
        start = _count_alike(line, other)
        end = _count_alike(line[start:][::-1], other[start:][::-1])
    parts = list(_render_marked(line, start, len(line) - end, name))
    return tag("code", render_aside("removed: " if name == "del" else "added: "), parts, class_=name, data_line=number)


def _count_alike(one: str, other: str) -> int:
    """Count the characters that two texts begin with."""
    different = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(different, min(len(one), len(other)))


def _render_marked(line: str, start: int, end: int, name: str = "mark") -> Iterator[Part]:
    first = 0 if len(line) <= WIDTH or start < WIDTH - BEFORE else start - BEFORE
    last = min(len(line), first + WIDTH)
    if first:
        yield tag("span", "…", class_="cut")
    yield _expand_tabs(line[first : min(start, last)] if start < end else line[first:last])
    if start < end:
        yield tag(name, _expand_tabs(line[start : min(end, last)]))
        yield _expand_tabs(line[min(end, last) : last])
    if last < len(line):
        yield tag("span", "…", class_="cut")


def _expand_tabs(text: str) -> str:
    return text.replace("\t", "    ")
