"""Python dispatchers catch exceptions raised by handlers.

An exception that a handler raises past the dispatcher reaches the SDK, which sends its text to the client unchanged: with
paths, queries and values of other users. A dispatcher that catches exceptions decides what the client sees, and logs the rest.

Bad:

```python
from mcp.server.lowlevel import Server
from mcp.types import TextContent, Tool

app = Server("files")

@app.list_tools()
async def tools() -> list[Tool]:
    return [Tool(name="read", description="Read a file", inputSchema={"type": "object"})]

@app.call_tool()
async def call(name: str, arguments: dict) -> list[TextContent]:  # flaw
    return [TextContent(type="text", text=await handle(name, arguments))]
```

Good:

```python
import logging

from mcp.server.lowlevel import Server
from mcp.types import TextContent, Tool

app = Server("files")

@app.list_tools()
async def tools() -> list[Tool]:
    return [Tool(name="read", description="Read a file", inputSchema={"type": "object"})]

@app.call_tool()
async def call(name: str, arguments: dict) -> list[TextContent]:
    try:
        return [TextContent(type="text", text=await handle(name, arguments))]
    except Exception:
        logging.exception("tool handler failed")
        raise RuntimeError("tool handler failed") from None
```
"""

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.WARNING,
    cites=("checklist §8",),
    when=lambda server: server.language == "python" and server.entry is not None,
    absent="no dispatcher of a Python server was found",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each dispatcher without a `try` around its handlers."""
    if server.language == "python" and server.entry is not None and not server.entry.isolation:
        yield Flaw(
            server.entry.name,
            f"`{server.entry.name}` dispatches tools without catching exceptions: their text reaches the client unchanged",
            "Catch `Exception` around the handler call, log it, and answer with a generic text.",
        )
