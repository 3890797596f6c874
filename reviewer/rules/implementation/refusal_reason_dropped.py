'''Errors include the reason that an upstream service gives for a refusal.

A service that rejects a request explains why in the body of its response: which field is wrong, what does not exist, what is
not allowed. The errors of `raise_for_status()` and `error_for_status()` contain the status and the URL, but not the body: "400
Bad Request" does not tell a model what to change, and it repeats the same call (CWE-755).

Reported if a request sends something (not a plain `get`), contains input of the client, and no code on the path reads the body
of a rejection: neither before the status is checked, nor next to it, nor from the exception's `response`.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(kiln: str, degrees: int) -> dict:
    """Fire a kiln."""
    async with httpx.AsyncClient() as client:
        response = await client.post("https://kilns.example/firings", json={"kiln": kiln, "degrees": degrees})
    response.raise_for_status()  # flaw
    return response.json()
```

Good:

```python
import httpx

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(kiln: str, degrees: int) -> dict:
    """Fire a kiln."""
    async with httpx.AsyncClient() as client:
        response = await client.post("https://kilns.example/firings", json={"kiln": kiln, "degrees": degrees})
    if response.is_error:
        raise ToolError(f"The kiln refuses ({response.status_code}): {response.text[:500]}")
    return response.json()
```
'''

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Read the body if the status is an error, and include its beginning in the error message."


@rule(
    Severity.SUGGESTION,
    cites=("CWE-755: improper handling of exceptional conditions", "Tool trait: error handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each refused request of which only the status is reported; one finding, with all places, for
    a whole server.
    """
    found = collect_distinct_acts(holder, "drops reason", is_failing=True)
    if found:
        handler, act = found[0]
        message = (
            f"if the service rejects the request of `{handler.name}`, the error has the status but no reason: no code reads "
            f"the body at `{shorten_code(act.text)}`"
        )
        yield replace(merge_into_flaw([each.text for _, each in found], message, HELP), cause="without reason")
