"""What mutations begin with: our own examples, clean servers and rule tests, and a folder of real servers if one is named."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
OWN = ("examples", "evals/checklist/clean")
FENCE = re.compile(r"^```(python|rust|typescript|javascript|json|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SUFFIXES = {"python": ".py", "rust": ".rs", "typescript": ".ts", "javascript": ".ts", "json": ".json", "yaml": ".yaml"}
MOST_BYTES = 60_000
"""A larger file of a real server is left out: it holds little that a smaller one does not, and takes long."""

WORTH = re.compile(rb"mcp|tool|Tool")
"""What a file of a real server says that has to do with tools."""


class Seeds:
    """The texts of files by the ending of their names."""

    def __init__(self) -> None:
        self.real: Path | None = None
        self._found: dict[str, tuple[bytes, ...]] = {}

    def of(self, suffix: str) -> tuple[bytes, ...]:
        """Return all files of a kind, in an order that is always the same."""
        if suffix not in self._found:
            found = [*self._own(suffix), *self._tested(suffix), *self._served(suffix)]
            self._found[suffix] = tuple(dict.fromkeys(found))
        return self._found[suffix]

    def _own(self, suffix: str) -> Iterator[bytes]:
        for folder in OWN:
            for path in sorted((ROOT / folder).rglob(f"*{suffix}")):
                yield path.read_bytes()

    def _tested(self, suffix: str) -> Iterator[bytes]:
        for path in sorted((ROOT / "tests" / "rules").rglob("*.md")):
            for language, body in FENCE.findall(path.read_text("utf-8")):
                if SUFFIXES[language] == suffix:
                    yield body.encode()

    def _served(self, suffix: str) -> Iterator[bytes]:
        for data in self._files(suffix) if self.real is not None else ():
            if len(data) <= MOST_BYTES and WORTH.search(data):
                yield data

    def _files(self, suffix: str) -> Iterator[bytes]:
        assert self.real is not None
        for path in sorted(self.real.rglob("*")):
            if path.suffix == suffix and path.is_file():
                yield path.read_bytes()
            elif path.suffix == ".whl":
                with zipfile.ZipFile(path) as wheel:
                    for name in sorted(wheel.namelist()):
                        if name.endswith(suffix):
                            yield wheel.read(name)


SEEDS = Seeds()
