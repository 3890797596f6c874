"""What stands under the line of a finding: the line of source, its span underlined, and the remedy."""

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import NamedTuple

from reviewer.render.cells import TAB, measure_width
from reviewer.render.lines import COLOURS
from reviewer.render.plain import escape_hidden
from reviewer.report.model import Finding

LOG_COLUMNS = 160
"""Columns of source shown where no terminal bounds them: more is no line of code, but a generated file or an attack."""

LEAST_COLUMNS = 40
"""Columns that a snippet takes at least: a terminal may say that it has none."""


def iter_snippet_lines(finding: Finding, columns: int | None, *, colour: bool = False) -> Iterator[str]:
    """Yield the lines under a finding, each indented: none is taken for a line of the report.

    `columns` is the width of the terminal, None if there is none.
    """
    most = max(columns or LOG_COLUMNS, LEAST_COLUMNS)
    number = f" {finding.span.line:>4}"
    gutter = " " * len(number)
    if finding.excerpt and finding.excerpt[0].strip():
        shown = _cut_to_span(finding, most - len(f"{number} | "))
        mark = "^" * shown.marked
        if colour:
            mark = f"\x1b[{COLOURS[finding.severity]}m{mark}\x1b[0m"
        yield f"{number} | {shown.source}".rstrip()
        yield f"{gutter} | {' ' * shown.before}{mark}"
    if finding.help:
        head = f"{gutter} = help: "
        lines = wrap(escape_hidden(finding.help), most - len(head)) if columns else [escape_hidden(finding.help)]
        yield from (f"{head if not index else ' ' * len(head)}{line}" for index, line in enumerate(lines))


class _Shown(NamedTuple):
    """A line of source as it is shown, the cells before its span, and those of the span: at least one."""

    source: str
    before: int
    marked: int


def _cut_to_span(finding: Finding, room: int) -> _Shown:
    """Return the part of the first line of a finding around its span that fits into `room` cells."""
    span, line = finding.span, finding.excerpt[0].rstrip("\r")
    first = min(span.column - 1, len(line))
    last = span.end_column - 1 if span.end_line == span.line else len(line)
    begin, end = max(0, first - room), first + room  # the line may have megabytes
    before = _draw_characters(line[begin:first])
    marked = _draw_characters(line[first : min(last, end)].rstrip(), _sum_widths(before))
    after = _draw_characters(line[first:end], _sum_widths(before))[len(marked) :]
    if begin or _sum_widths(before) + _sum_widths(marked) > room:
        kept = _choose_fitting(reversed(before), room // 3)[::-1]
        before = ["…", *kept] if begin or len(kept) < len(before) else kept
    drawn = [*before, *marked, *after]
    shown = _choose_fitting(drawn, room)
    if len(shown) < len(drawn) or end < len(line):
        shown = [*_choose_fitting(drawn, room - 1), "…"]
    left = _sum_widths(before)
    return _Shown("".join(shown), left, max(1, min(_sum_widths(marked), room - left)))


def _draw_characters(source: str, at: int = 0) -> list[str]:
    """Return each character of source as it is shown, in a line that has `at` cells before it: tabs as spaces."""
    drawn = []
    for char in source:
        drawn.append(" " * (TAB - at % TAB) if char == "\t" else escape_hidden(char))
        at += measure_width(drawn[-1])
    return drawn


def _choose_fitting(drawn: Iterable[str], room: int) -> list[str]:
    """Return the first of what is drawn, as many as `room` cells hold."""
    kept = []
    for each in drawn:
        room -= measure_width(each)
        if room < 0:
            break
        kept.append(each)
    return kept


def _sum_widths(drawn: list[str]) -> int:
    return sum(map(measure_width, drawn))
