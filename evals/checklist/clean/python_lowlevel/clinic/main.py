"""The server."""

import json
import logging
import os
import sys
from typing import Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import CallToolResult, TextContent, Tool
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount

from clinic.calendar import Calendar
from clinic.guard import guard
from clinic.paging import cursor, offset, page_size
from clinic.tools import TOOLS

log = logging.getLogger("panic")
app: Server = Server("clinic")
calendar = Calendar()

CONFIRM = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}


@app.list_tools()
async def tools() -> list[Tool]:
    return TOOLS


@app.call_tool()
async def call(name: str, arguments: dict[str, Any]) -> CallToolResult:
    try:
        value = await handle(name, arguments)
    except LookupError as error:
        return failure(str(error))
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value))], isError=False)


def failure(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], isError=True)


async def handle(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if name == "find_visits":
        return find_visits(arguments)
    if name == "next_slot":
        slot = calendar.next_slot(arguments["doctor"])
        return guard.respond(name, dict(slot or {}), arguments.get("fields"))
    if name == "cancel_appointment":
        return await cancel_appointment(arguments)
    raise LookupError(f"no tool `{name}`")


def find_visits(arguments: dict[str, Any]) -> dict[str, Any]:
    found = calendar.find(arguments["patient"])
    first, size = offset(arguments), page_size(arguments)
    items = found[first : first + size]
    following = cursor(first + size, "starts") if first + size < len(found) else None
    page = {"items": items, "next_cursor": following, "total": len(found)}
    return guard.respond("find_visits", page, arguments.get("fields"))


async def cancel_appointment(arguments: dict[str, Any]) -> dict[str, Any]:
    answer = await app.request_context.session.elicit("Cancel it for good?", CONFIRM)
    if answer.action != "accept":
        raise LookupError("the user did not confirm")
    cancelled = calendar.cancel(arguments["id"])
    return guard.respond("cancel_appointment", {"cancelled": cancelled}, arguments.get("fields"))


class Bearer(BaseHTTPMiddleware):
    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token != os.environ["CLINIC_TOKEN"]:
            return JSONResponse({"error": "unauthorized"}, status_code=401)
        return await call_next(request)


def web() -> Starlette:
    sessions = StreamableHTTPSessionManager(app)
    routes = [Mount("/mcp", app=sessions.handle_request)]
    return Starlette(routes=routes, middleware=[Middleware(Bearer)], lifespan=lambda _: sessions.run())


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await app.run(read, write, app.create_initialization_options())


def main() -> None:
    if "--http" in sys.argv:
        uvicorn.run(web(), host="0.0.0.0", port=8000)
    else:
        anyio.run(over_stdio)


if __name__ == "__main__":
    main()
