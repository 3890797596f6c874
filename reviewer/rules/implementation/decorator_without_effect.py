'''Decorators that act on tool calls are placed below the registering decorator.

`@mcp.tool()` registers the function that it receives. A decorator above it wraps only the name in the module, which no client
ever calls: exceptions remain unmapped and permissions unchecked.

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
            return {"ok": False}
    return answered

@answering  # flaw
@mcp.tool()
async def send_letter(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
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
            return {"ok": False}
    return answered

@mcp.tool()
@answering
async def send_letter(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.wrapping import collect_catching_wrappers, collect_wrappers
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Move it below the decorator that registers the tool."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: the error decorator is the inner one",),
    when=lambda tool: tool.handler is not None and tool.handler.raises,
    absent="no tool has a function of its own",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each decorator above the registering one, and for each error decorator around another."""
    for each in collect_wrappers(tool):
        if each.outside and each.wraps:
            what = "its error handling" if each.catches else "it"
            message = f"`@{shorten_code(each.text)}` stands above the registration of {tool.shown}: {what} never applies to calls"
            yield Flaw(each.text, message, HELP, tool)
    inner = [each for each in collect_catching_wrappers(tool) if tool.span.holds(each.text.span)]
    for each in inner[:-1]:
        if each.definition is not None and each.definition == inner[-1].definition:
            yield Flaw(each.text, f"`@{shorten_code(each.text)}` wraps {tool.shown} twice", "Keep one of them.", tool)
