"""The right side of a macro's rule, written out with what its names stand for."""

from collections.abc import Iterator

from reviewer.languages.rust.macros.lexing import Token
from reviewer.languages.rust.macros.patterns import Bound, FragmentText, parse_repetition
from reviewer.languages.rust.macros.ropes import RopePiece
from reviewer.records import dataclass


class UnevenError(Exception):
    """A repetition whose names are not repeated, or not alike."""


@dataclass(frozen=True, slots=True)
class MacroBody:
    """The right side of a rule, in the text of the file that it stands in."""

    text: bytes
    group: Token

    def iter_transcribed(self, bound: Bound) -> Iterator[RopePiece]:
        """Write it out."""
        yield from self._iter_written(self.group.inner, self.group.start + 1, self.group.end - 1, bound)

    def _iter_written(self, tokens: list[Token], start: int, end: int, bound: Bound) -> Iterator[RopePiece]:
        """Copy the text as it stands, but for the names and the repetitions in it."""
        at = 0
        while at < len(tokens):
            token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
            at += 1
            if token.kind == "group":
                yield self._copy(start, token.start + 1)
                yield from self._iter_written(token.inner, token.start + 1, token.end - 1, bound)
                start = token.end - 1
            elif token.text == b"$" and following is not None and (following.opens(b"(") or following.kind == "word"):
                yield self._copy(start, token.start)
                if following.opens(b"("):
                    separator, operator, at = parse_repetition(tokens, at + 1)
                    start = tokens[at - 1].end if at <= len(tokens) else end
                    yield from self._iter_repeated(following, separator if operator else b"", bound)
                else:
                    at, start = at + 1, following.end
                    yield from _iter_bound_pieces(following.text, bound)
        yield self._copy(start, end)

    def _copy(self, start: int, end: int) -> RopePiece:
        return RopePiece(self.text[start:end], None)

    def _iter_repeated(self, group: Token, separator: bytes, bound: Bound) -> Iterator[RopePiece]:
        used = [repetitions for name in _iter_names(group.inner) if isinstance(repetitions := bound.get(name), list)]
        if not used or len({len(repetitions) for repetitions in used}) > 1:
            raise UnevenError
        for number, here in enumerate(zip(*used, strict=True)):
            if number:
                yield RopePiece(separator + b"\n", None)
            inner = dict(bound)
            for each in here:
                inner.update(each)
            yield from self._iter_written(group.inner, group.start + 1, group.end - 1, inner)


def _iter_bound_pieces(name: bytes, bound: Bound) -> Iterator[RopePiece]:
    given = bound.get(name)
    if isinstance(given, FragmentText):
        yield from given.pieces
    else:
        yield RopePiece(name if name == b"crate" else b"$" + name, None)


def _iter_names(tokens: list[Token]) -> Iterator[bytes]:
    for at, token in enumerate(tokens):
        if token.text == b"$" and at + 1 < len(tokens) and tokens[at + 1].kind == "word":
            yield tokens[at + 1].text
        yield from _iter_names(token.inner)
