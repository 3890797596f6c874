from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def keep(text: str) -> str:
    """Keeps a note."""
    return text
