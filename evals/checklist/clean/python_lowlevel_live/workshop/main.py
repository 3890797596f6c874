"""The server."""

import json
import logging
from typing import Any

import anyio
from mcp.server import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, TextContent, Tool

from workshop import settings
from workshop.announcing import Announcer
from workshop.paging import BadCursorError, decode_cursor, encode_cursor, mark, page_size
from workshop.reporting import Reporter
from workshop.shelves import Shelves, machine
from workshop.tools import COUNT, LIST, PLUG, SEARCH

log = logging.getLogger("panic")
app: Server = Server("workshop")
shelves = Shelves()
announcer = Announcer()
TOOLS: dict[str, Tool] = {tool.name: tool for tool in (SEARCH, LIST, COUNT, PLUG)}


@app.list_tools()
async def tools() -> list[Tool]:
    announcer.meet(app.request_context.session)
    return list(TOOLS.values())


@app.call_tool()
async def call(name: str, arguments: dict[str, Any]) -> CallToolResult:
    try:
        value = await handle(name, arguments)
    except BadCursorError as error:
        return failure(str(error))
    except LookupError as error:
        return failure(str(error))
    except Exception:
        log.exception("tool handler panicked")
        return failure("tool handler panicked")
    return CallToolResult(content=[TextContent(type="text", text=json.dumps(value))], isError=False)


def failure(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], isError=True)


async def handle(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if name == "search_parts":
        return search_parts(arguments)
    if name == "list_names":
        return list_names(arguments)
    if name == "count_stock":
        return await count_stock(arguments)
    if name == "plug_machines":
        return plug_machines(arguments)
    raise LookupError(f"no tool `{name}`")


def search_parts(arguments: dict[str, Any]) -> dict[str, Any]:
    return page(shelves.find(arguments["word"]), arguments, arguments["word"])


def list_names(arguments: dict[str, Any]) -> dict[str, Any]:
    return page(shelves.sorted_names(), arguments, "")


def page(found: list[Any], arguments: dict[str, Any], query: str) -> dict[str, Any]:
    check = mark(query, shelves.version)
    first, size = decode_cursor(arguments.get("cursor"), check), page_size(arguments)
    items = found[first : first + size]
    following = encode_cursor(first + size, check) if first + size < len(found) else None
    return {"items": items, "next_cursor": following, "total": len(found)}


async def count_stock(arguments: dict[str, Any]) -> dict[str, Any]:
    boxes = arguments["boxes"]
    reporter = Reporter(app.request_context)
    counted = 0
    for done, name in enumerate(boxes, 1):
        counted += await shelves.count_box(name)
        await reporter.report(done, len(boxes))
    return {"counted": counted}


def plug_machines(arguments: dict[str, Any]) -> dict[str, Any]:
    for name in arguments["machines"]:
        tool = machine(name)
        TOOLS[tool.name] = tool
    announcer.changed()
    return {"plugged": arguments["machines"]}


async def over_stdio() -> None:
    options = app.create_initialization_options(NotificationOptions(tools_changed=settings.ANNOUNCE))
    async with stdio_server() as (read, write):
        await app.run(read, write, options)


def main() -> None:
    anyio.run(over_stdio)


if __name__ == "__main__":
    main()
