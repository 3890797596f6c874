'''Tool names are unique within a server.

SDKs accept a name that is registered twice without an error: some keep the first tool, some the last. The other one is silently
never called.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool(name="read")
def read_text(path: str) -> str:
    """Read a text file."""

@mcp.tool(name="read")  # flaw
def read_bytes(path: str) -> str:
    """Read a binary file as base64."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool(name="read_text")
def read_text(path: str) -> str:
    """Read a text file."""

@mcp.tool(name="read_bytes")
def read_bytes(path: str) -> str:
    """Read a binary file as base64."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Span, Text


@rule(
    Severity.ERROR,
    cites=("checklist §5", "MCP 2026-07-28 server/tools, Tool Names"),
    when=lambda server: bool(server.tools),
    absent="no tool is registered in the reviewed files",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each name that is registered twice under the same conditions."""
    first: dict[str, Tool] = {}
    for tool in server.tools:
        if not isinstance(tool.name, Text):
            continue
        for each in tool.again:
            yield Flaw(each, f"tool `{tool.name}` is registered twice", "Register it once: clients see its name twice.")
        before = first.setdefault(tool.name, tool)
        if (
            before is not tool
            and before.conditions == tool.conditions
            and _collect_places(before) != _collect_places(tool)
        ):
            yield Flaw(
                tool.name,
                f"tool name `{tool.name}` is registered twice; first at {before.span.path}:{before.span.line}",
                "Rename or remove one of the two.",
            )


def _collect_places(tool: Tool) -> tuple[Span, Span | None]:
    """Return where a tool is declared: one place may list several, of which each says its name elsewhere."""
    return tool.span, tool.name.span if isinstance(tool.name, Text) else None
