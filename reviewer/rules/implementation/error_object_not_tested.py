'''Error objects returned by helpers are checked before use.

A helper that returns `{"error": ..}` instead of raising leaves the check to each caller. Without a check, the error is treated
as data: `get("content", "")` is empty, a loop finds no match, and `"success": True` is returned along with the error. A model
then reports that there is no data, or that all is done, although the host was down or the token had expired (CWE-252, CWE-390).

Reported if the helper returns such an object because something external failed, and its caller neither checks for the error nor
passes on the entire object.

Bad:

```python
import httpx

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

async def fetch(path: str) -> dict:
    try:
        async with httpx.AsyncClient() as client:
            response = await client.get(f"https://kilns.example/{path}")
            response.raise_for_status()
            return response.json()
    except httpx.HTTPError as error:
        return {"error": str(error)}

@mcp.tool()
async def firings(kiln: str) -> list[dict]:
    """List the firings of a kiln."""
    found = await fetch(f"{kiln}/firings")
    return found.get("firings", [])  # flaw
```

Good:

```python
import httpx

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

async def fetch(path: str) -> dict:
    try:
        async with httpx.AsyncClient() as client:
            response = await client.get(f"https://kilns.example/{path}")
            response.raise_for_status()
            return response.json()
    except httpx.HTTPError as error:
        raise ToolError(f"The kiln does not answer: {error}") from error

@mcp.tool()
async def firings(kiln: str) -> list[dict]:
    """List the firings of a kiln."""
    found = await fetch(f"{kiln}/firings")
    return found.get("firings", [])
```
'''

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Raise in the function that fails, or check for its error first and return it."


@rule(
    Severity.WARNING,
    cites=("CWE-252: unchecked return value", "CWE-390: detection of error condition without action"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each error object that is used as data; one finding, with all places, if the whole server
    does so.
    """
    found = collect_distinct_acts(holder, "ignores error")
    if found:
        handler, act = found[0]
        call = f"`{shorten_code(act.about, 60)}`" if act.about is not None else "a helper"
        message = f"`{handler.name}` does not check whether {call} returned an error: `{shorten_code(act.text)}`"
        yield replace(merge_into_flaw([each.text for _, each in found], message, HELP), cause="error for data")
