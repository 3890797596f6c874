'''Tools return selected fields, not raw upstream payloads.

A payload of the upstream service, or a complete domain object, costs tokens for unrequested fields, and changes
whenever the service does. A model that is filled from an entire payload, `LetterResult(**found)`, drops fields it does not
declare, but keeps the names, units and states of the service. Profiles that require an explicit mapping report that as well.

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
from dataclasses import dataclass

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Build an output model from the fields that the next step needs."


MAPPED = "Set each field of the model explicitly from its source field."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    filled_models: bool = declare_option(
        False, "Whether to report models that are filled with an entire payload.", formerly="poured"
    )


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: project from domain, never echo vendor payloads",),
    when=lambda tool, options: tool.handler is not None,
    absent="no tool has a function of its own",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each vendor payload that is returned unchanged or copied into a model as a whole."""
    if tool.handler is None:
        return
    for echo in tool.handler.returned_payloads:
        yield Flaw(echo, f"{tool.shown} returns a raw upstream payload: `{shorten_code(echo)}`", HELP)
    for payload in tool.handler.unmapped_payloads if options.filled_models else ():
        yield Flaw(
            payload, f"{tool.shown} fills its model with a raw upstream payload: `{shorten_code(payload)}`", MAPPED
        )
