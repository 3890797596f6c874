"""Text from the reviewed source made safe to show on one line: it may be hostile."""

import unicodedata
from collections.abc import Iterable

HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
"""Unicode categories that steer a terminal, reorder text or cannot be seen."""


def escape_hidden(text: str) -> str:
    """Write every control, bidi, zero-width and unassigned character as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape_character(char) if unicodedata.category(char) in HIDDEN else char for char in text)


def is_plain(lines: Iterable[str]) -> bool:
    """Return whether lines show all that is in them, so that they may be shown to be taken over as they stand."""
    return all(escape_hidden(bare) == bare for bare in (line.replace("\t", "") for line in lines))


def _escape_character(char: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char, f"\\u{{{ord(char):x}}}")
