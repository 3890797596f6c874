'''A shortened list comes with a total, a flag, a cursor or a hint.

Fifty rows of twelve hundred look like all of them. A model that counts, sums or searches them is wrong without knowing it. A
total, a flag, a cursor or a hint next to the rows is enough.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def thin_ropes() -> dict:
    """Find the thin ropes."""
    ropes = [rope for rope in ROPES if rope["width"] < 5]
    return {"ropes": ropes[:50]}  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def thin_ropes() -> dict:
    """Find the thin ropes."""
    ropes = [rope for rope in ROPES if rope["width"] < 5]
    return {"ropes": ropes[:50], "total": len(ropes)}
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("Tool trait: bounded output", "authoring guidelines: lists"),
    when=lambda tool: tool.code is not None and any(each.of == "list" for each in tool.code.omissions),
    absent="no tool truncates a list",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each list that is cut with no hint how to get the rest."""
    for each in tool.code.omissions if tool.code is not None else ():
        if each.told is None and each.of == "list":
            yield Flaw(
                each.text,
                f"{tool.shown} returns part of a list without saying so: `{shorten_code(each.text)}`",
                "Return the total, a `truncated` flag, or a hint that names a parameter.",
                tool,
            )
