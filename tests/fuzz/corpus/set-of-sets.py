from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


def respond(*, limit):
    return []


@mcp.tool()
def keep(value: str) -> bool:
    """Keeps a note."""
    return fits(value, {{""}})
