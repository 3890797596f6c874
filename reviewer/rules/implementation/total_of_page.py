'''A reported total counts all items, not just the current page.

A model that reads `"total": 20` next to twenty entries tells its user that there are twenty, and does not ask for more. There
may be two thousand: the list was limited by the call, or the queried host returned no more than that.

Reported if the total is the length of a list that was truncated, or that another host or a database returned with a limit, and
if no field of the answer says that there is more.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> dict:
    """List the ropes."""
    ropes = load_ropes()[:limit]
    return {"ropes": ropes, "total": len(ropes)}  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> dict:
    """List the ropes."""
    ropes = load_ropes()
    return {"ropes": ropes[:limit], "total": len(ropes)}
```
'''

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return the number of all items, or name it `count` and say whether there are more."


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2025-11-25 server/tools",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each total that counts only the page; one finding, with all places, for a whole server."""
    found = collect_distinct_acts(holder, "counts page")
    if found:
        handler, act = found[0]
        message = f"`{handler.name}` reports the number of returned items as the total: `{shorten_code(act.text)}`"
        yield replace(merge_into_flaw([each.text for _, each in found], message, HELP), cause="total of page")
