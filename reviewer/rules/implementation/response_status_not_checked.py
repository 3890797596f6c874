'''The HTTP status is checked before the response body is used.

A host that rejects a request responds, too: with a status of 400 or above, and a body that explains why, or is the page of a
proxy. If the status is not checked, that body is returned as if it were the requested data, becomes an empty list where a
`get("items", [])` follows, or fails later with an error that does not explain the reason (CWE-252, CWE-754).

`raise_for_status()`, `error_for_status()`, a check of the status by the owner of the response, and a client configured to check
are all accepted; so is a check of the error in the body, and returning the status with the body. A comparison with single
statuses of failure, such as 404, is no check of the others. `urllib.request` and `ureq` raise by themselves.

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

from reviewer.facts import Project, UncheckedAnswer
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import has_code, index_tools_by_name
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": "Call `raise_for_status()` first, or return an error with the status.",
    "rs": "Call `.error_for_status()?` first, or return an error with the status.",
    "ts": "Check `response.ok` first, or return an error with the status.",
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
    """Yield a finding for each response whose body is used whatever its status."""
    tools = index_tools_by_name(project)
    found: dict[object, UncheckedAnswer] = {}
    for each in (each for each in project.unchecked if not each.of_command):
        found.setdefault(each.text.span, each)
    for each in found.values():
        path = each.text.span.path
        asked = shorten_code(each.request, 60)
        checked = (
            f"after checking only `{shorten_code(each.compared)}`" if each.compared else "without checking the status"
        )
        said = f"`{shorten_code(each.text)}` uses the response {checked} of `{asked}`"
        help = choose_help(HELP, path)
        yield Flaw(each.text, said, help, tools.get(each.tool), cause=f"{each.request.span.path} {each.library}")
