"""The words that names are made of."""

import re
from functools import lru_cache

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=8192)
def parts_of(name: str) -> frozenset[str]:
    """Return the lower-case words that a name is made of."""
    return frozenset(part.lower() for part in _PARTS.findall(name))
