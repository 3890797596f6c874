from mcp.server.lowlevel import Server
from mcp.types import Tool

app = Server("notes")


@app.list_tools()
async def tools():
    return [Tool(name="\ud800", description="Keeps a note.", inputSchema={"maximum": 10**5000})]


@app.call_tool()
async def call(name, arguments):
    return arguments
