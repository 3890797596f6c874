"""Every tool says whether it only reads.

Clients let a tool that says `readOnlyHint: true` run without a question and count one that says nothing among those that change
things. A server of searches without the hint asks its user at every step.

Bad:

```json
{"tools": [
  {
    "name": "list-users",  // flaw
    "description": "List the users",
    "inputSchema": {"type": "object"},
    "annotations": {"title": "List users"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "list-users",
    "description": "List the users",
    "inputSchema": {"type": "object"},
    "annotations": {"title": "List users", "readOnlyHint": true}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.hints import hints, lacks, place


@rule(
    Severity.SUGGESTION,
    codes=("BP-002",),
    cites=("tool definition rules: BP-002", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda tool: hints(tool) is not None,
    absent="no tool has annotations that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for tools that leave the hint out."""
    if lacks(tool, "readOnlyHint"):
        yield Flaw(place(tool), f"{tool.shown} has no `readOnlyHint`", "Say true if it changes nothing, else false.")
