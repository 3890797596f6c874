'''A failed call is answered as an error, not with the text of one.

A text such as `Error: not found` in a plain result is a success to the client, to whoever counts failures, and to a model
that reads no further than `isError`. The SDKs make an error of what is raised.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        return f"Error: {error.strerror}"  # flaw
```

Good:

```python
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def read(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        raise ToolError(f"The plan cannot be read: {error.strerror}") from error
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.conduct import acts
from reviewer.rules.words import clipped

HELP = "Raise the SDK's `ToolError` with that text, or set `isError` in the result."


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: error handling", "MCP 2026-07-28 server/tools, Error Handling"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Look for errors that are given back as plain results."""
    for act in acts(handler, "succeeds in error"):
        yield Flaw(act.text, f"`{handler.name}` answers a failure as a success: `{clipped(act.text)}`", HELP)
