"""How far the fragments of a macro's pattern reach: `$x:expr`, `$t:ty`, `$i:item` and their like."""

from collections.abc import Callable

from reviewer.languages.rust.macros.lexing import Token

Tokens = list[Token]
Reach = Callable[[Tokens, int], int | None]
"""Tokens and a place among them → the place after the fragment that begins there, or None if none does."""

ENDS_EXPRESSION = frozenset({b",", b";", b"=>"})
ENDS_PATTERN = frozenset({b",", b"=>", b"=", b"if", b"in"})
ENDS_TYPE = frozenset({b",", b";", b"=>", b"=", b":", b"|", b"as", b"where"})
CLOSURE_AFTER = frozenset({b",", b"=", b"move", b"=>", b"return"})
ENDED_BY_SEMICOLON = frozenset({b"use", b"const", b"static", b"type", b"extern"})
VISIBLE = frozenset({b"crate", b"self", b"super", b"in"})


def _get_one(accepts: Callable[[Token], bool]) -> Reach:
    return lambda tokens, at: at + 1 if at < len(tokens) and accepts(tokens[at]) else None


def _find_literal(tokens: Tokens, at: int) -> int | None:
    start = at + 1 if at < len(tokens) and tokens[at].text == b"-" else at
    return _get_one(lambda token: token.kind == "literal" or token.text in (b"true", b"false"))(tokens, start)


def _find_expression(tokens: Tokens, at: int) -> int | None:
    """Go to the separator after it, over the commas between a closure's parameters and within `::<..>`."""
    place, depth = at, 0
    while place < len(tokens) and (depth or tokens[place].text not in ENDS_EXPRESSION):
        text, before = tokens[place].text, tokens[place - 1].text if place > at else b"="
        if text == b"|" and before in CLOSURE_AFTER:
            place = next((p for p in range(place + 1, len(tokens)) if tokens[p].text == b"|"), place)
        elif text == b"<" and (depth or before == b"::"):
            depth += 1
        elif text == b">" and depth:
            depth -= 1
        place += 1
    return place if place > at else None


def _type(tokens: Tokens, at: int) -> int | None:
    place, depth = at, 0
    while place < len(tokens):
        token = tokens[place]
        if depth == 0 and (token.text in ENDS_TYPE or token.opens(b"{") or _follows(tokens, at, place)):
            break
        depth += {b"<": 1, b">": -1}.get(token.text, 0)
        if depth < 0:
            break
        place += 1
    return place if place > at else None


def _follows(tokens: Tokens, at: int, place: int) -> bool:
    """Return whether a group in square brackets comes after a type rather than being one."""
    if place == at or not tokens[place].opens(b"["):
        return False
    before = tokens[place - 1]
    return (
        before.text == b">" or before.kind == "group" or (before.kind == "word" and before.text not in (b"mut", b"dyn"))
    )


def _find_pattern(tokens: Tokens, at: int) -> int | None:
    place = at
    while place < len(tokens) and tokens[place].text not in ENDS_PATTERN:
        place += 1
    return place if place > at else None


def _find_statement(tokens: Tokens, at: int) -> int | None:
    place = at
    while place < len(tokens) and tokens[place].text != b";":
        place += 1
    return place if place > at else None


def _find_visibility(tokens: Tokens, at: int) -> int:
    if at >= len(tokens) or tokens[at].text != b"pub":
        return at
    given = tokens[at + 1] if at + 1 < len(tokens) else None
    limited = given is not None and given.opens(b"(") and bool(given.inner) and given.inner[0].text in VISIBLE
    return at + 2 if limited else at + 1


def _find_item(tokens: Tokens, at: int) -> int | None:
    """Go over attributes and head to the body in braces, or to the semicolon."""
    place = at
    while place < len(tokens) and (tokens[place].kind == "doc" or tokens[place].text == b"#"):
        place += 1 if tokens[place].kind == "doc" else 2
    place = _find_visibility(tokens, place)
    plain = place < len(tokens) and tokens[place].text in ENDED_BY_SEMICOLON
    plain = plain and not any(token.text == b"fn" for token in tokens[place : place + 4])
    for end in range(place, len(tokens)):
        if tokens[end].text == b";" or (tokens[end].opens(b"{") and not plain):
            return end + 1
    return None


REACHES: dict[bytes, Reach] = {
    b"ident": _get_one(lambda token: token.kind == "word" and token.text != b"_"),
    b"lifetime": _get_one(lambda token: token.kind == "lifetime"),
    b"tt": _get_one(lambda token: True),
    b"block": _get_one(lambda token: token.opens(b"{")),
    b"literal": _find_literal,
    b"expr": _find_expression,
    b"expr_2021": _find_expression,
    b"ty": _type,
    b"path": _type,
    b"pat": _find_pattern,
    b"pat_param": _find_pattern,
    b"stmt": _find_statement,
    b"vis": _find_visibility,
    b"item": _find_item,
    b"meta": _find_expression,
}
