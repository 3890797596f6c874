'''Commands are stopped when their call is cancelled.

When the call is cancelled, the wait for the command ends, but the command does not. It keeps writing and computing, and a
client that retries has two of them running.

In Rust a command with `kill_on_drop(true)` ends with the future that waits for it. rmcp does not drop that future: it only
cancels the token of the call, so the wait has to be raced against that token as well.

Bad:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    command = await asyncio.create_subprocess_exec("kilnsim", plan, stdout=-1)  # flaw
    out, _ = await command.communicate()
    return out.decode()
```

Good:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    command = await asyncio.create_subprocess_exec("kilnsim", plan, stdout=-1)
    try:
        out, _ = await command.communicate()
    finally:
        if command.returncode is None:
            command.kill()
    return out.decode()
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": "Kill the process in a `finally` block or in the cancellation handler.",
    "rs": "Set `kill_on_drop(true)`, and wait in `tokio::select!` with `context.ct.cancelled()`: rmcp only cancels that token "
    "and lets the call continue.",
    "ts": "Pass the `signal` that the SDK hands to the handler (`extra.signal`), or kill the process when it is aborted.",
}
"""By language. No release of rmcp drops the future of a request that is cancelled: `serve_inner` of `service.rs` only cancels its
token, from 0.1 to 3.1."""


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each command that is not stopped if its call is cancelled."""
    for act in iter_acts(handler, "outlives"):
        help = choose_help(HELP, act.text.span.path)
        yield Flaw(
            act.text,
            f"`{shorten_code(act.text)}` keeps running when the call is cancelled{format_way(act, handler)}",
            help,
        )
