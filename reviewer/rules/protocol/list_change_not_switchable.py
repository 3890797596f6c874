'''A setting can turn off `list_changed` notifications.

Some clients answer each notification with a fresh list, a new prompt and a cold cache, and some break on it. Operators need a
way to turn it off without changing code; a server whose tools never change wants it off as well.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("plugins")

@mcp.tool()
async def load_plugin(name: str, ctx: Context) -> str:
    """Load a plugin and its tool."""
    mcp.add_tool(PLUGINS[name], name=name)
    await ctx.session.send_tool_list_changed()  # flaw
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
    if settings.notify_list_changed:
        await ctx.session.send_tool_list_changed()
    return f"loaded {name}"
```
'''

from collections.abc import Iterator

from reviewer.facts import ListChanges
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R1",),
    when=lambda changes: bool(changes.sent),
    absent="no code sends `list_changed` notifications",
)
def check(changes: ListChanges) -> Iterator[Flaw]:
    """Yield a finding for a project whose notifications depend on no setting."""
    unset = any(each.claims is None for each in changes.advertised) or any(each.switch for each in changes.sent)
    if changes.sent and not unset:
        sent = changes.sent[0]
        yield Flaw(
            sent.text,
            f"no setting turns this notification off: `{shorten_code(sent.text)}`",
            "Send it only if a setting allows it, and advertise `listChanged` under the same condition.",
        )
