"""The one way out."""

import json
import uuid
from typing import Any

BODIES = {"description", "text", "body"}


def respond(action: str, value: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    """Filter the fields, bound the size and add the request id."""
    if fields is not None and "*" not in fields:
        value = {key: inner for key, inner in value.items() if key in {*fields, "items", "next_cursor"}}
    if len(json.dumps(value)) > 8192:
        value = {key: inner for key, inner in value.items() if key not in BODIES}
        value |= {"_overflow": True, "_overflow_action": "task.get"}
    return value | {"_meta": {"request_id": uuid.uuid4().hex, "action": action}}
