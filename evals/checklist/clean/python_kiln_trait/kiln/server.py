"""The server and its tools."""

import asyncio
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import httpx
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from kiln import commands
from kiln.store import Plans

PRICES = "https://prices.example"
MOST = 50
READS = ToolAnnotations(readOnlyHint=True)

logger = logging.getLogger(__name__)
mcp = FastMCP("kiln")
plans = Plans(Path(os.environ.get("KILN_PLANS", "plans")))

Name = Annotated[str, Field(description="The plan's name", pattern="^[a-z0-9-]+$", max_length=64)]
Limit = Annotated[int, Field(description="At most so many plans", ge=1, le=MOST)]


@mcp.tool(annotations=READS)
def list_plans(
    word: Annotated[str, Field(description="A part of the name", max_length=64)], limit: Limit = 20
) -> dict[str, Any]:
    """List the firing plans whose names hold a word. Use it to find the name of a plan."""
    found = [name for name in plans.names() if word in name]
    return {"plans": found[:limit], "total": len(found)}


@mcp.tool(annotations=READS)
def read_plan(name: Name) -> str:
    """Read a firing plan. Use it when the name is known."""
    try:
        return plans.read(name)
    except FileNotFoundError as error:
        raise ToolError(f"There is no plan {name}; list_plans tells which there are.") from error


@mcp.tool(annotations=READS)
async def simulate_plan(name: Name) -> str:
    """Simulate a firing plan and give the curve of heat. Use it before a plan is fired."""
    text = await asyncio.to_thread(plans.read, name)
    return await commands.simulated(text)


@mcp.tool(annotations=READS)
async def plan_history(name: Name) -> str:
    """Give the latest changes of a firing plan. Use it to see who changed what."""
    return await commands.history(name)


@mcp.tool(annotations=READS)
async def gas_price(day: Annotated[str, Field(description="The day, as 2026-05-01", max_length=10)]) -> str:
    """Look up the price of gas on a day. Use it to tell what a firing costs."""
    async with httpx.AsyncClient(timeout=10) as client:
        answer = await client.get(f"{PRICES}/gas/{day}")
    answer.raise_for_status()
    return answer.text


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False))
def save_plan(name: Name, text: Annotated[str, Field(description="The plan", max_length=10_000)]) -> str:
    """Save a firing plan. Use it for a new plan or a new version of one."""
    plans.save(name, text)
    return f"saved {name}"


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=True))
def delete_plan(name: Name) -> str:
    """Delete a firing plan for good. Use it only when the user asks for it."""
    plans.delete(name)
    return f"deleted {name}"


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False))
async def watch_kiln(minutes: Annotated[int, Field(description="How long", ge=1, le=60)]) -> str:
    """Watch the kiln and note its heat. Use it while it is fired."""
    ticking = asyncio.create_task(_tick(minutes))
    try:
        await ticking
    except asyncio.CancelledError:
        logger.info("no longer watched")
        raise
    finally:
        ticking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ticking
    return "watched"


async def _tick(minutes: int) -> None:
    for _ in range(minutes):
        logger.info("hot")
        await asyncio.sleep(60)


def main() -> None:
    """Serve on stdio."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    if "--version" in sys.argv:
        print("1.0.0")
        return
    print("the kiln is served", file=sys.stderr)
    mcp.run(transport="stdio")


if __name__ == "__main__":
    main()
