"""Markdown → the names that its headings, items and tables begin with. Read as plain text, within bounds."""

import re
from collections.abc import Iterator
from dataclasses import field

from reviewer.records import dataclass
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# Of a longer document only the beginning is read, so that a generated one costs no more than a written one.
LINES = 20_000
WIDEST = 2_000
"""Characters of a line that are looked at."""

WORD = r"[A-Za-z][A-Za-z0-9_.-]{1,63}"

OPENED = r"(?:\*\*|__|\[|<[a-z]{1,6}>)*"
"""What a name may stand in at the beginning of a line: bold, a link, a tag of HTML."""

NAME = rf"{OPENED}(?:`(?P<name>{WORD})(?:\([^`]*\))?`|(?P<bare>[a-z][a-z0-9]{{0,31}}(?:_[a-z0-9]{{1,31}}){{1,9}}))(?P<rest>.*)"
"""A name in backticks, or one of words joined by `_`, which no other word of a text has."""

# ATX headings, with the closing marks that they may have. A heading that is underlined is not read.
HEADING = pattern(r"^(?P<level>#{1,6})\s+(?P<text>.*?)[\s#]*$")
# A number or "Tool:" may stand before the name.
TITLE = pattern(rf"^(?:\d+[.)]\s+|[Tt]ools?:\s+)?{NAME}$")
# The first column names what a row is about.
ROW = pattern(rf"^\s*\|\s*{NAME}$")
# Names in one sentence are a list only in code font: words in a row would be names else.
RUN = pattern(rf"`{WORD}(?:\([^`]*\))?`(?:(?:, (?:and )?| and | ?[/·|] ?)`{WORD}(?:\([^`]*\))?`)+")
# With the group of `NAME`, so that one function builds the entry of either.
CODED = pattern(rf"`(?P<name>{WORD})(?:\([^`]*\))?`(?P<rest>)")
# The name has to be the first in the item: one further in is what the item says of it.
ITEM = pattern(rf"^(?P<indent>[ \t]*)(?:[-*+•]|\d+[.)])\s+{NAME}$")
# Markdown's three marks, the character that is pasted for them, and numbers.
BULLET = pattern(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d+[.)])\s")
# The line under the heads of a table, by which it is one.
RULE = pattern(r"^\s*\|?[\s:|-]*-[\s:|-]*$")
# Indented as far as within nested lists; a fence that is missed would take the rest of the document for code.
FENCE = pattern(r"^\s{0,8}(?:```|~~~)")


@dataclass(slots=True)
class NamedEntry:
    """A name that a heading, an item or a row begins with, and the line's rest. `coded` tells that it is in code font."""

    name: Text
    rest: str
    coded: bool


@dataclass(slots=True)
class NameGroup:
    """The names of one table, of one list, or of the headings of one level under one heading.

    `headings` are those above it, outermost first; `head` is the line above a table's rule, or the line before a list. `owner` is
    the name that stands over it, of a heading or of the item around it; `latest` that of the item read last.
    """

    kind: str
    headings: tuple[str, ...]
    head: str = ""
    owner: str = ""
    latest: str = ""
    entries: list[NamedEntry] = field(default_factory=list)


def iter_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the lines of a text by their numbers, and whether each lies within a fence."""
    fenced = False
    for number, line in enumerate(text.split("\n")[:LINES], 1):
        fenced ^= FENCE.match(line) is not None
        yield number, line[:WIDEST].rstrip(), fenced


def iter_name_groups(path: str, text: str) -> Iterator[NameGroup]:
    """Yield the groups of names of a document."""
    return _MarkdownParser(path).iter_groups(text)


class _MarkdownParser:
    """Goes through the lines of a document once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._headings: list[tuple[int, str]] = []
        self._titles: dict[int, NameGroup] = {}
        self._lists: list[tuple[int, NameGroup]] = []
        self._table: NameGroup | None = None
        self._before = ""

    def iter_groups(self, text: str) -> Iterator[NameGroup]:
        for number, line, fenced in iter_lines(text):
            if fenced or FENCE.match(line):
                continue
            heading = HEADING.match(line)
            if heading is not None:
                yield from self._close(-1)
                yield from self._iter_head(heading, number)
            elif line.lstrip().startswith("|"):
                yield from self._iter_row(line, number)
            elif BULLET.match(line) is not None:
                yield from self._iter_item(line, number)
            elif line and not line[0].isspace():
                yield from self._close(-1)
            if line:
                self._before = line
                yield from self._iter_runs(line, number)
        yield from self._close(-1)
        yield from self._titles.values()

    def _iter_head(self, heading: re.Match[str], number: int) -> Iterator[NameGroup]:
        level, text = len(heading["level"]), heading["text"]
        yield from (self._titles.pop(each) for each in sorted(self._titles) if each > level)
        self._headings = [each for each in self._headings if each[0] < level]
        above = tuple(each for _, each in self._headings)
        self._headings.append((level, text))
        found = TITLE.match(text)
        if found is not None:
            entry = self._build_entry(found, number, heading.start("text"))
            self._titles.setdefault(level, NameGroup("heading", above)).entries.append(entry)

    def _iter_row(self, line: str, number: int) -> Iterator[NameGroup]:
        if self._table is None:
            yield from self._close(-1)
            self._table = NameGroup("row", self._above, line, self._named_above)
        if RULE.match(line):
            self._table.entries.clear()  # what stood above it are the heads of the columns
            return
        found = ROW.match(line)
        if found is not None:
            self._table.entries.append(self._build_entry(found, number, 0))

    def _iter_item(self, line: str, number: int) -> Iterator[NameGroup]:
        bullet = BULLET.match(line)
        indent = len(bullet["indent"].expandtabs(4)) if bullet is not None else 0
        yield from self._close(indent)
        if not self._lists or self._lists[-1][0] < indent:
            around = self._lists[-1][1] if self._lists else None
            owner = around.latest or around.owner if around is not None else self._named_above
            self._lists.append((indent, NameGroup("item", self._above, self._before, owner)))
        found = ITEM.match(line)
        if found is not None:
            self._lists[-1][1].entries.append(self._build_entry(found, number, 0))
        self._lists[-1][1].latest = str(self._lists[-1][1].entries[-1].name) if found is not None else ""

    def _iter_runs(self, line: str, number: int) -> Iterator[NameGroup]:
        """Yield the names in code font that a line holds one after the other."""
        for run in RUN.finditer(line):
            entries = [self._build_entry(each, number, 0) for each in CODED.finditer(line, *run.span())]
            yield NameGroup("run", self._above, line[: run.start()], "", "", entries)

    def _close(self, indent: int) -> Iterator[NameGroup]:
        """End the table, and the lists that lie deeper."""
        if self._table is not None:
            yield self._table
            self._table = None
        while self._lists and self._lists[-1][0] > indent:
            yield self._lists.pop()[1]

    @property
    def _above(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._headings)

    @property
    def _named_above(self) -> str:
        """The name that the innermost heading begins with that begins with one."""
        found = (TITLE.match(text) for _, text in reversed(self._headings))
        return next((each["name"] or each["bare"] for each in found if each is not None), "")

    def _build_entry(self, found: re.Match[str], number: int, shift: int) -> NamedEntry:
        group = "name" if found["name"] else "bare"
        start, end = found.span(group)
        span = Span(self._path, number, start + shift + 1, number, end + shift + 1)
        return NamedEntry(Text(found[group], span), found["rest"], group == "name")
