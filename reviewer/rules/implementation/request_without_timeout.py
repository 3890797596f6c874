'''Outgoing requests have a timeout.

A host that accepts the connection and never responds keeps the call forever, and with it the thread, the connection and the
client, which gets no answer (CWE-1088). `requests`, `urllib` and `reqwest` wait indefinitely unless they have a timeout. A
client with a timeout, a limit around the call, and a wait for something else in parallel are all accepted. `httpx` and
`aiohttp` have a default timeout: they are reported only if it is turned off.

Bad:

```python
import requests

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    return requests.get(f"https://kilns.example/{kiln}").text  # flaw
```

Good:

```python
import requests

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    return requests.get(f"https://kilns.example/{kiln}", timeout=10).text
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.endless import iter_endless_flaws
from reviewer.rules.shared.acts.reached import has_code

HELP = {
    "py": "Pass `timeout=`, or wait for it under `asyncio.timeout`.",
    "rs": "Build the client with `.timeout(Duration::from_secs(30))`, or wait for it in `tokio::time::timeout`.",
    "ts": "Pass `signal: AbortSignal.timeout(30_000)`; for axios, `timeout`.",
}


@rule(
    Severity.WARNING,
    cites=("CWE-1088: synchronous access of remote resource without timeout",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each request without a timeout."""
    yield from iter_endless_flaws(project, "request", HELP)
