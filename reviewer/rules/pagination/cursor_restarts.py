'''A cursor that cannot be read is refused, and not taken for the first page.

A client that comes with a garbled or stale cursor gets the first page again, with a `next_cursor` that leads where it came
from: it reads the same things twice, or goes round for ever, and nobody tells it. An error it can act on.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(cursor: str | None = None, limit: int = 20) -> dict:
    """List issues, a page at a time."""
    try:
        start = int(cursor) if cursor else 0
    except ValueError:
        start = 0  # flaw
    return page(start, limit)
```

Good:

```python
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(cursor: str | None = None, limit: int = 20) -> dict:
    """List issues, a page at a time."""
    try:
        start = int(cursor) if cursor else 0
    except ValueError:
        raise ToolError("the cursor is not one of this list; begin without one") from None
    return page(start, limit)
```
'''

from collections.abc import Iterator

from reviewer.facts import GivenCursor
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped

BEGINNINGS = (0, 1, None, "", "0", "1")
"""What stands for the first page."""


@rule(
    Severity.WARNING,
    cites=("protocol page R2", "MCP 2026-07-28 server/utilities/pagination, Error Handling"),
    absent="no cursor of a client is read",
)
def check(cursor: GivenCursor) -> Iterator[Flaw]:
    """Look for cursors that are taken for none where they are garbled or stale."""
    if cursor.instead is not None and cursor.instead.value in BEGINNINGS:
        yield Flaw(
            cursor.instead.text,
            f"a cursor that cannot be read means the first page: `{clipped(cursor.instead.text)}`",
            "Answer that the cursor is not valid: -32602 for a list of the protocol, an error of the tool for its own.",
        )
