"""`paste!`, by which macros make names: `[<get_ $name:snake>]`."""

from collections.abc import Callable, Iterator

from reviewer.languages.rust.macros.lexing import Token
from reviewer.languages.rust.macros.ropes import Rope, RopePiece
from reviewer.text.patterns import pattern

NAMES = frozenset({b"paste"})
# Where the crate `paste` puts an underscore into a name for `:snake`.
HUMP = pattern(rb"(?<=[a-z0-9])(?=[A-Z])")
MODIFIERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"lower": bytes.lower,
    b"upper": bytes.upper,
    b"snake": lambda word: HUMP.sub(b"_", word).lower(),
    b"camel": lambda word: b"".join(part[:1].upper() + part[1:].lower() for part in HUMP.sub(b"_", word).split(b"_")),
}


def iter_pasted(rope: Rope, group: Token) -> Iterator[RopePiece]:
    """Write out what `paste!` is given."""
    yield from _iter_pasted_tokens(rope, group.inner, group.start + 1, group.end - 1)


def _iter_pasted_tokens(rope: Rope, tokens: list[Token], start: int, end: int) -> Iterator[RopePiece]:
    for token in tokens:
        if token.kind != "group":
            continue
        if token.opens(b"[") and token.inner and token.inner[0].text == b"<" and token.inner[-1].text == b">":
            yield from rope.cut(start, token.start)
            yield RopePiece(_paste_name(token.inner[1:-1]), None)
        else:
            yield from rope.cut(start, token.start + 1)
            yield from _iter_pasted_tokens(rope, token.inner, token.start + 1, token.end - 1)
            yield from rope.cut(token.end - 1, token.end)
        start = token.end
    yield from rope.cut(start, end)


def _paste_name(tokens: list[Token]) -> bytes:
    parts: list[bytes] = []
    modifies = False
    for token in tokens:
        if token.text == b":":
            modifies = True
        elif modifies and parts:
            parts[-1] = MODIFIERS.get(token.text, bytes)(parts[-1])
            modifies = False
        else:
            parts.append(token.text.strip(b'"').removeprefix(b"r#"))
    return b"".join(parts)
