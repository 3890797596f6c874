"""The one way out: every answer is projected, bounded and signed here."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

BUDGET = 8 * 1024
BULKY = frozenset({"text", "description", "scan", "notes"})
DETAILS = {"letter.list": "letter.get", "album.list": "album.get"}


@dataclass(frozen=True)
class Call:
    """What `respond` has to know."""

    request_id: str
    fields: tuple[str, ...] | None = None


CALL: ContextVar[Call] = ContextVar("call")


@contextmanager
def answering(call: Call) -> Iterator[None]:
    token = CALL.set(call)
    try:
        yield
    finally:
        CALL.reset(token)


def respond(action: str, value: Any) -> Any:
    """Project, bound and sign the answer to an action."""
    call = CALL.get()
    answer = projected(value, call.fields)
    if len(json.dumps(answer)) > BUDGET:
        answer = bounded(action, answer)
    if isinstance(answer, dict):
        answer["_meta"] = {"request_id": call.request_id}
    return answer


def projected(value: Any, fields: tuple[str, ...] | None) -> Any:
    if fields is None or "*" in fields or not isinstance(value, dict):
        return value
    if "items" in value:
        return {**value, "items": [projected(item, fields) for item in value["items"]]}
    return {key: inner for key, inner in value.items() if key in fields}


def bounded(action: str, value: Any) -> dict[str, Any]:
    answer = without_bulk(value)
    if not isinstance(answer, dict):
        answer = {"value": answer}
    answer["_overflow"] = True
    answer["_overflow_action"] = DETAILS.get(action, "letter.get")
    return answer


def without_bulk(value: Any) -> Any:
    if isinstance(value, list):
        return [without_bulk(each) for each in value]
    if isinstance(value, dict):
        return {key: without_bulk(inner) for key, inner in value.items() if key not in BULKY}
    return value
