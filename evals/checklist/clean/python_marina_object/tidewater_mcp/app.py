"""The one server that every module registers its tools with."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("Tidewater", instructions="Find berths in the marinas on Tidewater and book them.")
