'''Failed calls set `isError`, not just a field in the result.

`{"success": false}` is a success to the client: it is not shown, counted or retried as a failure, and a model has to know each
server's own field. Reported if the code creates such an object for a failure, or passes on an object whose field tells the
outcome without checking it. Plain texts are reported by `error-given-as-success`.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read_plan(path: str) -> dict:
    """Read a firing plan."""
    try:
        return {"success": True, "plan": open(path).read()}
    except OSError as error:
        return {"success": False, "error": error.strerror}  # flaw
```

Good:

```python
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def read_plan(path: str) -> dict:
    """Read a firing plan."""
    try:
        return {"plan": open(path).read()}
    except OSError as error:
        raise ToolError(f"The plan cannot be read: {error.strerror}") from error
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import (
    is_about_health,
    iter_false_successes,
    iter_handlers,
    merge_into_flaw,
)
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Set `isError` as well: raise the SDK's `ToolError` in Python, return `CallToolResult::error` in Rust."


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2026-07-28 server/tools, Error Handling",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each failure that only a field reports; one finding if the whole server does so."""
    found = [
        (each, act)
        for each in iter_handlers(holder)
        for act in iter_false_successes(each)
        if act.about is not None and not is_about_health(each)
    ]
    places = {act.text.span: act.text for _, act in found}
    if found:
        (handler, act), tools = found[0], len({each.name for each, _ in found})
        more = f" and {tools - 1} more {'tool' if tools == 2 else 'tools'}" if tools > 1 else ""
        tell = "report" if more else "reports"
        what = f"{tell} a failure in a field of a successful result, without `isError`: `{shorten_code(act.text)}`"
        yield merge_into_flaw(list(places.values()), f"`{handler.name}`{more} {what}", HELP)
