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
from reviewer.rules.acts.handler_effects import format_way, iter_acts
from reviewer.rules.words.identifiers import shorten_code

HELP = "Await it, run it in a task group, or keep a reference to cancel it by."

STOP = "Keep a handle or an event by which a tool or the end of the server stops it, and look at that in each round."


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Look for tasks that are begun and let go."""
    for act in iter_acts(handler, "spawns"):
        yield Flaw(
            act.text,
            f"the task `{shorten_code(act.text)}` is not kept, awaited or cancelled{format_way(act, handler)}",
            HELP,
        )
    for act in iter_acts(handler, "never ends"):
        loop = f": nothing leaves `{shorten_code(act.about, 40)}`" if act.about is not None else ""
        yield Flaw(
            act.text,
            f"nothing ends what `{shorten_code(act.text)}` begins{loop}{format_way(act, handler)}",
            STOP,
        )
