"""Whether a panic ends the process: the release profile of the manifest that builds a file."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from reviewer.languages.rust.project.items import RustItems
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# TOML allows three spellings of the key; which of them counts depends on the table that it stands in (`HOLDER`).
SETTING = pattern(r"""(?P<key>panic|release\.panic|profile\.release\.panic)\s*=\s*["']abort["']""")
# The same profile as an inline table: `release = { panic = "abort" }`.
INLINE = pattern(r"""^\s*(?:profile\.)?release\s*=\s*\{[^}]*\b(panic\s*=\s*["']abort["'])""")
# A head in double brackets (`[[bin]]`) ends a table as well: lines below it belong to the profile no longer.
TABLE = pattern(r"^\s*\[+\s*([^\]]*?)\s*\]+")
HOLDER = {"profile.release": "panic", "profile": "release.panic", "": "profile.release.panic"}
"""How the setting is written in each table that may hold it."""


def find_abort_setting(items: RustItems, path: str) -> Text | None:
    """Find `panic = "abort"` in the release profile that holds for a file: the workspace's, or the package's own."""
    for name, lines in _iter_effective(items, path):
        table = ""
        for number, line in enumerate(lines, 1):
            head = TABLE.match(line)
            table = re.sub(r"\s", "", head[1]) if head is not None else table
            span = _find_setting(line, table)
            if span is not None:
                start, end = span
                return Text(line[start:end], Span(name, number, start + 1, number, end + 1))
    return None


def _find_setting(line: str, table: str) -> tuple[int, int] | None:
    """Find the setting in a line of a table."""
    found = SETTING.match(line.lstrip())
    indent = len(line) - len(line.lstrip())
    if found is not None and HOLDER.get(table) == found["key"]:
        return indent, indent + found.end()
    inline = INLINE.match(line) if table in ("profile", "") else None
    return inline.span(1) if inline is not None else None


def _iter_effective(items: RustItems, path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the manifest whose profiles hold: that of the workspace above a file, else the nearest."""
    above = [str(folder / "Cargo.toml") for folder in PurePosixPath(path).parents]
    read = [(name, lines) for name in above if (lines := _find_lines(items, name)) is not None]
    workspace = next((each for each in read if any(line.startswith("[workspace") for line in each[1])), None)
    yield from (workspace,) if workspace is not None else read[:1]


def _find_lines(items: RustItems, name: str) -> list[str] | None:
    manifest = items.manifests.get(name)
    try:
        return manifest.read_text("utf-8", "replace").splitlines() if manifest is not None else None
    except OSError:
        return None
