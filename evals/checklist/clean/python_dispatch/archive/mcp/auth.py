"""Who may call over HTTP."""

import hmac

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class RequireToken:
    """Lets a request pass that carries the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self.allowed(dict(scope["headers"])):
            await PlainTextResponse("unauthorized", status_code=401)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def allowed(self, headers: dict[bytes, bytes]) -> bool:
        given = headers.get(b"authorization", b"")
        return hmac.compare_digest(given, f"Bearer {self.token}".encode())
