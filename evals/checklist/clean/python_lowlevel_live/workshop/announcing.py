"""Telling clients that the tools have changed: once for many changes, and only if that is wanted."""

import asyncio

from mcp.server.session import ServerSession

from workshop import settings


class Announcer:
    """Gathers changes for a moment, then tells every session."""

    def __init__(self) -> None:
        self._sessions: set[ServerSession] = set()
        self._waiting: asyncio.Task[None] | None = None

    def meet(self, session: ServerSession) -> None:
        self._sessions.add(session)

    def changed(self) -> None:
        if not settings.ANNOUNCE:
            return
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(settings.QUIET_SECONDS)
        for session in list(self._sessions):
            await session.send_tool_list_changed()
