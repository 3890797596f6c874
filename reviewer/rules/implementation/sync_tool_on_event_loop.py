'''Synchronous tools do not block the SDK's event loop.

The SDK's `FastMCP` (`mcp` before 2.0) and `fastmcp` before 3.0 call a tool that is a plain `def` on the thread of the event
loop. While it waits for a host, a command or a client's query, the server answers nothing: no other call, no ping, and not the
cancellation of this call. Later releases run it in a thread.

Bad:

```python
import requests

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    return requests.get(f"https://kilns.example/{kiln}", timeout=10).text  # flaw
```

Good:

```python
import httpx

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
async def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    async with httpx.AsyncClient(timeout=10) as client:
        return (await client.get(f"https://kilns.example/{kiln}")).text
```
'''

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "mcp": "Make it `async def` and await the call, or use `anyio.to_thread.run_sync`; mcp 2 runs such tools in threads.",
    "fastmcp": "Make it `async def` and await the call, or require fastmcp 3 or later, which runs such tools in threads.",
}


@rule(
    Severity.SUGGESTION,
    cites=(
        "MCP 2026-07-28 basic/patterns/cancellation",
        "https://github.com/modelcontextprotocol/python-sdk/issues/1646",
    ),
    when=lambda server: server.runs_inline,
    absent="no SDK that runs plain functions on the event loop",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield one finding for each server with plain functions that block the event loop."""
    if not server.runs_inline:
        return
    found = [(tool, act) for tool in server.tools for act in iter_acts(tool.handler, "holds thread")]
    if not found:
        return
    tool, act = found[0]
    assert tool.handler is not None
    message = (
        f"`{tool.name}` is a plain function, which this release of {server.framework} runs on the event loop:"
        f" the server answers nothing else while `{shorten_code(act.text)}` waits{format_way(act, tool.handler)}"
    )
    related = tuple(each.text.span for _, each in found[1:])
    yield Flaw(act.text, message, HELP[server.framework], tool, related=related)
