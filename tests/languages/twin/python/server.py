"""The twin of `../rust`: the same server, declared in Python."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

from actions import ActionSpec, ParamSpec

mcp = MCPServer("twin", version="1.0.0")

PAGE = (
    ParamSpec(name="limit", ty="integer", required=False, description="At most so many"),
    ParamSpec(name="cursor", ty="string", required=False, description="Where to go on"),
)

ACTIONS = [
    ActionSpec(name="note.list", description="List notes", destructive=False, params=PAGE, returns="Note[]"),
    ActionSpec(name="note.delete", description="Delete a note", destructive=True, params=(), returns="null"),
]


class Note(BaseModel):
    id: str
    body: str
    log: str = Field(max_length=2000)


def respond(action, value):
    return value


async def dispatch(action, params):
    match action:
        case "note.list":
            return respond(action, [])
        case "note.delete":
            return forget(params)


# mcp-review: ignore[tool-name-style] kept for old clients
@mcp.tool(name="noteSearch", description="Search notes")
async def note_search(
    text: Annotated[str, Field(description="What to look for")],
    limit: Annotated[int | None, Field(description="At most so many")] = None,
) -> str:
    return respond("note.search", text)


@mcp.tool(title="Health", annotations={"readOnlyHint": True})
async def health() -> str:
    """Tell whether the server answers."""
    return "ok"


if __name__ == "__main__":
    mcp.run()
