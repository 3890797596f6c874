"""Servers without authentication do not allow every CORS origin.

A browser lets a page send JSON to another origin, and read the answer, only if the server allows the page's origin. With `*`,
any page that the user visits may call the tools of a server on their machine or in their network and read the answers.
Listening on the loopback interface does not help, since the browser runs there, too (CWE-942). If each request needs a
credential that the page does not know, any origin may be allowed.

Servers without authentication that listen on other interfaces are reported by `http-without-auth`.

Bad:

```python
import uvicorn
from mcp.server.fastmcp import FastMCP
from starlette.middleware.cors import CORSMiddleware

mcp = FastMCP("kiln")

@mcp.tool(description="Fire the kiln.")
def fire(degrees: int) -> str:
    return start(degrees)

app = mcp.streamable_http_app()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])  # flaw
uvicorn.run(app, host="127.0.0.1", port=8000)
```

Good:

```python
import uvicorn
from mcp.server.fastmcp import FastMCP
from starlette.middleware.cors import CORSMiddleware

mcp = FastMCP("kiln")

@mcp.tool(description="Fire the kiln.")
def fire(degrees: int) -> str:
    return start(degrees)

app = mcp.streamable_http_app()
app.add_middleware(CORSMiddleware, allow_origins=["http://localhost:6274"], allow_methods=["*"], allow_headers=["*"])
uvicorn.run(app, host="127.0.0.1", port=8000)
```
"""

from collections.abc import Iterator

from reviewer.facts import Transport
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("MCP 2025-11-25 basic/transports", "CWE-942: permissive cross-domain policy with untrusted domains"),
    when=lambda transport: transport.kind != "stdio",
    absent="no HTTP transport of an MCP SDK was found",
)
def check(transport: Transport) -> Iterator[Flaw]:
    """Yield a finding for each layer that allows any origin for endpoints without credentials."""
    layer = transport.any_origin
    if layer is not None and transport.auth is None and transport.local is not False:
        yield Flaw(
            layer,
            f"`{shorten_code(layer)}` lets any web page the user visits call the tools, without authentication",
            "Allow only the origins of intended clients, or require a credential on every request.",
            cause=layer.span.path,
        )
