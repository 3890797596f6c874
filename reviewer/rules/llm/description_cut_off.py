"""Tool descriptions fit within the length limits of MCP clients.

A client that truncates long descriptions does so silently and may show its user the full text. The model never reads what
follows the cut, and what precedes it can look complete. `clients.toml` lists the clients, with source and date. The indentation
of a docstring, which Python itself removes since 3.13, is not counted.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("browser")
FUNCTIONS = "open(page, options), " * 100

@mcp.tool(description="Runs code in the page. It may call " + FUNCTIONS)  # flaw
def run_code(code: str) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("browser")

@mcp.tool(description="Runs code in the page. Call `list_functions` first for what it may call.")
def run_code(code: str) -> str: ...
```
"""

import inspect
from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.clients import collect_cuts


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    together: bool = declare_option(False, "Whether all truncated descriptions are one finding.")


@rule(
    Severity.WARNING,
    cites=("clients.toml: what clients cut off, with sources and dates",),
    when=lambda tool, _options: tool.said is not None,
    absent="no tool has a description that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each description that a known client truncates."""
    text = tool.said
    length = len(inspect.cleandoc(text)) if text is not None else 0
    cutting = [client for client in collect_cuts() if length > client.most]
    if text is not None and cutting:
        who = " and ".join(f"{client.name} truncates it after {client.most}" for client in cutting)
        yield Flaw(
            text,
            f"description of {tool.shown} has {length} characters: {who}",
            "Begin with what helps to choose the tool, and move details to the descriptions of the parameters.",
            cause="cut off" if options.together else "",
        )
