'''Servers notify clients when their tools change.

A client asks for the list of tools once. A tool that is added later is never seen, and calls of a removed tool fail, until the
client reconnects. `notifications/tools/list_changed` makes it ask again.

Only changes that a connected client can experience are reported: within a tool call, a callback or a background task, not
during startup. Notifications that an SDK sends by itself count.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("plugins")

@mcp.tool()
async def load_plugin(name: str, ctx: Context) -> str:
    """Load a plugin and its tool."""
    mcp.add_tool(PLUGINS[name], name=name)  # flaw
    return f"loaded {name}"
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("plugins")

@mcp.tool()
async def load_plugin(name: str, ctx: Context) -> str:
    """Load a plugin and its tool."""
    mcp.add_tool(PLUGINS[name], name=name)
    await ctx.session.send_tool_list_changed()
    return f"loaded {name}"
```
'''

from collections.abc import Iterator

from reviewer.facts import ListChanges
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("protocol page R1", "MCP 2026-07-28 server/tools, List Changed Notification"),
    when=lambda changes: bool(changes.made),
    absent="no code changes the list of tools while the server runs",
)
def check(changes: ListChanges) -> Iterator[Flaw]:
    """Yield a finding for each change of the tool list without a notification."""
    for change in () if changes.forwards else changes.made:
        if change.announced is False:
            yield Flaw(
                change.text,
                f"the list of tools changes here without a notification: `{shorten_code(change.text)}`",
                "Send `notifications/tools/list_changed` after the change: `await ctx.session.send_tool_list_changed()`, "
                "`peer.notify_tool_list_changed().await`.",
            )
