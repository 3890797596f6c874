'''Every tool uses the project's decorator that turns exceptions into answers.

An exception from a tool without the decorator reaches the client in a different form from all other failures: as a bare text,
without a code, with the full exception message.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception:
            return {"ok": False, "issues": [{"code": "INTERNAL"}]}
    return answered

@mcp.tool(name="letter.get")
@answering
async def letter_get(id: str) -> dict:
    """Get a letter."""
    return {"ok": True, "result": id}

@mcp.tool(name="letter.send")
async def letter_send(id: str) -> dict:  # flaw
    """Send a letter."""
    return {"ok": True, "result": id}
```

Good:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception:
            return {"ok": False, "issues": [{"code": "INTERNAL"}]}
    return answered

@mcp.tool(name="letter.get")
@answering
async def letter_get(id: str) -> dict:
    """Get a letter."""
    return {"ok": True, "result": id}
```
'''

from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.wrapping import find_catching_decorator, is_handled, is_handled_in_part, may_be_handled


def _has_own_function(tool: Tool) -> bool:
    """Return whether a tool has a function of its own."""
    return tool.handler is not None and tool.handler.raises


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: one error decorator over every tool",),
    when=lambda server: any(_has_own_function(tool) for tool in server.tools),
    absent="no tool has a function of its own",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each tool without the error decorator; one finding if no tool has it."""
    tools = [tool for tool in server.tools if _has_own_function(tool)]
    names = [name for tool in tools if (name := find_catching_decorator(tool)) is not None]
    usual = max(names, key=names.count, default=None)
    bare = [tool for tool in tools if not may_be_handled(tool)]
    if usual is None and any(is_handled(tool) is None for tool in tools):
        return
    if usual is None:  # whether others may leave the tools too is for the review of what they raise
        bare = [tool for tool in bare if not is_handled_in_part(tool)]
    for tool in bare if usual is not None else bare[:1]:
        help = (
            f"Put `@{usual}` between the function and the registering decorator."
            if usual
            else "Write one, and apply it to every tool."
        )
        said = f"{tool.shown} lacks `@{usual}`" if usual else f"{tool.shown} has no error-handling decorator"
        if tool.handler is not None:
            yield Flaw(tool.handler.name, f"{said}: its exceptions reach the client unmapped", help, tool)
