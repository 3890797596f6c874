"""Every tool has a name.

A client calls a tool by its name. One without cannot be called, and some clients refuse the whole list for it.

Bad:

```python
from mcp.server.lowlevel import Server
from mcp.types import Tool

app = Server("files")

@app.list_tools()
async def list_tools() -> list[Tool]:
    return [Tool(name="", description="Read a file", inputSchema={"type": "object"})]  # flaw
```

Good:

```python
from mcp.server.lowlevel import Server
from mcp.types import Tool

app = Server("files")

@app.list_tools()
async def list_tools() -> list[Tool]:
    return [Tool(name="read", description="Read a file", inputSchema={"type": "object"})]
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text


@rule(
    Severity.ERROR,
    codes=("SCH-001", "NAM-001"),
    cites=("tool definition rules: SCH-001, NAM-001", "MCP 2026-07-28 server/tools"),
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for names that are absent or blank."""
    if tool.name is None or (isinstance(tool.name, Text) and not tool.name.strip()):
        yield Flaw(tool.name or tool.span, "tool has no name", "Give it a name of `A-Za-z0-9_.-`.")
