"""Tools about harbours."""

from .app import mcp
from .client import TidewaterClient
from .errors import handle_tool_errors
from .models.inputs import HarbourGetInput, HarbourListInput
from .models.outputs import HarbourListResult, HarbourResult
from .models.projection import to_harbour, to_harbour_item


@mcp.tool(
    name="harbour.list",
    title="List harbours",
    description=(
        "List the harbours on Tidewater when you need a harbour's ID or want to know what there is. "
        "Gives at most 100 at a time; go on with `next_cursor`."
    ),
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def harbour_list(input: HarbourListInput) -> HarbourListResult:
    """Give a page of harbours."""
    async with TidewaterClient.get() as client:
        found = await client.fetch("/harbours", sea=input.sea, limit=input.limit, cursor=input.cursor)
    return HarbourListResult(
        items=[to_harbour_item(each) for each in found["rows"]],
        next_cursor=found.get("next"),
    )


@mcp.tool(
    name="harbour.get",
    title="Show a harbour",
    description="Show one harbour on Tidewater when you know its ID: its sea, its size and the harbour master's number.",
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def harbour_get(input: HarbourGetInput) -> HarbourResult:
    """Give one harbour."""
    async with TidewaterClient.get() as client:
        return to_harbour(await client.fetch(f"/harbours/{input.harbour_id}"))
