"""Tools that change something set `idempotentHint`.

A call whose answer was lost is retried if `idempotentHint` is true. Without the hint the client has to assume that a second
call charges, posts or creates twice.

Departs from the original: of a tool with `readOnlyHint: true` nothing is asked, for the protocol gives the hint no meaning there.

Bad:

```json
{"tools": [
  {
    "name": "set-status",  // flaw
    "description": "Set the status",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": false}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "set-status",
    "description": "Set the status",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": false, "idempotentHint": true}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.hints import lacks, place, read_hints, reads_only
from reviewer.rules.shared.literal_mode import LiteralMode


@rule(
    Severity.SUGGESTION,
    codes=("BP-004",),
    cites=("tool definition rules: BP-004", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda tool, options: read_hints(tool) is not None and (options.literal or not reads_only(tool)),
    absent="no tool that may change something has annotations that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each tool without `idempotentHint`."""
    if lacks(tool, "idempotentHint") and (options.literal or not reads_only(tool)):
        help = "Set it to true if a second call with the same arguments changes nothing more, else to false."
        yield Flaw(place(tool), f"{tool.shown} has no `idempotentHint`", help)
