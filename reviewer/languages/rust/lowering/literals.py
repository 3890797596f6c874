"""Literals, from their text: that of a macro's tokens has no tree of its own to be asked."""

import re

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.literals import ESCAPE, LONGEST, SIMPLE
from reviewer.languages.rust.lowering.frame import VALUES, Frame, site

TEXT = re.compile(r'([bc]?)(r?)(#*)"(.*)"\3', re.DOTALL)
SUFFIX = re.compile(r"(?:[iu](?:8|16|32|64|128|size)|f32|f64)$")
HEXADECIMAL_SUFFIX = re.compile(r"[iu](?:8|16|32|64|128|size)$")


def _unescaped(found: re.Match[str]) -> str:
    body = found[1]
    if body[0] in "\r\n":
        return ""
    if body[0] == "x" and len(body) == 3:
        return chr(int(body[1:], 16))
    if body[0] == "u" and len(body) > 1:
        code = int(body[2:-1].replace("_", "") or "0", 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
    return SIMPLE.get(body, body)


def string(text: str) -> str | bytes | None:
    """Read a string literal of any kind, or None if the text is none."""
    found = TEXT.fullmatch(text)
    if found is None:
        return None
    body = found[4] if found[2] else ESCAPE.sub(_unescaped, found[4]) if "\\" in found[4] else found[4]
    return body.encode("latin-1", "replace") if found[1] else body


def number(text: str) -> int | float | None:
    """Read a literal of a number, or None if it is none that a type holds."""
    digits = text.replace("_", "")
    if len(digits) > LONGEST:
        return None
    try:
        if digits[:2] in ("0x", "0b", "0o"):
            return int(HEXADECIMAL_SUFFIX.sub("", digits), 0)
        plain = SUFFIX.sub("", digits)
        if digits.endswith(("f32", "f64")) or any(each in plain for each in ".eE"):
            return float(plain)
        return int(plain)
    except ValueError:
        return None


def constant(text: str) -> bool | int | float | str | bytes | None:
    """Read any literal, or None if the text is none."""
    if text in ("true", "false"):
        return text == "true"
    if text[:1].isdigit():
        return number(text)
    if text[-1:] == "'":
        return _character(text)
    return string(text)


def _character(text: str) -> str | int | None:
    is_byte = text[0] == "b"
    body = ESCAPE.sub(_unescaped, text[1 + is_byte : -1])
    if len(body) != 1:
        return None
    return ord(body) if is_byte else body


def _literal(frame: Frame, node: Node) -> ir.Expression:
    value = constant(frame.data[node.start_byte : node.end_byte].decode("utf-8", "replace"))
    return frame.unknown(node, node.type) if value is None else ir.Constant(site(node), value)


for _kind in (
    "integer_literal",
    "float_literal",
    "string_literal",
    "raw_string_literal",
    "char_literal",
    "boolean_literal",
):
    VALUES[_kind] = _literal
