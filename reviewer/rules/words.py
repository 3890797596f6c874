"""Identifiers as the words they are made of, and code as a message shows it."""

import re
from functools import lru_cache

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """Split a name into lower-case words: `userId`, `user_id` and `user.id` give `("user", "id")`."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def clipped(code: str, most: int = 60) -> str:
    """Give a piece of code in one line of at most so many characters, for a message."""
    line = " ".join(code.split())
    return line if len(line) <= most else line[: most - 3] + "..."
