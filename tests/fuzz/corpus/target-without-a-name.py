from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
, = unread_notes()


@mcp.tool()
def keep(value: str) -> bool:
    """Keeps a note."""
    return fits(value)
