"""Rust's tokens as `macro_rules!` sees them: words, literals, signs, and groups in brackets.

The grammar reads files; what a macro is given and gives is no file and may be anything, so it is taken token by token.
"""

import re
from dataclasses import field
from typing import Literal

from reviewer.records import dataclass
from reviewer.text.patterns import pattern

TokenKind = Literal["word", "literal", "lifetime", "doc", "sign", "group"]
KINDS: dict[str, TokenKind] = {
    "word": "word",
    "literal": "literal",
    "lifetime": "lifetime",
    "doc": "doc",
    "sign": "sign",
}

# The tokens of the Rust reference. A doc comment comes before a comment and a literal before a lifetime, of which each
# may look like the beginning of the other.
LEXEME = pattern(
    rb"""(?P<space>\s+)
    |(?P<doc>//(?:/(?!/)|!)[^\n]*|/\*(?:\*(?![*/])|!).*?\*/)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<literal>(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes)
        |[bc]?"(?:[^"\\]|\\.)*"
        |b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\\x80-\xff]|[\x80-\xff]{2,4})'
        |\d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?)
    |(?P<lifetime>'[A-Za-z_]\w*)
    |(?P<word>(?:r\#)?[A-Za-z_\x80-\xff][\w\x80-\xff]*)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<sign>=>|->|::|\.\.[.=]?|[=!<>]=|&&|\|\||[-+*/%^&|]=|.)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class Token:
    """One token, or a group of them in brackets; `start` and `end` count bytes of the text that it was read from."""

    kind: TokenKind
    text: bytes
    start: int
    end: int
    inner: "list[Token]" = field(default_factory=list)

    def opens(self, bracket: bytes) -> bool:
        """Return whether it is a group in such brackets."""
        return self.kind == "group" and self.text == bracket


def tokenize(text: bytes) -> list[Token]:
    """Read a text as tokens; brackets that do not pair end at the end of the text, or are left out."""
    found: list[Token] = []
    open_: list[tuple[Token, list[Token]]] = []
    for each in LEXEME.finditer(text):
        kind = each.lastgroup
        if kind in ("space", "comment") or kind is None:
            continue
        if kind == "open":
            open_.append((Token("group", each[0], each.start(), len(text)), found))
            found = open_[-1][0].inner
        elif kind != "close":
            found.append(Token(KINDS[kind], each[0], each.start(), each.end()))
        elif open_:
            found = _close(open_, each.end())
    while open_:
        found = _close(open_, len(text))
    return found


def _close(open_: list[tuple[Token, list[Token]]], end: int) -> list[Token]:
    group, around = open_.pop()
    group.end = end
    around.append(group)
    return around
