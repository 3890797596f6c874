"""The mark of texts that are shortened when they are large, and what stands for them."""

from dataclasses import dataclass
from typing import Any

LONGEST = 2048


@dataclass(frozen=True)
class Mark:
    full_action: str


def truncated(full_action: str) -> Mark:
    return Mark(full_action)


def short(text: str, mark: Mark, visit: int) -> Any:
    if len(text) <= LONGEST:
        return text
    envelope: dict[str, Any] = {"_truncated": True}
    envelope["preview"] = text[:500]
    envelope["full_action"] = mark.full_action
    envelope["full_params"] = {"id": visit}
    return envelope
