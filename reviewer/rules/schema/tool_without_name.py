"""Every tool has a name.

A client calls a tool by its name. A tool without a name cannot be called, and some clients reject the entire list because of
it. Whitespace and invisible characters do not count as a name.

Departs from the original: SCH-001 and NAM-001 are one violation, said once.

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
from reviewer.rules.shared.definitions import find_fault, is_entry
from reviewer.source import Text


@rule(
    Severity.ERROR,
    codes=("SCH-001", "NAM-001"),
    cites=("tool definition rules: SCH-001, NAM-001", "MCP 2026-07-28 server/tools"),
    when=is_entry,
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool name that is missing or has no visible character."""
    if is_entry(tool) and (tool.name is None or (isinstance(tool.name, Text) and not _shows(tool.name))):
        wrong = find_fault(tool, "name")
        at = tool.name or (wrong.span if wrong else tool.span)
        why = f": the value is {wrong.why}" if wrong else ""
        yield Flaw(at, f"the tool has no name{why}", "Give it a name made of `A-Za-z0-9_.-`.", tool=tool)


def _shows(name: Text) -> bool:
    return any(letter.isprintable() and not letter.isspace() for letter in name)
