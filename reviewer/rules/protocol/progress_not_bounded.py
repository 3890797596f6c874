'''Progress notifications are throttled.

A loop over thousands of lines that reports each of them floods the client and the model's transcript, and costs more than the
work. Send progress every N items, or a few times a second at most. A loop that waits in each iteration is throttled by that,
and one over a few fixed steps is short.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def count(lines: list[str], ctx: Context) -> int:
    """Count words."""
    words = 0
    for done, line in enumerate(lines):  # flaw
        words += len(line.split())
        await ctx.report_progress(done, len(lines))
    return words
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def count(lines: list[str], ctx: Context) -> int:
    """Count words."""
    words = 0
    for done, line in enumerate(lines):
        words += len(line.split())
        if done % 500 == 0:
            await ctx.report_progress(done, len(lines))
    return words
```
'''

from collections.abc import Iterator

from reviewer.facts import ProgressPlace
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R4", "MCP 2026-07-28 basic/patterns/progress"),
    absent="no progress is sent",
)
def check(sent: ProgressPlace) -> Iterator[Flaw]:
    """Yield a finding for each loop that sends progress in every iteration, however fast the iterations are."""
    if sent.every is not None:
        yield Flaw(
            sent.every,
            f"every iteration of the loop sends progress: `{shorten_code(sent.every)}`",
            "Send it every N items or at most twice a second, so that a fast loop does not flood the client.",
        )
