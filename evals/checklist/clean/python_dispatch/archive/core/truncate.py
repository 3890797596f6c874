"""What stands for a text that is too large to send."""

from dataclasses import dataclass
from typing import Any

TEXT_LIMIT = 2048
PREVIEW = 500


@dataclass(frozen=True)
class Truncated:
    """Marks a field that is shortened when it is large."""

    full_action: str


def shortened(text: str, full_action: str, key: str) -> str | dict[str, Any]:
    if len(text.encode()) <= TEXT_LIMIT:
        return text
    return {
        "_truncated": True,
        "preview": text[:PREVIEW],
        "full_action": full_action,
        "full_params": {"id": key},
    }
