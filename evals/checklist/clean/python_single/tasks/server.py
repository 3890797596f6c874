"""The one tool of the domain."""

import logging
from typing import Annotated, Any

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from pydantic import BaseModel, Field

from tasks.catalog import ACTIONS
from tasks.handlers import UnknownActionError, dispatch

mcp = FastMCP("tasks")
panic = logging.getLogger("panic")

DESCRIPTION = """task: Keep what has to be done, and on which day.

When to use: the user plans, asks what is open, or has finished something.

Parameters:
- action (required): task.verb. Call {action:"help"} for the full catalog.
- params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
- fields, limit, cursor: standard pagination/projection.

Actions:
- task.list: List open tasks by day
- task.get: Give one task with its description
- task.add: Add a task
- task.delete: Delete a task for good

Limitations: local only; task.delete asks the user first.
"""


class Confirm(BaseModel):
    confirm: bool


@mcp.tool(name="task", description=DESCRIPTION)
async def task(
    action: Annotated[str, Field(description="subject.verb, or help, or schema")],
    context: Context,
    params: Annotated[dict[str, Any] | None, Field(description="What the action takes")] = None,
    fields: Annotated[list[str] | None, Field(description="The fields to keep")] = None,
    limit: Annotated[int | None, Field(description="At most so many")] = None,
    cursor: Annotated[str | None, Field(description="The next_cursor of the page before")] = None,
) -> dict[str, Any]:
    if any(row.name == action and row.destructive for row in ACTIONS):
        answer = await context.elicit(f"Really {action}?", schema=Confirm)
        if answer.action != "accept" or not answer.data.confirm:
            raise ToolError("the user did not confirm")
    request = {"params": params or {}, "fields": fields, "limit": limit, "cursor": cursor}
    try:
        return await dispatch(action, request)
    except UnknownActionError as error:
        raise ToolError(f"no action `{error}`") from None
    except Exception:
        panic.exception("tool handler panicked")
        raise ToolError("tool handler panicked") from None


def main() -> None:
    mcp.run()


if __name__ == "__main__":
    main()
