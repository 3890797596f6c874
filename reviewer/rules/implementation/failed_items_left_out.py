'''Partial results report the items that failed.

A loop that requests one item after the other and silently skips failures returns the rest as if it were everything. With an
expired token, or a host that limits requests, the answer is an empty list: a model reports that there is nothing, or counts and
sums incomplete data (CWE-390). A log line does not help a client that reads the answer.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def firings(kilns: list[str]) -> list[dict]:
    """List the last firing of each kiln."""
    found = []
    async with httpx.AsyncClient() as client:
        for kiln in kilns:
            try:
                response = await client.get(f"https://kilns.example/{kiln}")
                found.append(response.raise_for_status().json())
            except httpx.HTTPError:  # flaw
                continue
    return found
```

Good:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def firings(kilns: list[str]) -> dict:
    """List the last firing of each kiln."""
    found, failed = [], []
    async with httpx.AsyncClient() as client:
        for kiln in kilns:
            try:
                response = await client.get(f"https://kilns.example/{kiln}")
                found.append(response.raise_for_status().json())
            except httpx.HTTPError:
                failed.append(kiln)
    return {"firings": found, "failed": failed}
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_operation, merge_into_flaw

HELP = "Say in the answer which items failed, or how many; if all failed, return an error."


@rule(
    Severity.SUGGESTION,
    cites=("CWE-390: detection of error condition without action", "Tool trait: error handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each element that is left out because of a failure; one finding, with all places, for a whole
    server.
    """
    found = collect_distinct_acts(holder, "leaves out failed", is_failing=True)
    if found:
        handler, act = found[0]
        message = f"`{handler.name}` silently omits items for which {format_operation(act)} failed"
        yield merge_into_flaw([each.text for _, each in found], message, HELP)
