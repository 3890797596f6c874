"""Values that are written out in the source, and how a member is put into them or taken out, byte by byte.

What holds members between brackets is much the same everywhere: an object, an array, the arguments of a call or an attribute.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from tree_sitter import Node

from reviewer.records import dataclass
from reviewer.text.patterns import pattern


class ByteChange(NamedTuple):
    """Bytes from `start` to before `end`, and the text that is to stand there."""

    start: int
    end: int
    text: str


class ByteRange(NamedTuple):
    """A stretch of bytes."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bracketed:
    """What stands between two brackets, which lie right outside of `inner`, with its members and the comma after the last."""

    inner: ByteRange
    members: tuple[ByteRange, ...]
    trailing: ByteRange | None = None


@dataclass(frozen=True, slots=True)
class ParsedLiteral:
    """A value as it is written: `data` is what it means; `members` are those of an object or an array, by key or index."""

    place: ByteRange
    data: Any
    listed: Bracketed | None = None
    members: tuple[tuple[str, ByteRange, "ParsedLiteral"], ...] = ()

    def follow_path(self, path: Sequence[str]) -> "ParsedLiteral | None":
        """Follow keys and indexes; a key that stands twice leads nowhere."""
        here = self
        for key in path:
            found = [value for name, _, value in here.members if name == key]
            if len(found) != 1:
                return None
            here = found[0]
        return here


def convert_to_snake_case(name: str) -> str:
    """Return a name of the protocol as both languages write it: `read_only_hint` of `readOnlyHint`."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()


_BLANK = pattern(rb"[ \t]*(?:(?:#|//)[^\n]*)?\r?\n")
"""The end of a line on which nothing more stands than a comment."""


def insert_member(data: bytes, holder: Bracketed, text: str, comma: str = ", ") -> list[ByteChange]:
    """Put a member behind the last one, on a line of its own if that has one, else after `comma`."""
    if not holder.members:
        return [ByteChange(holder.inner.start, holder.inner.start, text)]
    last = holder.members[-1]
    end = holder.trailing.end if holder.trailing is not None else last.end
    begin = data.rfind(b"\n", 0, last.start) + 1
    indent = data[begin : last.start]
    after = find_line_end(data, end)
    if begin <= holder.inner.start or indent.strip() or after is None:
        if holder.trailing is not None:
            return [ByteChange(end, end, f"{comma[1:]}{text},")]
        return [ByteChange(end, end, f"{comma}{text}")]
    line = f"{detect_newline(data, begin)}{indent.decode()}{text}"
    at = after - len(detect_newline(data, after))
    if holder.trailing is not None:
        return [ByteChange(at, at, f"{line},")]
    return [ByteChange(end, end, ","), ByteChange(at, at, line)] if at > end else [ByteChange(end, end, f",{line}")]


def apply_changes(data: bytes, changes: Iterable[ByteChange]) -> bytes:
    """Return the bytes with the changes applied, which must not overlap."""
    ordered = sorted(changes)
    kept = [0, *(at for each in ordered for at in (each.start, each.end)), len(data)]
    between = [data[start:end] for start, end in list(pairwise(kept))[::2]]
    texts = [*(each.text.encode("utf-8") for each in ordered), b""]
    return b"".join(part for stretch, text in zip(between, texts, strict=True) for part in (stretch, text))


def drop_members(data: bytes, holder: Bracketed, gone: Sequence[int]) -> list[ByteChange] | None:
    """Return the changes that remove members with their commas; None if a comment is between one of them and the next."""
    changes = []
    kept = [index for index in range(len(holder.members)) if index not in gone]
    for first, last in _iter_runs(sorted(set(gone))):
        own = ByteRange(holder.members[first].start, holder.members[last].end)
        if last + 1 < len(holder.members):
            change = ByteRange(own.start, holder.members[last + 1].start)
        elif kept:
            change = ByteRange(holder.members[first - 1].end, own.end)
        else:
            change = ByteRange(own.start, holder.trailing.end if holder.trailing is not None else own.end)
        beside = data[change.start : own.start] + data[own.end : change.end]
        between = [data[holder.members[at].end : holder.members[at + 1].start] for at in range(first, last)]
        if any(each.strip(b" \t\r\n,") for each in (beside, *between)):
            return None
        changes.append(ByteChange(*change, ""))
    return changes


def _iter_runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of numbers without a gap."""
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        found = [number for _, number in run]
        yield found[0], found[-1]


def detect_newline(data: bytes, offset: int) -> str:
    """Return the end of the line before an offset, as it is written there."""
    return "\r\n" if data[max(0, offset - 2) : offset] == b"\r\n" else "\n"


def find_line_end(data: bytes, offset: int) -> int | None:
    """Return where the next line begins, if nothing but a comment stands on this one from an offset on."""
    rest = _BLANK.match(data, offset)
    return rest.end() if rest is not None else None


def build_array(
    place: ByteRange, elements: list[tuple[ByteRange, ParsedLiteral | None]], listed: Bracketed
) -> ParsedLiteral | None:
    """Return an array as it is written; None if an element is none that can be read."""
    members = tuple((str(index), at, value) for index, (at, value) in enumerate(elements) if value is not None)
    if len(members) < len(elements):
        return None
    return ParsedLiteral(place, [value.data for _, _, value in members], listed, members)


def build_object(
    place: ByteRange, entries: list[tuple[str | None, ByteRange, ParsedLiteral | None]], listed: Bracketed
) -> ParsedLiteral | None:
    """Return an object as it is written; None if a name or a value of an entry is none that can be read."""
    members = tuple((name, at, value) for name, at, value in entries if name is not None and value is not None)
    if len(members) < len(entries):
        return None
    return ParsedLiteral(place, {name: value.data for name, _, value in members}, listed, members)


def place_of(node: Node) -> ByteRange:
    """Return the bytes of a node."""
    return ByteRange(node.start_byte, node.end_byte)


def find_node_at(root: Node, place: ByteRange, kinds: tuple[str, ...]) -> Node | None:
    """Return the node of some kinds that is exactly at a place."""
    node = root.descendant_for_byte_range(*place)
    while node is not None and node.start_byte >= place.start and node.end_byte <= place.end:
        if node.type in kinds and place_of(node) == place:
            return node
        node = node.parent
    return None


def has_same_words(said: str | None, old: str) -> bool:
    """Return whether a literal says a text, white space aside."""
    return said is not None and said.split() == old.split()
