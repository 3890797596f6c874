'''`list_changed` notifications are debounced.

Every notification makes every client ask for the whole list again. Sent in a loop over what changed, or straight from a
callback that runs for each file, a reload of fifty plugins costs fifty lists. Wait a little, and send once.

A loop over the sessions or peers that are told is none over changes. Code that waits or looks at the clock around the place is
taken to gather changes; a task that is begun for each change, waits and then tells of it is not, if nothing ends the one before.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("plugins")

@mcp.tool()
async def load_plugins(names: list[str], ctx: Context) -> str:
    """Load plugins and their tools."""
    for name in names:  # flaw
        mcp.add_tool(PLUGINS[name], name=name)
        await ctx.session.send_tool_list_changed()
    return "loaded"
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("plugins")

@mcp.tool()
async def load_plugins(names: list[str], ctx: Context) -> str:
    """Load plugins and their tools."""
    for name in names:
        mcp.add_tool(PLUGINS[name], name=name)
    await ctx.session.send_tool_list_changed()
    return "loaded"
```
'''

from collections.abc import Iterator

from reviewer.facts import Announcement
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped


@rule(Severity.SUGGESTION, cites=("protocol page R1",), absent="no code sends `list_changed` notifications")
def check(sent: Announcement) -> Iterator[Flaw]:
    """Look for notifications that are sent for each single change."""
    if sent.every is not None:
        yield Flaw(
            sent.every,
            f"every single change sends a notification: `{clipped(sent.text)}` for `{clipped(sent.every)}`",
            "Collect changes until none has come for 100 to 500 ms, then send one notification.",
        )
