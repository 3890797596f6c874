"""The words that names are made of."""

from functools import lru_cache

from reviewer.patterns import pattern

_PARTS = pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=8192)
def parts_of(name: str) -> frozenset[str]:
    """Return the lower-case words that a name is made of."""
    return frozenset(part.lower() for part in _PARTS.findall(name))


TEXT_WORDS = frozenset(
    "text body content string str json html md markdown raw payload output stdout stderr diff patch snippet transcript "
    "serialized rendered preview message summary description excerpt readme dump line log report".split()
)
"""Last words of names that one text has, and no list."""


def names_a_text(name: str) -> bool:
    """Return whether a name, `content_md`, is that of a single text."""
    return name.lower().rpartition("_")[2] in TEXT_WORDS


def names_many(name: str) -> bool:
    """Return whether a name, `found_rows`, is that of many things."""
    last = name.rpartition("_")[2].lower()
    return (last.endswith("s") and not last.endswith("ss")) or last in MANY


MANY = frozenset("found data list all children".split())
"""Last words of names that a list has and that are no plural."""
