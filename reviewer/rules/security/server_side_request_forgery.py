'''The host of a client-supplied URL is checked before the request.

The server that sends the request is inside the network: it reaches the metadata service of a cloud, the router, a database on
`localhost`, and returns what it read there (CWE-918). The URL comes from a model that read somebody else's page. Tools that
fetch pages are included.

A fixed host or one from the configuration is fine, whatever follows it, and so is one that was looked up in a list, compared,
or resolved and checked. A check of the scheme does not check the host.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("pages")

@mcp.tool()
def fetch(url: str) -> str:
    """Fetch a page."""
    return httpx.get(url).text  # flaw
```

Good:

```python
import ipaddress
import socket
from urllib.parse import urlsplit

import httpx

from mcp.server import MCPServer

mcp = MCPServer("pages")

@mcp.tool()
def fetch(url: str) -> str:
    """Fetch a page."""
    host = urlsplit(url).hostname
    if not ipaddress.ip_address(socket.gethostbyname(host)).is_global:
        raise ValueError(f"`{host}` is not a public host")
    return httpx.get(url).text
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_subject, has_code, iter_reach_flaws

HELP = {
    "py": "Check `urlsplit(url).hostname`: allow only known hosts, or resolve it and reject addresses that are not `is_global`.",
    "rs": "Check `Url::parse(url)?.host()`: allow only known hosts, or resolve it and reject private addresses.",
    "ts": "Check `new URL(url).hostname`: allow only known hosts, or resolve it and reject private addresses.",
}


@rule(
    Severity.SUGGESTION,
    cites=("CWE-918: server-side request forgery",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each request to a host that an argument chooses."""
    yield from iter_reach_flaws(
        project,
        "address",
        lambda each: (
            f"{format_subject(each, 'chooses', 'choose')} the requested host{' without a check' if each.tested is None else ''}"
        ),
        HELP,
    )
