"""Pages: how many, and where the next one begins."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from archive.core.errors import ToolError

DEFAULT_LIMIT = 20
MAX_LIMIT = 100


def encode(offset: int, sort_key: str) -> str:
    position = json.dumps({"offset": offset, "sort_key": sort_key}, sort_keys=True)
    return base64.urlsafe_b64encode(position.encode()).decode()


def decode(cursor: str) -> int:
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor))
        return int(position["offset"])
    except (binascii.Error, KeyError, ValueError) as error:
        raise ToolError("invalid_param", "`cursor` is not valid") from error


@dataclass(frozen=True)
class Page:
    """What a list was asked for."""

    limit: int
    offset: int

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> "Page":
        limit = max(1, min(int(params.get("limit") or DEFAULT_LIMIT), MAX_LIMIT))
        cursor = params.get("cursor")
        return cls(limit=limit, offset=decode(cursor) if cursor else 0)

    def next(self, given: int, sort_key: str) -> str | None:
        return encode(self.offset + self.limit, sort_key) if given >= self.limit else None
