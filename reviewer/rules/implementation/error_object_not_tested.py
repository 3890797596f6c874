'''Error objects returned by helpers are checked before use.

A helper that answers `{"error": ..}` instead of raising leaves it to each caller to look. One that does not takes the error for
data: `get("content", "")` is empty, a loop finds nothing that matches, and a `"success": True` is told beside the error. A model
then reports that nothing is there, or that all was done, where the host was down or the token had run out (CWE-252, CWE-390).

It counts where the helper gives such an object because something outside failed, and its caller neither asks for the error nor
hands the object on as a whole.

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
from reviewer.rules.conduct import places, told_once
from reviewer.rules.words import clipped

HELP = "Raise in the function that fails, or check for its error first and return it."


@rule(
    Severity.WARNING,
    cites=("CWE-252: unchecked return value", "CWE-390: detection of error condition without action"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Look for errors that are taken for data; that a whole server does so is told once, with the places."""
    found = places(holder, "ignores error")
    if found:
        handler, act = found[0]
        call = f"`{clipped(act.about, 60)}`" if act.about is not None else "a helper"
        message = f"`{handler.name}` does not check whether {call} returned an error: `{clipped(act.text)}`"
        yield replace(told_once([each.text for _, each in found], message, HELP), cause="error for data")
