'''A tool reads every argument that it declares.

A model gives what a schema asks for, and takes the answer for one that heeded it. An argument that no code looks at is worse than
a missing one: a filter that filters nothing gives all the rows with the air of a selection. It is reported only where all that
becomes of the input could be followed.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    length: int,
    colour: str = "white",  # flaw
) -> list[dict]:
    """Find the ropes of a length, of one colour only if it is given."""
    return [rope for rope in ROPES if rope["length"] == length]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    length: int,
    colour: str = "white",
) -> list[dict]:
    """Find the ropes of a length, of one colour only if it is given."""
    return [rope for rope in ROPES if rope["length"] == length and rope["colour"] == colour]
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.intakes import declared, taken

HELP = "Let the code heed it, or take it out of the input schema."


def _is_followed(tool: Tool) -> bool:
    return tool.code is not None and bool(tool.code.followed) and declared(tool) is not None


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do", "MCP 2026-07-28 server/tools"),
    when=lambda tool: isinstance(tool.parameters, tuple) and bool(tool.parameters) and _is_followed(tool),
    absent="no tool's code could be followed with all that it is given",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for arguments that are declared and never read."""
    read = {str(each.name) for each in taken(tool)}
    for parameter in tool.parameters if isinstance(tool.parameters, tuple) else ():
        if parameter.name not in read:
            yield Flaw(parameter.name, f"no code of {tool.shown} reads its argument `{parameter.name}`", HELP, tool)
