'''A hint about what was left out names a parameter of the tool.

"Narrow your search" tells a model that there is more and not how to get it. It guesses, and the next call is as broad as the one
before. A hint that names a parameter, best of all with a value, is followed at once.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(colour: str) -> dict:
    """Find the ropes of a colour."""
    ropes = [rope for rope in ROPES if rope["colour"] == colour]
    answer = {"ropes": ropes[:50], "total": len(ropes)}
    if len(ropes) > 50:
        answer["hint"] = "Too many results, narrow your search."  # flaw
    return answer
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(colour: str) -> dict:
    """Find the ropes of a colour."""
    ropes = [rope for rope in ROPES if rope["colour"] == colour]
    answer = {"ropes": ropes[:50], "total": len(ropes)}
    if len(ropes) > 50:
        answer["hint"] = "Too many results: ask for one shade, such as colour=navy."
    return answer
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped, stands_in


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: bounded output",),
    when=lambda tool: tool.code is not None and bool(tool.code.hints) and bool(tool.parameters),
    absent="no tool hints at what it left out",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for hints that name no parameter of their own tool."""
    names = [str(each.name) for each in tool.parameters] if isinstance(tool.parameters, tuple) else []
    for hint in tool.code.hints if tool.code is not None and names else ():
        if not any(stands_in(hint, name) for name in names):
            yield Flaw(
                hint,
                f"the hint of {tool.shown} names none of its parameters: `{clipped(hint)}`",
                f"Name one, with a value: `{names[0]}=..`.",
                tool,
            )
