"""Telling a client how far a long call is, if it asked for that."""

import time

from mcp.server.lowlevel.server import RequestContext
from mcp.server.session import ServerSession

LEAST_GAP = 0.5


class Reporter:
    """Sends progress by the token of the request, at most twice a second."""

    def __init__(self, context: RequestContext[ServerSession, None, None]) -> None:
        meta = context.meta
        self._session = context.session
        self._token = meta.progressToken if meta is not None else None
        self._last = 0.0

    async def report(self, done: int, total: int) -> None:
        if self._token is None:
            return
        now = time.monotonic()
        if done < total and now - self._last < LEAST_GAP:
            return
        self._last = now
        await self._session.send_progress_notification(self._token, float(done), float(total))
