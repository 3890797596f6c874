"""A document → JSON that every reader takes, whatever texts and numbers the reviewed source holds."""

import json
import math
from typing import Any

from reviewer.text.patterns import pattern

_HALVES = pattern("[\ud800-\udfff]")
"""Halves of characters, which source may spell: they have no UTF-8, and strict readers refuse them as escapes too."""


_MOST_BITS = 14_000
"""Of a whole number: Python writes none of more than 4,300 digits, and no reader of JSON takes one of so many."""


def as_json(document: Any) -> str:
    """Return a document as JSON: halves of characters become U+FFFD, and numbers that no reader takes become null."""
    try:
        text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_drop_infinite(document), indent=2, ensure_ascii=False)
    return _HALVES.sub("\ufffd", text) + "\n"


def _drop_infinite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_infinite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_drop_infinite(each) for each in value]
    if isinstance(value, int):
        return value if value.bit_length() < _MOST_BITS else None
    return None if isinstance(value, float) and not math.isfinite(value) else value
