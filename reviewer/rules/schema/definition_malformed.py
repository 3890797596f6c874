"""Tool definitions use the types that the protocol requires.

Clients parse the answer to `tools/list` as a whole. A single hint that is a string, or a title that is a number, makes strict
clients reject every tool of the server.

Bad:

```json
{"name": "list_notes", "description": "List notes.", "inputSchema": {"type": "object"},
  "annotations": {
    "readOnlyHint": "yes" // flaw
  }}
```

Good:

```json
{"name": "list_notes", "description": "List notes.", "inputSchema": {"type": "object"},
  "annotations": {
    "readOnlyHint": true
  }}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule

ELSEWHERE = ("name", "description", "inputSchema")
"""Parts whose absence has a rule of its own, which says what stands in their place."""


@rule(
    Severity.ERROR,
    cites=("MCP 2026-07-28 server/tools",),
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each part of a definition that has a wrong type."""
    for wrong in tool.malformed:
        if wrong.part == "tool":
            yield Flaw(
                wrong.span,
                f"an entry of the list of tools is {wrong.why}",
                "Replace it with a tool definition.",
                tool=tool,
            )
        elif wrong.part not in ELSEWHERE:
            message = f"`{wrong.part}` of {tool.shown} is {wrong.why}"
            yield Flaw(wrong.span, message, "Use the type that the protocol specifies.", tool=tool)
