'''Every tool has a description.

The description is all that a model knows of a tool beside its name and its parameters.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:  # flaw
    return open(path).read()
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a text file and give its whole content."""
    return open(path).read()
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text


@rule(
    Severity.WARNING,
    codes=("SCH-002", "LLM-001"),
    cites=("tool definition rules: SCH-002, LLM-001",),
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for descriptions that are absent or blank."""
    blank = isinstance(tool.description, Text) and not tool.description.strip()
    if tool.description is None or blank:
        at = tool.name if isinstance(tool.name, Text) else tool.span
        name = f"tool `{tool.name}`" if isinstance(tool.name, Text) else "tool"
        yield Flaw(at, f"{name} has no description", "Say what it does, when to use it, and what limits it has.")
