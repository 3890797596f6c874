'''A malformed cursor is rejected, not treated as the first page.

A client with a malformed or stale cursor gets the first page again, with a `next_cursor` that leads back to where it was: it
reads the same items twice or loops forever, without any sign of the mistake. It can react to an error.

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

from reviewer.facts import Project
from reviewer.rules import Flaw, Question, Severity, ShownContext, rule
from reviewer.rules.shared.acts.reached import find_reaching_tool
from reviewer.rules.shared.words.identifiers import shorten_code

MEANS = "a malformed cursor is treated as the first page"
HELP = "Reject it as invalid: with -32602 for a protocol list, with a tool error for a tool's own list."
UNSURE = "unsure-cursor"
"""The rubric that asks what a function that was not found makes of a malformed cursor."""

SHOWN = frozenset[ShownContext](("schema", "code"))
"""What the judge is shown: code says whether an invalid cursor is rejected, and the schema which argument is a cursor.
"""

BEGINNINGS = (0, 1, None, "", "0", "1")
"""What stands for the first page."""


@rule(
    Severity.WARNING,
    cites=("protocol page R2", "MCP 2026-07-28 server/utilities/pagination, Error Handling"),
    when=lambda project: bool(project.given_cursors),
    absent="no code reads a cursor from a client",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each malformed or stale cursor that is treated as if none was sent."""
    for cursor in project.given_cursors:
        if cursor.instead is not None and cursor.instead.value in BEGINNINGS:
            yield Flaw(cursor.instead.text, f"{MEANS}: `{shorten_code(cursor.instead.text)}`", HELP)
        tool = find_reaching_tool(project, cursor.unseen.span) if cursor.unseen is not None else None
        if cursor.unseen is not None and tool is not None:
            said = shorten_code(cursor.unseen)
            yield Question(cursor.unseen, tool, f"{MEANS}: `{said}`", HELP, SHOWN, said, rubric=UNSURE)
