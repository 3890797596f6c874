"""What a message shows of a value that is wrong, and of how many there are."""

import json
from typing import Any

LONGEST_SHOWN = 60
"""Characters of a wrong value that a message shows: enough to find it by in the file."""


def quote_excerpt(value: Any) -> str:
    """Write a wrong value as a person wrote it, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return f"`{text}`" if len(text) <= LONGEST_SHOWN else f"`{text[:LONGEST_SHOWN]}…`"


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, as in `1 finding` and `2 findings`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
