"""Rust literals → Python values, escapes applied as rustc applies them.

They are read from their text: that of a macro's tokens has no tree of its own to be asked.
"""

import re

from tree_sitter import Node

from reviewer.languages.nodes import decode_node
from reviewer.text.patterns import pattern

# The escapes of the Rust reference (Tokens, Literals). A backslash at the end of a line takes the blanks of the next
# with it.
ESCAPE = pattern(r"\\(\r?\n\s*|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]{1,8}\}|.)", re.DOTALL)
SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "0": "\0", '"': '"', "'": "'"}
# Byte and C strings are read as well; the hashes of a raw string must be as many behind as before.
TEXT = pattern(r'([bc]?)(r?)(#*)"(.*)"\3', re.DOTALL)
# The type may stand right behind a number: `10u8`, `1.5f32`.
SUFFIX = pattern(r"(?:[iu](?:8|16|32|64|128|size)|f32|f64)$")
# `0x1f32` ends in digits, not in a type.
HEXADECIMAL_SUFFIX = pattern(r"[iu](?:8|16|32|64|128|size)$")

# Both kinds are read alike; each place that asks for a text takes either.
STRINGS = frozenset({"string_literal", "raw_string_literal"})

LONGEST = 150
"""Characters of a whole number: the widest type has 128 bits, which take 130 in binary, and a suffix."""

Scalar = str | int | float | bool | None


def evaluate_string(node: Node) -> str | None:
    """Read a string literal, raw or cooked, or None if the node is none or is cut off."""
    text = decode_node(node)
    is_plain = node.type in STRINGS and text[:1] not in ("b", "c")
    found = parse_string(text) if is_plain else None
    return found if isinstance(found, str) else None


def evaluate_scalar(node: Node) -> Scalar:
    """Read any literal, or None if the node is none."""
    text = decode_node(node)
    match node.type:
        case "boolean_literal":
            return text == "true"
        case "integer_literal" | "float_literal":
            return parse_number(text)
        case "char_literal":
            return ESCAPE.sub(_unescape, text[1:-1]) if len(text) > 2 else None
    return evaluate_string(node)


def _unescape(found: re.Match[str]) -> str:
    body = found[1]
    if body[0] in "\r\n":
        return ""
    if body[0] == "x" and len(body) == 3:
        return chr(int(body[1:], 16))
    if body[0] == "u" and len(body) > 1:
        code = int(body[2:-1].replace("_", "") or "0", 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
    return SIMPLE.get(body, body)


def parse_string(text: str) -> str | bytes | None:
    """Read a string literal of any kind, or None if the text is none."""
    found = TEXT.fullmatch(text)
    if found is None:
        return None
    body = found[4] if found[2] else ESCAPE.sub(_unescape, found[4]) if "\\" in found[4] else found[4]
    return body.encode("latin-1", "replace") if found[1] else body


def parse_number(text: str) -> int | float | None:
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


def parse_constant(text: str) -> bool | int | float | str | bytes | None:
    """Read any literal, or None if the text is none."""
    if text in ("true", "false"):
        return text == "true"
    if text[:1].isdigit():
        return parse_number(text)
    if text[-1:] == "'":
        return _find_character(text)
    return parse_string(text)


def _find_character(text: str) -> str | int | None:
    is_byte = text[0] == "b"
    body = ESCAPE.sub(_unescape, text[1 + is_byte : -1])
    if len(body) != 1:
        return None
    return ord(body) if is_byte else body
