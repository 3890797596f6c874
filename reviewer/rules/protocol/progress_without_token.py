'''Progress is sent only with the client's `progressToken`.

A client that wants progress puts a `progressToken` into its request. A notification with any other token (the request's id, a
fresh UUID, a constant) belongs to nothing the client knows: some ignore it, and some close the connection. If the code reads
the token without checking that there is one, the call fails for every client without one. `ctx.report_progress(..)` of the
Python SDKs checks it.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def index(folder: str, ctx: Context) -> str:
    """Index a folder."""
    await ctx.session.send_progress_notification(ctx.request_id, 1, 2)  # flaw
    return "indexed"
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def index(folder: str, ctx: Context) -> str:
    """Index a folder."""
    meta = ctx.request_context.meta
    if meta is not None and meta.progressToken is not None:
        await ctx.session.send_progress_notification(meta.progressToken, 1, 2)
    return "indexed"
```
'''

from collections.abc import Iterator

from reviewer.facts import ProgressPlace
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Send it only with the `progressToken` from the request's `_meta`; without a token, send nothing."


@rule(
    Severity.WARNING,
    cites=("protocol page R4", "MCP 2026-07-28 basic/patterns/progress"),
    absent="no progress is sent",
)
def check(sent: ProgressPlace) -> Iterator[Flaw]:
    """Yield a finding for each made-up progress token, and for each use of the client's token that may be absent."""
    if sent.made is not None:
        yield Flaw(sent.made, f"the progress notification uses an invented token: `{shorten_code(sent.made)}`", HELP)
    elif sent.unguarded is not None:
        yield Flaw(
            sent.unguarded,
            f"progress is sent without checking that the client gave a token: `{shorten_code(sent.unguarded)}`",
            HELP,
        )
