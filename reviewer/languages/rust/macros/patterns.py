"""The rules of a `macro_rules!`: what they take apart, and how."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from reviewer.languages.rust.macros.fragments import REACHES
from reviewer.languages.rust.macros.lexing import Token, tokenize
from reviewer.languages.rust.macros.ropes import Rope, RopePiece
from reviewer.records import dataclass

OPERATORS = frozenset({b"*", b"+", b"?"})
MOST = 2000
"""Repetitions of a pattern that are matched, because matching backtracks.

The longest list passed to a macro in 40 servers had 23.
"""


@dataclass(frozen=True, slots=True)
class FragmentText:
    """What a fragment of a pattern stands for: pieces of the text that a macro is given."""

    pieces: tuple[RopePiece, ...]


Bound = Mapping[bytes, "FragmentText | list[Bound]"]
"""What the names of a pattern stand for. A name in a repetition stands for what is bound in each round."""


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a pattern: a sign or word, a fragment with a name, a group, or a repetition of parts."""

    text: bytes = b""
    name: bytes = b""
    reach: bytes = b""
    parts: "tuple[Element, ...]" = ()
    separator: bytes = b""
    operator: bytes = b""


def parse_pattern(tokens: list[Token]) -> tuple[Element, ...]:
    """Read a pattern."""
    found: list[Element] = []
    at = 0
    while at < len(tokens):
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if token.text == b"$" and following is not None and following.opens(b"("):
            separator, operator, at = parse_repetition(tokens, at + 2)
            found.append(Element(parts=parse_pattern(following.inner), separator=separator, operator=operator))
        elif token.text == b"$" and at + 3 < len(tokens) and tokens[at + 2].text == b":":
            found.append(Element(name=tokens[at + 1].text, reach=tokens[at + 3].text))
            at += 4
        else:
            inner = parse_pattern(token.inner) if token.kind == "group" else ()
            found.append(Element(token.text, parts=inner))
            at += 1
    return tuple(found)


def parse_repetition(tokens: list[Token], at: int) -> tuple[bytes, bytes, int]:
    """Read what follows the brackets of a repetition: its separator, if any, its operator, and the place after it."""
    first = tokens[at].text if at < len(tokens) else b""
    second = tokens[at + 1].text if at + 1 < len(tokens) else b""
    if first in OPERATORS and not (second in OPERATORS and first != b"?" and _is_joined(tokens, at)):
        return b"", first, at + 1
    return first, second, at + 2


def _is_joined(tokens: list[Token], at: int) -> bool:
    return tokens[at].end == tokens[at + 1].start


def iter_fragment_names(parts: tuple[Element, ...]) -> Iterator[bytes]:
    """Name the fragments of a pattern."""
    for part in parts:
        if part.name:
            yield part.name
        yield from iter_fragment_names(part.parts)


@dataclass(slots=True)
class Matching:
    """Takes one text apart by patterns."""

    rope: Rope
    repetitions: int = field(default=0)

    def match_all(self, parts: tuple[Element, ...], tokens: list[Token]) -> Bound | None:
        """Match all of the tokens."""
        bound: dict[bytes, FragmentText | list[Bound]] = {}
        return bound if self._run(parts, tokens, 0, bound) == len(tokens) else None

    def _run(
        self,
        parts: tuple[Element, ...],
        tokens: list[Token],
        at: int | None,
        bound: "dict[bytes, FragmentText | list[Bound]]",
    ) -> int | None:
        for index, part in enumerate(parts):
            if at is None:
                return None
            if part.text == b"#" and at < len(tokens) and tokens[at].kind == "doc" and index + 1 < len(parts):
                rest = parts[index + 2 :]
                return (
                    self._run(rest, tokens, at + 1, bound)
                    if self._is_doc(parts[index + 1], tokens[at], bound)
                    else None
                )
            at = self._match_part(part, tokens, at, bound)
        return at

    def _match_part(
        self, part: Element, tokens: list[Token], at: int, bound: "dict[bytes, FragmentText | list[Bound]]"
    ) -> int | None:
        if part.operator:
            return self._match_repetition(part, tokens, at, bound)
        if part.name:
            reach = REACHES.get(part.reach)
            end = reach(tokens, at) if reach is not None else None
            if end is not None:
                bound[part.name] = FragmentText(self._cut_pieces(tokens[at:end]))
            return end
        if at >= len(tokens) or tokens[at].text != part.text:
            return None
        if tokens[at].kind == "group" and self._run(part.parts, tokens[at].inner, 0, bound) != len(tokens[at].inner):
            return None
        return at + 1

    def _match_repetition(
        self, part: Element, tokens: list[Token], at: int, bound: "dict[bytes, FragmentText | list[Bound]]"
    ) -> int:
        repetitions: list[Bound] = []
        place = at
        while place < len(tokens) and self.repetitions < MOST and not (part.operator == b"?" and repetitions):
            start: int | None = place
            if repetitions and part.separator:
                start = place + 1 if tokens[place].text == part.separator else None
            here: dict[bytes, FragmentText | list[Bound]] = {}
            end = self._run(part.parts, tokens, start, here)
            if end is None or end == place:
                break
            self.repetitions += 1
            repetitions.append(here)
            place = end
        bound.update(dict.fromkeys(iter_fragment_names(part.parts), repetitions))
        return place

    def _cut_pieces(self, tokens: list[Token]) -> tuple[RopePiece, ...]:
        if not tokens:
            return ()
        line = (RopePiece(b"\n", None),) if tokens[-1].kind == "doc" else ()
        return (*self.rope.cut(tokens[0].start, tokens[-1].end), *line)

    def _is_doc(self, part: Element, token: Token, bound: "dict[bytes, FragmentText | list[Bound]]") -> bool:
        """Match a doc comment as the attribute that it is short for."""
        text = Rope(format_doc_attribute(list(self.rope.cut(token.start, token.end))))
        inner = tokenize(text.text)
        return part.text == b"[" and Matching(text)._run(part.parts, inner, 0, bound) == len(inner)


def format_doc_attribute(comment: list[RopePiece]) -> list[RopePiece]:
    """Write a doc comment as the inside of an attribute."""
    text = Rope(comment)
    said = text.text[3 : len(text.text) - (2 if text.text.startswith(b"/*") else 0)]
    hashes = b"#" * next(count for count in range(1, len(said) + 2) if b'"' + b"#" * count not in said)
    begins = comment[0].at if comment else None
    ends = None if begins is None else begins + len(text.text) - len(hashes) - 1
    inside = text.cut(3, 3 + len(said))
    return [
        RopePiece(b"doc = ", None),
        RopePiece(b"r" + hashes + b'"', begins),
        *inside,
        RopePiece(b'"' + hashes, ends),
    ]
