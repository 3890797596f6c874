"""The user's word before something is destroyed."""

from collections.abc import Sequence
from typing import Any

from mcp.server.session import ServerSession

from archive.core.actions import ActionSpec
from archive.core.errors import ToolError

CONFIRM: dict[str, Any] = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "description": "Whether to go on"}},
    "required": ["confirm"],
}


def is_destructive(actions: Sequence[ActionSpec], action: str) -> bool:
    return any(spec.name == action and spec.destructive for spec in actions)


async def confirmed(session: ServerSession, action: str) -> None:
    """Ask the user; anything but a clear yes is a refusal."""
    answer = await session.elicit(message=f"`{action}` cannot be undone. Go on?", requestedSchema=CONFIRM)
    if answer.action != "accept" or not (answer.content or {}).get("confirm"):
        raise ToolError("refused", "the user did not confirm")
