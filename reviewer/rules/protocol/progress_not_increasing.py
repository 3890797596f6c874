'''Progress increases with every notification of a call.

The protocol requires it, and clients that draw a progress bar rely on it: a value that stays the same, restarts or decreases
makes the bar stand still or jump, and a final value after a failure reports success.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def index(folders: list[str], ctx: Context) -> str:
    """Index folders."""
    for folder in folders:
        await read(folder)
        await ctx.report_progress(1, len(folders))  # flaw
    return "indexed"
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("files")

@mcp.tool()
async def index(folders: list[str], ctx: Context) -> str:
    """Index folders."""
    for done, folder in enumerate(folders, 1):
        await read(folder)
        await ctx.report_progress(done, len(folders))
    return "indexed"
```
'''

from collections.abc import Iterator

from reviewer.facts import ProgressPlace
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R4", "MCP 2026-07-28 basic/patterns/progress"),
    when=lambda sent: sent.value is not None,
    absent="no progress is sent",
)
def check(sent: ProgressPlace) -> Iterator[Flaw]:
    """Yield a finding for each progress value that does not always increase."""
    said = _get_said(sent)
    if said and sent.value is not None:
        yield Flaw(
            sent.value,
            f"the progress value `{shorten_code(sent.value)}` {said}",
            "Use one counter for the entire call, never reset it, and send no final step after a failure.",
        )


def _get_said(sent: ProgressPlace) -> str:
    """Return the fault of the sequence of progress values, as the end of the message; empty if there is none."""
    if sent.is_whole and sent.has_failed:
        return "reports completion although the work failed"
    inner, outer = sent.trends[:1], sent.trends[1:]
    if sent.since in ("stays", "falls") or "falls" in inner:
        return "is not larger than the previous value"
    if "stays" in inner:
        return "is the same number every time"
    if "comes back" in inner:
        return "restarts repeatedly"
    if any(each in ("stays", "falls", "comes back") for each in outer):
        return "restarts in each iteration of the outer loop"
    return ""
