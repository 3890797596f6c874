'''Exception handlers do not swallow cancellation.

An exception handler that catches the cancellation and continues keeps the work running for a client that no longer waits, and
hides the signal from all callers that need to clean up.

Bad:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    try:
        await asyncio.sleep(minutes * 60)
    except asyncio.CancelledError:  # flaw
        pass
    return "done"
```

Good:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    try:
        await asyncio.sleep(minutes * 60)
    except asyncio.CancelledError:
        open("kiln.state", "w").write("off")
        raise
    return "done"
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Re-raise it after cleaning up, or catch `Exception`, which does not include it."


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each exception handler that catches the cancellation and does not raise it again."""
    for act in iter_acts(handler, "swallows cancellation"):
        yield Flaw(act.text, f"`{shorten_code(act.text)}` swallows the cancellation{format_way(act, handler)}", HELP)
