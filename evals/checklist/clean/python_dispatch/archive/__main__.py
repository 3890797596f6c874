"""Serves the archive: over stdio, or over HTTP if a port is given."""

import argparse

import anyio
from mcp.server.stdio import stdio_server

from archive.mcp.http import serve
from archive.mcp.server import server


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="serve Streamable HTTP there")
    given = parser.parse_args()
    if given.port:
        serve(given.port)
    else:
        anyio.run(over_stdio)


if __name__ == "__main__":
    main()
