"""The server that all modules of tools register with."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("apiary")
