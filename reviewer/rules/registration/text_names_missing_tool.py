'''Prompts, instructions and descriptions mention only existing tools.

A model does what it is told: a prompt that says to call `get_ropes` of a server whose tool is `list_ropes` costs a failed call,
or ends the task. Such names remain when a tool was renamed, merged or given a prefix. Texts in the source that speak of calls
and tools are read; a name counts if it is similar to the name of a tool, or named like tools of its family, and if the code
does not use it elsewhere, or only as a function.

Bad:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope_piece(name: str) -> str:
    """Cut a rope. Use `get_rope_list` to find its name."""  # flaw

@mcp.tool()
def get_rope_list_page(page: int) -> str:
    """Give one page of the list of ropes."""
```

Good:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope_piece(name: str) -> str:
    """Cut a rope. Use `list_ropes` to find its name."""

@mcp.tool()
def get_rope_list_page(page: int) -> str:
    """Give one page of the list of ropes."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Mention
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_items

HELP = "Use the registered tool name, or remove the sentence: a model that follows it calls a tool that does not exist."
SHOWN = 6
"""Names in one message."""


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: documentation", "MCP 2026-07-28 server/tools, Error Handling"),
    absent="no text names a tool that does not exist",
)
def check(mention: Mention) -> Iterator[Flaw]:
    """Yield one finding for each file with names that a text presents as tools and that no tool has."""
    (first, _), *others = mention.names
    told = format_items(
        (f"`{name}`" + (f" (did you mean `{near}`?)" if near else "") for name, near in mention.names), SHOWN
    )
    are = (
        "are mentioned as tools, but no tool has these names"
        if others
        else "is mentioned as a tool, but no tool has this name"
    )
    cause = " ".join(name for name, _ in mention.names)  # copies of a text, as in a generated file, are told once
    yield Flaw(first, f"{told} {are}", HELP, related=tuple(name.span for name, _ in others), cause=cause)
