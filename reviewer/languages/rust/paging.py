"""Page sizes and cursors: how code treats the `limit` that a client asks for, and what its cursors are made of."""

from collections.abc import Iterator

from reviewer.facts import Cursor, Limit
from reviewer.languages.rust.items import Items


def limits(items: Items) -> Iterator[Limit]:
    """Find where a page size is clamped or rejected."""
    yield from ()


def cursors(items: Items) -> Iterator[Cursor]:
    """Find where a cursor is made."""
    yield from ()
