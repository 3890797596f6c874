"""Tools about berths."""

from mcp.server.fastmcp import Context

from .app import mcp
from .client import TidewaterClient
from .errors import handle_tool_errors
from .exceptions import InvalidRequestError
from .models.inputs import BerthGetInput, BerthSearchInput
from .models.outputs import BerthListResult, BerthResult
from .models.projection import to_berth, to_berth_item


@mcp.tool(
    name="berth.search",
    title="Search berths",
    description=(
        "Search free berths of a harbour on Tidewater when you know the boat and the time. "
        "The departure has to be after the arrival; at most 100 at a time, cheapest first."
    ),
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def berth_search(input: BerthSearchInput, ctx: Context) -> BerthListResult:
    """Give a page of free berths."""
    if input.departure_ms <= input.arrival_ms:
        raise InvalidRequestError("The departure is not after the arrival.")
    await ctx.debug("searching")
    async with TidewaterClient.get() as client:
        found = await client.fetch(
            f"/harbours/{input.harbour_id}/berths",
            length=input.length_m,
            draught=input.draught_m,
            supplies=",".join(input.supplies) or None,
            start=input.arrival_ms,
            end=input.departure_ms,
            limit=input.limit,
            cursor=input.cursor,
        )
    return BerthListResult(items=[to_berth_item(each) for each in found["rows"]], next_cursor=found.get("next"))


@mcp.tool(
    name="berth.get",
    title="Show a berth",
    description="Show one berth on Tidewater when you know its ID: the longest boat that fits, its depth and its price.",
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def berth_get(input: BerthGetInput) -> BerthResult:
    """Give one berth."""
    async with TidewaterClient.get() as client:
        return to_berth(await client.fetch(f"/berths/{input.berth_id}"))
