'''The cause of a failure is returned or logged.

"Request failed" tells neither a model nor an operator whether a token has expired, a host is down, or an argument was wrong:
the model repeats the call or gives up, and the operator has nothing to look at. The library's exception had the cause, and it
was discarded (CWE-755).

Reported if a clause catches any failure of a request, a statement or a command, or a result's error is dropped, and the answer
is always the same text; or if the status of a response says that the request failed, and neither the status nor the body is
reported. A failure of one specific kind, such as a timeout, is explained by its text; one that is logged, chained or passed on
is not lost.

Bad:

```python
import httpx

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(kiln: str) -> str:
    """Fire a kiln."""
    try:
        async with httpx.AsyncClient() as client:
            response = await client.post(f"https://kilns.example/{kiln}/fire")
            response.raise_for_status()
    except Exception:
        return "Error: the kiln could not be fired"  # flaw
    return "fired"
```

Good:

```python
import httpx

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(kiln: str) -> str:
    """Fire a kiln."""
    try:
        async with httpx.AsyncClient() as client:
            response = await client.post(f"https://kilns.example/{kiln}/fire")
            response.raise_for_status()
    except httpx.HTTPError as error:
        raise ToolError(f"The kiln could not be fired: {error}") from error
    return "fired"
```
'''

from collections.abc import Iterator
from dataclasses import replace

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_operation, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Include the cause in the answer, or log it if clients must not see it."


@rule(
    Severity.SUGGESTION,
    cites=("CWE-755: improper handling of exceptional conditions", "Tool trait: error handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each answer that does not say why something failed; one finding, with all places, for a whole
    server.
    """
    found = collect_distinct_acts(holder, "loses cause", is_failing=True)
    if found:
        handler, act = found[0]
        message = (
            f"`{handler.name}` neither returns nor logs why {format_operation(act)} failed: `{shorten_code(act.text)}`"
        )
        yield replace(merge_into_flaw([each.text for _, each in found], message, HELP), cause="without cause")
