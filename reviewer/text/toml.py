"""TOML text → a table, in bounded time; the only reader of TOML that others wrote."""

import re
import tomllib
from typing import Any

MOST_PARTS = 64
"""Parts of a dotted key, or of the head of a table. The library takes time that grows with the square of their number."""

_QUOTED = r""""(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?"""
"""A string on one line, ended or not. Possessive, as the rest: each character is read once."""

_PART = rf"(?:(?:[\w-]++|{_QUOTED})[ \t]*+\.[ \t]*+)"
"""A part of a key with the dot behind it."""

_LINES = r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+(?:"{3,5}+)?' + "|" + r"'''(?:[^']++|'{1,2}+(?!'))*+(?:'{3,5}+)?"
"""A string of several lines, which may have one or two of its quotation marks within and up to five at its end."""

_PIECES = re.compile(rf"{_LINES}|({_PART}{{{MOST_PARTS}}})|{_PART}++|[\w-]++|{_QUOTED}|#[^\n]*+|[^\w'\"#-]++")
"""Takes a text apart, each character once: strings, keys, comments and what is between; the group is a key of too many parts.
Strings that do not end are refused by the library."""


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises ValueError, in one clause, for what is none or leads too deep."""
    if any(piece.group(1) for piece in _PIECES.finditer(text)):
        raise ValueError(f"not valid here: a key of more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("not valid here: nested too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not valid TOML: {error}") from None
    except ValueError:  # the only other one there is: Python converts no number of so many digits
        raise ValueError("not valid here: a number of thousands of digits") from None
