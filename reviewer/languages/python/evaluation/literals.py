"""String and number literals → their values, by Python's own rules."""

import ast
import warnings
from contextlib import nullcontext

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, list_children
from reviewer.languages.python.evaluation.amounts import WIDEST, is_sendable
from reviewer.text.patterns import pattern

# Most numbers, read without a parse; with a hundred digits none is too wide to be written out.
_NUMBER = pattern(r"0|[1-9][0-9]{0,99}")
# An f-string's or t-string's value only a run tells.
_PREFIX = pattern(r"^[A-Za-z]*")
_PLAIN = pattern(r'''(?P<quote>["'])(?P<text>[^"'\\\r\n]*)(?P=quote)|"""(?P<long>[^"'\\\r]*)"""''')
"""A string without prefix, escape or inner quote, which is most of them and whose value is plain to see."""


def evaluate_string(node: Node) -> str | None:
    """Return the value of a string literal or of adjacent ones; None for bytes, f-strings and broken literals."""
    if node.type == "concatenated_string":
        parts = [evaluate_string(part) for part in list_children(node) if part.type == "string"]
        return "".join(part for part in parts if part is not None) if None not in parts else None
    value = evaluate_constant(node)
    return value if isinstance(value, str) else None


def evaluate_constant(node: Node) -> str | bytes | int | float | complex | None:
    """Return the value of one literal; None if it is no plain literal, or one that cannot be written out."""
    source = decode_node(node)
    plain = _PLAIN.fullmatch(source)
    if plain is not None:
        return plain["text"] or plain["long"] or ""
    if _NUMBER.fullmatch(source) is not None:
        return int(source)
    prefix = _PREFIX.match(source)
    if node.type == "string" and prefix is not None and set(prefix.group().lower()) & {"f", "t"}:
        return None
    value = _evaluate(source)
    if isinstance(value, int) and value.bit_length() > WIDEST:
        return None
    if isinstance(value, str) and not is_sendable(value):
        return None
    return value if isinstance(value, str | bytes | int | float | complex) else None


def _evaluate(source: str) -> object:
    """Evaluate a literal; an unknown escape, of which Python warns, is taken as it stands."""
    with warnings.catch_warnings() if "\\" in source else nullcontext():
        if "\\" in source:
            warnings.simplefilter("ignore")
        try:
            value: object = ast.literal_eval(source)
        except (
            ValueError,
            TypeError,
            SyntaxError,
            MemoryError,
            RecursionError,
        ):  # a set of dictionaries is a TypeError
            return None
    return value


def unescape_literal(source: str, opening: str) -> str | None:
    """Return the value of a literal part of an f-string, whose string begins with `opening`."""
    raw = "r" in opening.lower().rstrip("'\"")
    text = source.replace("{{", "{").replace("}}", "}")
    if raw or "\\" not in text:
        return text
    quote = '"""' if '"""' not in text else "'''"
    inner = text if not text.endswith(quote[0]) else f"{text[:-1]}\\{text[-1]}"
    value = _evaluate(f"{quote}{inner}{quote}")
    return value if isinstance(value, str) else None
