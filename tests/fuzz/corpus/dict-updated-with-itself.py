from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
places = {unread(): 1}
places.update(places)


@mcp.tool()
def keep(value: str) -> bool:
    """Keeps a note."""
    return value in places
