"""Rust literals → Python values, escapes applied as rustc applies them."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import string_of

ESCAPE = re.compile(r"\\(\r?\n\s*|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]{1,8}\}|.)", re.DOTALL)
SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "0": "\0", '"': '"', "'": "'"}
RAW = re.compile(r'^r(#*)"(.*)"\1$', re.DOTALL)
SUFFIX = re.compile(r"_?(?:[iu](?:8|16|32|64|128|size)|f32|f64)$")

Scalar = str | int | float | bool | None


def string_value(node: Node) -> str | None:
    """Read a string literal, raw or cooked, or None if the node is none or is cut off."""
    text = string_of(node)
    if node.type == "raw_string_literal":
        raw = RAW.match(text)
        return raw[2] if raw is not None else None
    if node.type != "string_literal" or len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    return ESCAPE.sub(_unescaped, text[1:-1])


def scalar_value(node: Node) -> Scalar:
    """Read any literal, or None if the node is none."""
    if node.type == "boolean_literal":
        return string_of(node) == "true"
    if node.type == "integer_literal":
        return _integer(string_of(node))
    if node.type == "float_literal":
        return _float(string_of(node))
    if node.type == "char_literal":
        text = string_of(node)
        return ESCAPE.sub(_unescaped, text[1:-1]) if len(text) > 2 else None
    return string_value(node)


def _unescaped(found: re.Match[str]) -> str:
    body = found[1]
    if body[0] in "\r\n":
        return ""
    if body[0] == "x":
        return chr(int(body[1:], 16)) if len(body) == 3 else body
    if body[0] == "u" and len(body) > 1:
        code = int(body[2:-1].replace("_", "") or "0", 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
    return SIMPLE.get(body, body)


LONGEST = 150
"""Characters of a whole number: the widest type has 128 bits, which take 130 in binary, and a suffix."""


def _integer(text: str) -> int | None:
    digits = text.replace("_", "")
    if len(digits) > LONGEST:
        return None
    try:
        return int(SUFFIX.sub("", digits) if not digits.startswith("0x") else re.sub(r"[iu]\w+$", "", digits), 0)
    except ValueError:
        return None


def _float(text: str) -> float | None:
    try:
        return float(SUFFIX.sub("", text.replace("_", "")))
    except ValueError:
        return None
