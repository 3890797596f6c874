'''The HTTP status is checked before the response body is used.

A host that refuses a request answers too: with a status of 400 or more, and a body that says why, or is a page of a proxy. Where
nothing looks at the status, that body is answered as if it were what was asked for, is an empty list where a `get("items", [])`
follows, or fails later with an error that tells nothing of the reason (CWE-252, CWE-754).

`raise_for_status()`, `error_for_status()`, a look at the status by whoever has the response, and a client that was told to look
at it are enough; so is a look at what the body says of an error, and a status that is answered with the body. `urllib.request`
and `ureq` fail by themselves.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def firings(kiln: str) -> list[dict]:
    """List the firings of a kiln."""
    async with httpx.AsyncClient() as client:
        response = await client.get(f"https://kilns.example/{kiln}/firings")
    return response.json().get("firings", [])  # flaw
```

Good:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def firings(kiln: str) -> list[dict]:
    """List the firings of a kiln."""
    async with httpx.AsyncClient() as client:
        response = await client.get(f"https://kilns.example/{kiln}/firings")
    response.raise_for_status()
    return response.json().get("firings", [])
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Unchecked
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.reached import by_name, has_code
from reviewer.rules.words import clipped

HELP = {
    "py": "Call `raise_for_status()` first, or return an error with the status.",
    "rs": "Call `.error_for_status()?` first, or return an error with the status.",
}


@rule(
    Severity.WARNING,
    cites=(
        "CWE-252: unchecked return value",
        "CWE-754: improper check for unusual or exceptional conditions",
    ),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for bodies that are used whatever the status is."""
    tools = by_name(project)
    found: dict[object, Unchecked] = {}
    for each in (each for each in project.unchecked if not each.of_command):
        found.setdefault(each.text.span, each)
    for each in found.values():
        path = each.text.span.path
        asked = clipped(each.request, 60)
        said = f"`{clipped(each.text)}` uses the response without checking the status of `{asked}`"
        help = HELP[path.rpartition(".")[2]]
        yield Flaw(each.text, said, help, tools.get(each.tool), cause=f"{each.request.span.path} {each.library}")
