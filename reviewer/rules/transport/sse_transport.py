'''No server offers the SSE transport.

The HTTP+SSE transport was replaced by Streamable HTTP in the protocol revision of 2025-03-26 and is deprecated since. Clients
drop it. Event streams inside Streamable HTTP are something else and are not reported.

Bad:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")

@mcp.tool()
def forecast(city: str) -> str:
    """Give the forecast for a city."""

mcp.run(transport="sse")  # flaw
```

Good:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")

@mcp.tool()
def forecast(city: str) -> str:
    """Give the forecast for a city."""

mcp.run(transport="streamable-http")
```
'''

from collections.abc import Iterator

from reviewer.facts import Transport
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped


@rule(
    Severity.WARNING,
    cites=("checklist §6", "MCP 2026-07-28 basic/transports"),
    absent="no transport is wired in the reviewed files",
)
def check(transport: Transport) -> Iterator[Flaw]:
    """Look for SSE among the transports that are served."""
    if transport.kind == "sse":
        way = "can be made to serve" if transport.chosen else "serves"
        yield Flaw(
            transport.text,
            f"`{clipped(transport.text)}` {way} SSE, which is deprecated",
            "Serve Streamable HTTP instead.",
        )
