"""Tidewater's HTTP API."""

import os
from types import TracebackType
from typing import Any, Self

import httpx

from .exceptions import (
    AccessDeniedError,
    AlreadyTakenError,
    NotThereError,
    TooManyCallsError,
    UnavailableError,
)

BASE = "https://api.tidewater.example/v2"
REFUSED = {401: AccessDeniedError, 403: AccessDeniedError, 404: NotThereError, 409: AlreadyTakenError}


class TidewaterClient:
    """A connection that is open for one tool call."""

    def __init__(self, token: str) -> None:
        self._http = httpx.AsyncClient(base_url=BASE, headers={"Authorization": f"Bearer {token}"}, timeout=20.0)

    @classmethod
    def get(cls) -> Self:
        """Make a client with the token of the environment."""
        return cls(os.environ.get("TIDEWATER_TOKEN", ""))

    async def __aenter__(self) -> Self:
        """Open the connection."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def fetch(self, path: str, **query: Any) -> dict[str, Any]:
        """Read something."""
        return await self._send("GET", path, params={key: value for key, value in query.items() if value is not None})

    async def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Change something."""
        return await self._send(method, path, json=body)

    async def _send(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        response = await self._http.request(method, path, **options)
        if response.status_code == 429:
            pause = response.headers.get("Retry-After", "")
            raise TooManyCallsError(float(pause) if pause.isdigit() else None)
        if response.status_code in REFUSED:
            raise REFUSED[response.status_code](f"{method} refused")
        if response.status_code >= 500:
            raise UnavailableError("no answer")
        found: dict[str, Any] = response.json() if response.content else {}
        return found
