"""Every answer leaves through here."""

import itertools
import json
from collections.abc import Sequence
from typing import Any

calls = itertools.count(1)


class Guard:
    """What bounds an answer and signs it."""

    budget = 8192
    large = frozenset({"report", "notes"})

    def respond(self, action: str, value: dict[str, Any], fields: Sequence[str] | None) -> dict[str, Any]:
        answer = self.select(value, fields)
        if len(json.dumps(answer, default=str)) > self.budget:
            answer = dict(self.shrink(answer), _overflow=True, _overflow_action=action)
        return self.sign(answer)

    def select(self, value: dict[str, Any], fields: Sequence[str] | None) -> dict[str, Any]:
        if fields is None or "*" in fields:
            return value
        wanted = set(fields)
        selected: dict[str, Any] = {}
        for key, inner in value.items():
            if key == "items":
                selected[key] = [self.select(row, fields) for row in inner]
            elif key in wanted or key in ("next_cursor", "total"):
                selected[key] = inner
        return selected

    def shrink(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.shrink(inner) for key, inner in value.items() if key not in self.large}
        return [self.shrink(inner) for inner in value] if isinstance(value, list) else value

    def sign(self, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "_meta": {"request_id": f"call-{next(calls)}"}}


guard = Guard()
