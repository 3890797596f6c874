'''Background tasks are awaited, cancelled or held by an object that outlives the call.

A task without a reference continues when the call is cancelled, its failure is never seen, and in Python the garbage collector
may destroy it in the middle of its work.

Bad:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    asyncio.create_task(asyncio.sleep(minutes * 60))  # flaw
    return "firing"
```

Good:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(minutes * 60))
    return "fired"
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Await it, run it in a task group, or keep a reference to cancel it by."

STOP = "Keep a handle or an event through which a tool or the server's shutdown can stop it, and check it in each iteration."


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each task that is started and neither kept nor ever stopped."""
    for act in iter_acts(handler, "spawns"):
        yield Flaw(
            act.text,
            f"the task `{shorten_code(act.text)}` is not kept, awaited or cancelled{format_way(act, handler)}",
            HELP,
        )
    for act in iter_acts(handler, "never ends"):
        loop = f": no code leaves `{shorten_code(act.about, 40)}`" if act.about is not None else ""
        yield Flaw(
            act.text,
            f"`{shorten_code(act.text)}` starts work that nothing stops{loop}{format_way(act, handler)}",
            STOP,
        )
