from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def keep(value: str) -> bool:
    return bool(value)
