"""Pages of a list, and what they say of the rest."""

from typing import Any

MOST = 100


def page(rows: list[dict[str, Any]], limit: int, offset: int, hint: str) -> dict[str, Any]:
    size = max(1, min(limit, MOST))
    shown = rows[offset : offset + size]
    answer: dict[str, Any] = {"items": shown, "total": len(rows)}
    if offset + len(shown) < len(rows):
        answer["hint"] = hint
        answer["next_offset"] = offset + len(shown)
    return answer
