"""The `macro_rules!` of a tree."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from reviewer.languages.rust.macros.lexing import Token, tokenize
from reviewer.languages.rust.macros.patterns import Element, parse_pattern
from reviewer.languages.rust.macros.transcribing import MacroBody
from reviewer.records import dataclass
from reviewer.source import Source
from reviewer.text.patterns import pattern

# At the beginning of a line, so that the indentation tells which brace ends it.
DEFINING = pattern(rb"^([ \t]*)(?:#\[[^\]\n]*\]\s*)*macro_rules!\s*(\w+)", re.MULTILINE)
DECLARES = pattern(
    rb"#\[\s*(?:\w+\s*::\s*)*(?:tool|tool_router|mcp_tool)\b|\bimpl\b[^{};]*\w*Tool(?:Base|Handler)?\b[^{};]*\bfor\b"
    rb"|\b\w*Tool\w*\s*(?:::\s*new(?:_with_raw)?\s*\(|\{\s*(?:\w+\s*:|\.\.))|\binput_?[sS]chema\b|\btool_box!"
)
"""Words of a macro that declares tools."""

OTHERS = frozenset(
    b"json json_schema object vec concat format println eprintln print eprint stringify schema_for".split()
)
"""Macros that are read without expanding them, even if the project declares one of the name."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One `macro_rules!`: what each of its rules takes and gives."""

    path: str
    name: bytes
    rules: tuple[tuple[tuple[Element, ...], MacroBody], ...]
    declares: bool


@dataclass(frozen=True, slots=True)
class _Seen:
    """A definition as bytes, perhaps with some code after it."""

    path: str
    name: bytes
    text: bytes


def collect_macro_definitions(sources: Mapping[str, Source]) -> dict[bytes, list[Definition]]:
    """Find what each rule of a macro takes and gives, by the macro's name."""
    seen = (
        each for path, source in sources.items() for each in _iter_seen(path, source.data) if each.name not in OTHERS
    )
    found: dict[bytes, list[Definition]] = {}
    for each in seen:
        found.setdefault(each.name, []).extend(_iter_definition(each))
    return {name: each for name, each in found.items() if each}


def _iter_seen(path: str, data: bytes) -> Iterator[_Seen]:
    if b"macro_rules!" not in data:
        return
    starts = [*DEFINING.finditer(data), None]
    for one, following in pairwise(starts):
        if one is None:
            continue
        close = data.find(b"\n" + one[1] + b"}", one.end())
        end = len(one[1]) + close + 2 if close >= 0 else len(data)
        yield _Seen(path, one[2], data[one.start() : min(end, following.start() if following else end)])


def _iter_definition(seen: _Seen) -> Iterator[Definition]:
    tokens = tokenize(seen.text)
    body = next((token for token in tokens if token.kind == "group" and token.text in (b"{", b"(")), None)
    if body is None or not body.inner:
        return
    rules = tuple((parse_pattern(one.inner), MacroBody(seen.text, other)) for one, other in _iter_rules(body.inner))
    whole = seen.text[body.start : body.end]
    yield Definition(seen.path, seen.name, rules, DECLARES.search(whole) is not None)


def _iter_rules(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    for one, arrow, other in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if one.kind == "group" and arrow.text == b"=>" and other.kind == "group":
            yield one, other
