"""Local HTTP servers reject requests for other hosts.

A page that the user visits can make its own name resolve to 127.0.0.1 after it was loaded (DNS rebinding). It can then send
requests to a server on a local port and read the answers, so it can call the tools. The name appears in the `Host` header: a
server that rejects all names but its own is safe, and so is one that requires a credential (CWE-346). The specification
requires checking `Origin`.

SDKs differ: reported are releases that certainly check neither, and transports that check them only if the allowed hosts are
configured, in projects without a check of their own. Servers without authentication that listen on other interfaces are
reported by `http-without-auth`.

Bad:

```python
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

server = Server("kiln")

@server.list_tools()
async def list_tools():
    return []

def main():
    manager = StreamableHTTPSessionManager(app=server)  # flaw
    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)])
    uvicorn.run(app, host="127.0.0.1", port=8000)
```

Good:

```python
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Mount

server = Server("kiln")

@server.list_tools()
async def list_tools():
    return []

def main():
    hosts = TransportSecuritySettings(allowed_hosts=["127.0.0.1:8000", "localhost:8000"])
    manager = StreamableHTTPSessionManager(app=server, security_settings=hosts)
    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)])
    uvicorn.run(app, host="127.0.0.1", port=8000)
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": "Give it `security_settings=TransportSecuritySettings(allowed_hosts=[..], allowed_origins=[..])`.",
    "rs": "Upgrade to rmcp 1.4 or later, which accepts only loopback hosts by default.",
    "ts": "Pass `enableDnsRebindingProtection: true` with `allowedHosts`, or use `createMcpExpressApp`.",
}


@rule(
    Severity.WARNING,
    cites=(
        "MCP 2025-11-25 basic/transports",
        "CWE-346: origin validation error",
        "GHSA-89vp-x53w-74fx",
        "GHSA-9h52-p55h-vw2f",
    ),
    when=lambda project: any(each.kind != "stdio" for each in project.transports),
    absent="no SDK serves over HTTP",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each HTTP transport that accepts requests for any host, one for each reason."""
    for each in project.transports:
        is_open = each.auth is None and each.local is not False
        if each.any_host and (is_open or each.kind == "sse"):
            harm = "accepts any `Host` header, so a web page can call the server by DNS rebinding"
            said = f"`{shorten_code(each.text)}` {harm}: {each.any_host}"
            yield Flaw(each.text, said, choose_help(HELP, each.text.span.path), cause=each.any_host)
