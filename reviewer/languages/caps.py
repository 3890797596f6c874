"""Code that cuts what it gives, whatever its callers ask for: a slice, a limit handed on, a paged query."""

import re
from collections.abc import Iterable

from reviewer.text.patterns import pattern

# By form alone, in any language: a slice from the start, what takes a number of things, and the names of arguments by
# which APIs are asked for a page. Too much is taken for a cap rather than too little: a list that is cut would be a
# false alarm.
_CAP = pattern(
    rb"\[\s*:\s*[\w.]+\s*\]|\bislice\(|\b(?:limit|max_results|maxResults|per_page|page_size|pageSize)\s*[=:]"
    rb"|\.(?:take|truncate|limit|head)\(|\bLIMIT\s+[\d{?:$%]"
)


def is_capped(code: bytes | None) -> bool:
    """Return whether a function's source shows a cap on what it gives."""
    return code is not None and _CAP.search(code) is not None


def is_kept_short(name: str, sources: Iterable[bytes]) -> bool:
    """Return whether code asks whether something of a name is full: `len(JOBS) >= MAX_JOBS`, `jobs.len() >= MAX_JOBS`."""
    held = re.escape(name).encode()
    full = re.compile(
        rb"(?:\blen\(\s*" + held + rb"\s*\)|(?<![\w.])(?:self\.)?" + held + rb"\.len\(\))\s*>=?\s*"
        rb"(?:(?:\w+(?:\.|::))*\w*(?:MAX|max|LIMIT|limit|CAPACITY|capacity)\w*|[1-9]\d*)\b"
    )
    return any(full.search(each) for each in sources)
