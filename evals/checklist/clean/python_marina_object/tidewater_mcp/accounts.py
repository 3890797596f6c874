"""Tools about the account behind the token."""

from .app import mcp
from .client import TidewaterClient
from .errors import handle_tool_errors
from .models.inputs import EmptyInput
from .models.outputs import AccountResult


# mcp-review: ignore[tool-name-refused] our clients rewrite dots before they hand names to a model
@mcp.tool(
    name="account.get",
    title="Show the account",
    description="Show the Tidewater account behind the token; use it when you need to know whether it may book.",
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
@handle_tool_errors
async def account_get(input: EmptyInput) -> AccountResult:
    """Give the account."""
    async with TidewaterClient.get() as client:
        found = await client.fetch("/me")
    return AccountResult(id=found["id"], name=found["name"], can_book="book" in found["scopes"])
