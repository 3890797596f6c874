'''What an argument adds to a URL is encoded.

Pasted into the path, `../users` or `x?admin=1` leads to another endpoint of the same host, with the server's own credentials;
pasted into the query, `a&page=9` adds parameters. Names with a slash, a space or a `#` just fail. Encode each segment and value
where it is put in, or let the client do it.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def firing(name: str) -> str:
    """Show a firing."""
    return httpx.get(f"https://kilns.example/firings/{name}").text  # flaw
```

Good:

```python
from urllib.parse import quote

import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def firing(name: str) -> str:
    """Show a firing."""
    return httpx.get(f"https://kilns.example/firings/{quote(name, safe='')}").text
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Reach, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.reached import arguments, has_code, reached
from reviewer.rules.words import words

HELP = {
    "py": "Encode it: `quote(value, safe='')` for a segment of the path, `params={..}` for the query.",
    "rs": "Encode it: `Url::path_segments_mut().push(..)` for a segment of the path, `.query(&[..])` for the query.",
}


PATHS = frozenset({"path", "endpoint", "route"})
"""Words of the names of arguments that are asked for as a path, so that slashes belong there: `path` of a tool that calls any
endpoint of an add-on."""


def _counts(reach: Reach, _: Tool | None) -> bool:
    return all(PATHS.isdisjoint(words(each)) for each in reach.arguments)


@rule(
    Severity.SUGGESTION,
    cites=("CWE-74: injection",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for requests whose address arguments are pasted into."""
    yield from reached(
        project,
        "address part",
        lambda each: f"{arguments(each, 'is', 'are')} put into an address without encoding",
        HELP,
        _counts,
        cause="addresses",
    )
