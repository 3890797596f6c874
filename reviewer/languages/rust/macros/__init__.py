"""Files with the project's own `macro_rules!` written out.

A macro is followed without hygiene and within bounds: what it gives is text in the place of its use, and is read as if it
had been written there. Whatever was given to it keeps its place; all else stands where the macro is used.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from reviewer.languages.rust.macros.definitions import Definition, collect_macro_definitions
from reviewer.languages.rust.macros.lexing import Token, tokenize
from reviewer.languages.rust.macros.pasting import NAMES, iter_pasted
from reviewer.languages.rust.macros.patterns import Matching
from reviewer.languages.rust.macros.ropes import Expanded, Rope, RopePiece, as_written
from reviewer.languages.rust.macros.transcribing import UnevenError
from reviewer.languages.rust.project.modules import find_crate_folder
from reviewer.languages.rust.syntax.brackets import is_nested_too_deeply
from reviewer.records import dataclass
from reviewer.source import Opaque, Source

__all__ = ["as_written", "expand_macros"]

DEPTH = 60
"""Macros that expand to one another; each step of a recursive one counts, and macros that consume a list take one per item. No
macro of 40 servers expanded to another.
"""

LARGEST = 2**20
"""Bytes to which the macros of one file may expand, because recursive macros can double with each step.

40 servers had up to 13,440.
"""

COLLECTING = frozenset({b"tool_router", b"tool_box"})
"""Attributes of blocks whose members the SDK takes as they are written: it sees the use of a macro, not what that gives."""


def expand_macros(sources: Mapping[str, Source]) -> tuple[dict[str, Source], list[Opaque]]:
    """Write out the macros of all files, and name the uses that declare tools and cannot be written out."""
    known = collect_macro_definitions(sources)
    if not known:
        return dict(sources), []
    used = _get_uses_of(known)
    found: dict[str, Source] = {}
    unread: list[Opaque] = []
    for path, source in sources.items():
        found[path] = source
        if used.search(source.data):
            writing = _Writing(known, source)
            found[path] = writing.expand_file()
            unread += writing.unread
    return found, unread


def _get_uses_of(names: Iterable[bytes]) -> "re.Pattern[bytes]":
    any_ = b"|".join(re.escape(name) for name in sorted(names)) or b"(?!)"
    return re.compile(rb"\b(?:" + any_ + rb")\s*!\s*[(\[{]")


@dataclass(frozen=True, slots=True)
class _MacroCall:
    """`name!(..)` among tokens."""

    name: bytes
    start: int
    group: Token


class _UnwrittenError(Exception):
    """Why a use of a macro is left as it is."""


@dataclass(slots=True)
class _Writing:
    """Writes out the macros of one file."""

    known: Mapping[bytes, list[Definition]]
    source: Source
    unread: list[Opaque] = field(default_factory=list)
    size: int = 0

    def expand_file(self) -> Source:
        """Return the file with its macros written out, or as it is if there is nothing to write."""
        data = self.source.data
        rope = Rope(self._iter_pieces(Rope([RopePiece(data, 0)]), tokenize(data), frozenset(self.known), 0))
        return self.source if rope.text == data or is_nested_too_deeply(rope.text) else Expanded(self.source, rope)

    def _iter_pieces(self, rope: Rope, tokens: list[Token], names: frozenset[bytes], depth: int) -> Iterator[RopePiece]:
        start = 0
        for use in _iter_uses(tokens, names):
            yield from rope.cut(start, use.start)
            yield from self._iter_for_use(rope, use, depth)
            start = use.group.end
        yield from rope.cut(start, len(rope.text))

    def _iter_for_use(self, rope: Rope, use: _MacroCall, depth: int) -> Iterator[RopePiece]:
        site = rope.find_origin(use.start, use.group.end)
        try:
            pieces = [piece.with_site(site) for piece in self._iter_expansion(rope, use)]
            inner = Rope(pieces)
            self.size += len(inner.text)
            if depth >= DEPTH or self.size > LARGEST or is_nested_too_deeply(inner.text):
                raise _UnwrittenError("it gives more and more")
            yield from list(self._iter_pieces(inner, tokenize(inner.text), frozenset(self.known) | NAMES, depth + 1))
        except _UnwrittenError as error:
            if depth:
                raise
            self._report_unread(use, rope, str(error))
            yield from rope.cut(use.start, use.group.end)

    def _iter_expansion(self, rope: Rope, use: _MacroCall) -> Iterator[RopePiece]:
        if use.name in NAMES and use.name not in self.known:
            yield from iter_pasted(rope, use.group)
            return
        for definition in self._collect_definitions(use.name):
            for pattern, body in definition.rules:
                bound = Matching(rope).match_all(pattern, use.group.inner)
                if bound is not None:
                    try:
                        yield from list(body.iter_transcribed(bound))
                    except UnevenError as error:
                        raise _UnwrittenError("a repetition in it has no names that are repeated alike") from error
                    return
        raise _UnwrittenError("none of its rules fits")

    def _collect_definitions(self, name: bytes) -> list[Definition]:
        """Find the declaration that a use means: in its file, in its crate, or the only one."""
        all_ = self.known[name]
        here = self.source.path
        near = [each for each in all_ if each.path == here] or [
            each for each in all_ if find_crate_folder(each.path) == find_crate_folder(here)
        ]
        near = near or all_
        if len({each.path for each in near}) > 1:
            raise _UnwrittenError(f"it is declared {len(near)} times")
        return near

    def _report_unread(self, use: _MacroCall, rope: Rope, why: str) -> None:
        if any(each.declares for each in self.known[use.name]):
            rows = rope.text[: use.start].count(b"\n") + 1
            reason = f"the tools of `{use.name.decode('utf-8', 'replace')}!` are not known: {why}"
            self.unread.append(Opaque(reason, self.source.find_line_span(rows)))


def _iter_uses(tokens: list[Token], names: frozenset[bytes], collected: bool = False) -> Iterator[_MacroCall]:
    """Find the outermost uses of some macros, but for those among the members of a block that an attribute collects."""
    at = 0
    collects = False
    while at < len(tokens):
        token = tokens[at]
        called = at + 2 < len(tokens) and tokens[at + 1].text == b"!" and token.kind == "word"
        if called and token.text == b"macro_rules":
            at += 4
            continue
        if called and token.text in names and tokens[at + 2].kind == "group" and not collected:
            yield _MacroCall(token.text, tokens[_get_path_start(tokens, at)].start, tokens[at + 2])
            at += 3
            continue
        collects = _collects(tokens, at, collects)
        if token.kind == "group":
            yield from _iter_uses(token.inner, names, collects and token.opens(b"{"))
            collects = collects and not token.opens(b"{")
        at += 1


def _collects(tokens: list[Token], at: int, before: bool) -> bool:
    """Return whether the next block in braces is one whose members an attribute collects."""
    attribute = tokens[at] if at and tokens[at - 1].text == b"#" and tokens[at].opens(b"[") else None
    if attribute is None:
        return before and tokens[at].text != b";"
    inner = [*attribute.inner, *(each for part in attribute.inner for each in part.inner)]
    return before or any(token.text in COLLECTING for token in inner)


def _get_path_start(tokens: list[Token], at: int) -> int:
    while at >= 2 and tokens[at - 1].text == b"::" and tokens[at - 2].kind == "word":
        at -= 2
    return at
