"""Whether a file's bytes match a pattern, asked first of the words that no match can do without: those are found far quicker."""

import re
from collections.abc import Iterable
from functools import cache
from re import _parser  # type: ignore[attr-defined]  # the only reader of patterns there is; a test shows that it still reads
from typing import Any

REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
SHORTEST = 2
"""Bytes. A shorter word stands in every file."""

Words = frozenset[bytes]


def mentions(data: bytes, pattern: re.Pattern[bytes]) -> bool:
    """Tell whether a pattern matches somewhere."""
    words, any_case = needles(pattern)
    if words:
        text = data.lower() if any_case else data
        for word in words:
            if word in text:
                break
        else:
            return False
    return pattern.search(data) is not None


@cache
def needles(pattern: re.Pattern[bytes]) -> tuple[Words, bool]:
    """Give words of which every match holds one, none if none are sure, and whether their case does not count."""
    words = _needed(_parser.parse(pattern.pattern, pattern.flags))
    any_case = bool(pattern.flags & re.IGNORECASE)
    return frozenset(word.lower() for word in words) if any_case else words, any_case


def _needed(parts: Iterable[tuple[Any, Any]]) -> Words:
    """Give the alternatives that are the longest of what a sequence cannot do without."""
    sure: list[Words] = []
    word = b""
    for kind, argument in parts:
        if str(kind) == "LITERAL":
            word += bytes([argument])
            continue
        sure += [frozenset({word}), _of_part(str(kind), argument)]
        word = b""
    sure.append(frozenset({word}))
    telling = [words for words in sure if words and min(map(len, words)) >= SHORTEST]
    return max(telling, key=lambda words: (min(map(len, words)), -len(words)), default=frozenset())


def _of_part(kind: str, argument: Any) -> Words:
    if kind == "SUBPATTERN":
        return _needed(argument[-1])
    if kind in REPEATS and argument[0] > 0:
        return _needed(argument[-1])
    if kind == "BRANCH":
        ways = [_needed(way) for way in argument[1]]
        return frozenset().union(*ways) if all(ways) else frozenset()
    return frozenset()
