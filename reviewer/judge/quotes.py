"""Whether a quote stands in what was shown, and where that is in the source."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from reviewer.source import Span, Text

SHORTEST = 3
"""Characters. A shorter quote stands in nearly every text."""


def normalize_text(text: str) -> str:
    """Return a text in one normal form, with every run of white space as one space."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()


def is_quote_of(quote: str, shown: Any) -> bool:
    """Return whether a quote stands in a text of a JSON value, white space aside."""
    wanted = normalize_text(quote)
    return len(wanted) >= SHORTEST and any(wanted in normalize_text(each) for each in iter_texts(shown))


def iter_texts(value: Any) -> Iterator[str]:
    """Yield every text of a JSON value, keys included."""
    match value:
        case str():
            yield value
        case dict():
            for key, each in value.items():
                yield str(key)
                yield from iter_texts(each)
        case list() | tuple():
            for each in value:
                yield from iter_texts(each)


def locate_in_text(at: Text | Span, quote: str | None, lines: list[str]) -> Span:
    """Return the line of a quote within a place; the place itself if it is not found in the source's `lines`.

    A text's lines in the source differ from its value by quotes, indents and escapes, so the quote's words are looked for, over
    as many lines as they run.
    """
    span = at.span if isinstance(at, Text) else at
    words = re.findall(r"\w+", quote or "")
    if not words:
        return span
    wanted = re.compile(r"\W+".join(map(re.escape, words)))
    stretch = "\n".join(lines[span.line - 1 : span.end_line])
    found = wanted.search(stretch)
    if found is None:
        return span
    first, last = stretch.count("\n", 0, found.start()), stretch.count("\n", 0, found.end())
    start = found.start() - (stretch.rfind("\n", 0, found.start()) + 1)
    end = found.end() - (stretch.rfind("\n", 0, found.end()) + 1)
    return Span(span.path, span.line + first, start + 1, span.line + last, end + 1)
