"""Where a page begins and how long it is."""

import base64
import json
from typing import Any

USUAL, MOST = 20, 100


def page_size(arguments: dict[str, Any]) -> int:
    limit = arguments.get("limit", USUAL)
    if limit > MOST:
        limit = MOST
    return limit if limit > 0 else 1


def offset(arguments: dict[str, Any]) -> int:
    if (cursor := arguments.get("cursor")) is None:
        return 0
    return int(json.loads(base64.b64decode(cursor))["offset"])


def cursor(position: int, sort_key: str) -> str:
    mark = {"offset": position, "sort_key": sort_key}
    return base64.b64encode(json.dumps(mark).encode("ascii")).decode("ascii")
