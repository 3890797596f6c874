"""Which files are worth parsing for something, told by their bytes."""

import re

from reviewer.languages.rust.project.items import RustItems
from reviewer.text.patterns import pattern

Marks = tuple[re.Pattern[bytes], ...]


def compile_marks(*patterns: bytes) -> Marks:
    """Return patterns one by one: a search for a fixed beginning is far quicker than one for alternatives."""
    return tuple(map(pattern, patterns))


def find_files_with(items: RustItems, wanted: Marks) -> list[str]:
    """Name the files that show any of the marks, in order."""
    found = {path for mark in wanted for path in items.find_matching(mark)}
    return [path for path in items.sources if path in found]
