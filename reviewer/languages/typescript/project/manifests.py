"""Files of JSON that may have comments, as tsconfig.json, and the folders in which they are looked for."""

import json
import posixpath
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from reviewer.text.patterns import pattern

# A text, which may have no end: it is taken too, so that no start of one is tried to the end of the file.
_TEXT = r'("(?:[^"\\\n]|\\[\s\S]?)*+"?)'
COMMENT = pattern(_TEXT + r"|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)")
"""A comment; a text comes first, as it may hold the signs of one. What has no end is taken too: else each start of one would be
tried to the end of the file.
"""
TRAILING = pattern(_TEXT + r"|,(?=\s*[}\]])")
"""A comma after the last part, which tsconfig.json and bun.lock may have; a text comes first here, too."""


def parse_commented_json(text: str) -> Any:
    """Return the value of JSON that may have comments and trailing commas.

    Raises ValueError for what is none, or leads too deep.
    """
    text = text.removeprefix("\ufeff")
    try:
        with suppress(ValueError):
            return json.loads(text)
        bare = COMMENT.sub(lambda found: found[1] or "", text)
        return json.loads(TRAILING.sub(lambda found: found[1] or "", bare))
    except RecursionError:
        raise ValueError("nested too deep") from None


def iter_above(folder: str) -> Iterator[str]:
    """Yield a folder and all above it, the root last."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""
