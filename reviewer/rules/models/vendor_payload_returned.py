'''A tool answers with fields of its own choice, and never hands on what it got.

A payload of the service behind the tool, or an object of the domain in full, costs tokens for fields that nobody asked for, and
changes whenever the other side does.

Bad:

```python
import httpx
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

@mcp.tool(name="letter.get")
async def letter_get(id: str) -> dict:
    """Get a letter."""
    async with httpx.AsyncClient() as client:
        response = await client.get(f"https://letters.example/{id}")
    return response.json()  # flaw
```

Good:

```python
import httpx
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    subject: str

@mcp.tool(name="letter.get")
async def letter_get(id: str) -> LetterResult:
    """Get a letter."""
    async with httpx.AsyncClient() as client:
        response = await client.get(f"https://letters.example/{id}")
    found = response.json()
    return LetterResult(id=id, subject=found["subject"])
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped

HELP = "Build an output model from the fields that the next step needs."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: project from domain, never echo vendor payloads",),
    when=lambda tool: tool.handler is not None,
    absent="no tool has a function of its own",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for payloads that are returned as they came."""
    for echo in tool.handler.echoes if tool.handler is not None else ():
        yield Flaw(echo, f"{tool.shown} hands on what it got as it came: `{clipped(echo)}`", HELP)
