"""Pages of a list."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")
USUAL = 20
MOST = 100


class Window(NamedTuple):
    start: int
    size: int

    def cut(self, rows: Sequence[T]) -> tuple[list[T], str | None]:
        """Give the rows of the window, and where the next one begins."""
        end = self.start + self.size
        return list(rows[self.start : end]), cursor_at(end) if end < len(rows) else None


def window(limit: int | None, cursor: str | None) -> Window:
    size = USUAL if limit is None else sorted((1, limit, MOST))[1]
    return Window(json.loads(b64decode(cursor))["offset"] if cursor else 0, size)


def cursor_at(offset: int) -> str:
    return b64encode(json.dumps({"offset": offset, "sort_key": "name"}).encode()).decode()
