"""Code that cuts what it gives, whatever its callers ask for: a slice, a limit handed on, a paged query."""

import re

_CAP = re.compile(
    rb"\[\s*:\s*[\w.]+\s*\]|\bislice\(|\b(?:limit|max_results|maxResults|per_page|page_size|pageSize)\s*[=:]"
    rb"|\.(?:take|truncate|limit|head)\(|\bLIMIT\s+[\d{?:$%]"
)


def is_capped(code: bytes | None) -> bool:
    """Tell whether a function's source shows a cap on what it gives."""
    return code is not None and _CAP.search(code) is not None
