"""What a list in a text says under a name: `- limit (int): how many`."""

import re
from collections.abc import Iterator


def iter_entries(text: str, name: str, before: re.Pattern[str], behind: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches after a name, if only allowed text is before the name on its line.

    A pattern that contains the name would have to be compiled for each name, which takes a millisecond; a server has
    hundreds.
    """
    at, end = text.find(name) if name else -1, 0
    while at >= 0:
        begin = text.rfind("\n", 0, at) + 1
        is_first = begin >= end and before.fullmatch(text, begin, at) is not None
        found = behind.match(text, at + len(name)) if is_first else None
        if found is not None:
            yield found
            end = found.end()
        at = text.find(name, max(at + 1, end))


def iter_following(text: str, name: str, behind: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches after a name, wherever the name begins a word."""
    at, end = text.find(name) if name else -1, 0
    while at >= 0:
        found = behind.match(text, at + len(name)) if not _is_letter(text[at - 1 : at]) else None
        if found is not None:
            yield found
            end = found.end()
        at = text.find(name, max(at + 1, end))


def _is_letter(text: str) -> bool:
    """Return whether a character, or none at the beginning, is one that `\\w` stands for."""
    return text == "_" or text.isalnum()
