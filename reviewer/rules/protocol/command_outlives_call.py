'''A command ends when the call that runs it is cancelled.

The wait for a command is over when the call is cancelled; the command is not. It goes on writing and computing, and a client
that tries again has two of them.

Bad:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    command = await asyncio.create_subprocess_exec("kilnsim", plan, stdout=-1)  # flaw
    out, _ = await command.communicate()
    return out.decode()
```

Good:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    command = await asyncio.create_subprocess_exec("kilnsim", plan, stdout=-1)
    try:
        out, _ = await command.communicate()
    finally:
        if command.returncode is None:
            command.kill()
    return out.decode()
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.conduct import acts, led_by
from reviewer.rules.words import clipped

HELP = "Kill it in a `finally`, or where the cancellation passes; in Rust set `kill_on_drop(true)`."


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Look for commands that nothing ends."""
    for act in acts(handler, "outlives"):
        yield Flaw(act.text, f"`{clipped(act.text)}` goes on when the call is cancelled{led_by(act, handler)}", HELP)
