"""The way out of every tool."""

import json
from typing import Any
from uuid import uuid4

MOST_BYTES = 8192
LARGE = ("notes", "history", "raw")
FULL = {"list_plants": "read_plant"}


def respond(action: str, value: dict[str, Any], fields: list[str] | None = None) -> dict[str, Any]:
    """Keep the wanted fields, bound the size and sign the answer."""
    answer = keep(value, fields)
    if len(json.dumps(answer).encode()) > MOST_BYTES:
        answer = strip(answer)
        answer.update(_overflow=True, _overflow_action=FULL.get(action, action))
    answer.setdefault("_meta", {})["request_id"] = str(uuid4())
    return answer


def keep(value: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    if not fields or "*" in fields:
        return dict(value)
    if "items" in value:
        return {**value, "items": [keep(item, fields) for item in value["items"]]}
    return {name: value[name] for name in fields if name in value}


def strip(value: Any) -> Any:
    match value:
        case dict():
            return {key: strip(inner) for key, inner in value.items() if key not in LARGE}
        case list():
            return [strip(inner) for inner in value]
        case _:
            return value
