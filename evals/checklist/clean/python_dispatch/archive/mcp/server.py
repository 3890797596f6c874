"""The tools, one for each domain, and the place where calls come in."""

import json
import uuid
from typing import Any

import mcp.types as types
from mcp.server.lowlevel import Server

from archive.albums import handlers as albums
from archive.albums.actions import ACTIONS as ALBUM_ACTIONS
from archive.albums.models import Album
from archive.core.errors import ToolError
from archive.core.respond import Call, answering
from archive.letters import handlers as letters
from archive.letters.actions import ACTIONS as LETTER_ACTIONS
from archive.letters.store import LetterStore
from archive.mcp import descriptions
from archive.mcp.elicitation import confirmed, is_destructive
from archive.mcp.isolation import isolated

server: Server = Server("archive")
store = LetterStore("archive.db")
shelf: dict[str, Album] = {}

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "description": "subject.verb, or help, or schema"},
        "params": {"type": "object", "description": "What the action takes"},
        "fields": {"type": "array", "items": {"type": "string"}, "description": "The fields to keep"},
        "limit": {"type": "integer", "description": "At most so many"},
        "cursor": {"type": "string", "description": "The next_cursor of the page before"},
    },
    "required": ["action"],
}
CATALOGS = {"letter": LETTER_ACTIONS, "album": ALBUM_ACTIONS}


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(name="letter", description=descriptions.LETTER, inputSchema=SCHEMA),
        types.Tool(name="album", description=descriptions.ALBUM, inputSchema=SCHEMA),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    action = arguments["action"]
    if is_destructive(CATALOGS.get(name, ()), action):
        await confirmed(server.request_context.session, action)
    fields = arguments.get("fields")
    call = Call(uuid.uuid4().hex, tuple(fields) if fields is not None else None)
    with answering(call):
        value = await isolated(dispatch(name, action, with_page(arguments)))
    return [types.TextContent(type="text", text=json.dumps(value))]


async def dispatch(domain: str, action: str, params: dict[str, Any]) -> Any:
    if domain == "letter":
        return await letters.run(store, action, params)
    if domain == "album":
        return await albums.run(shelf, action, params)
    raise ToolError("unknown_tool", f"no tool `{domain}`")


def with_page(arguments: dict[str, Any]) -> dict[str, Any]:
    params = dict(arguments.get("params") or {})
    for name in ("limit", "cursor"):
        if name in arguments:
            params[name] = arguments[name]
    return params
