"""Where a page begins: a cursor that belongs to one query over one state of the shelves."""

import base64
import json
import zlib
from typing import Any

USUAL, MOST = 20, 100


class BadCursorError(ValueError):
    """A cursor is garbled, or of another query or state."""


def page_size(arguments: dict[str, Any]) -> int:
    limit = arguments.get("limit", USUAL)
    return max(1, min(limit, MOST))


def mark(query: str, version: int) -> int:
    return zlib.crc32(f"{query}:{version}".encode())


def encode_cursor(offset: int, check: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"offset": offset, "check": check}).encode()).decode()


def decode_cursor(cursor: str | None, check: int) -> int:
    if cursor is None:
        return 0
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor))
        offset = int(position["offset"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadCursorError("the cursor cannot be read; begin without one") from error
    if position.get("check") != check:
        raise BadCursorError("the cursor is of another list; begin without one")
    return offset
