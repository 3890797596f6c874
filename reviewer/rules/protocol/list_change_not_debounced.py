'''`list_changed` notifications are debounced.

Every notification makes every client request the entire list again. Sent in a loop over the changes, or directly from a
callback that runs for each file, a reload of fifty plugins costs fifty lists. Wait a little, and send once.

A loop over the notified sessions or peers is not a loop over changes. Code that waits or checks the clock around the call
counts as debounced; a task that is started for each change, waits and then notifies does not, unless the previous one is
cancelled.

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
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(Severity.SUGGESTION, cites=("protocol page R1",), absent="no code sends `list_changed` notifications")
def check(sent: Announcement) -> Iterator[Flaw]:
    """Yield a finding for each notification that is sent for every single change."""
    if sent.every is not None:
        yield Flaw(
            sent.every,
            f"every single change sends a notification: `{shorten_code(sent.text)}` for `{shorten_code(sent.every)}`",
            "Collect changes until none has come for 100 to 500 ms, then send one notification.",
        )
