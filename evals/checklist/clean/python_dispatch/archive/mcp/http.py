"""Streamable HTTP, behind a token."""

import contextlib
import os
from collections.abc import AsyncIterator

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount

from archive.mcp.auth import RequireToken
from archive.mcp.server import server


def application() -> Starlette:
    manager = StreamableHTTPSessionManager(app=server, json_response=True)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    return Starlette(
        routes=[Mount("/mcp", app=manager.handle_request)],
        middleware=[Middleware(RequireToken, token=os.environ["ARCHIVE_TOKEN"])],
        lifespan=lifespan,
    )


def serve(port: int) -> None:
    uvicorn.run(application(), host="0.0.0.0", port=port)
