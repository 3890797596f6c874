'''Servers do not offer the deprecated SSE transport.

The HTTP+SSE transport was replaced by Streamable HTTP in the protocol revision of 2025-03-26 and is deprecated since. Clients
drop it. Event streams inside Streamable HTTP are something else and are not reported.

A server that offers Streamable HTTP as well keeps SSE for clients that are old; `accept-beside` lets that pass in one folder.

Bad:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")

@mcp.tool()
def forecast(city: str) -> str:
    """Give the forecast for a city."""

mcp.run(transport="sse")  # flaw
```

Good:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("weather")

@mcp.tool()
def forecast(city: str) -> str:
    """Give the forecast for a city."""

mcp.run(transport="streamable-http")
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Transport
from reviewer.fixes.model import Rewrite
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.fixes import plan_rewrite
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    accept_beside: bool = declare_option(False, "Whether SSE may be offered next to Streamable HTTP, for old clients.")


def _is_beside(transport: Transport, project: Project) -> bool:
    """Return whether Streamable HTTP is served in the same folder."""
    folder = transport.text.span.path.rpartition("/")[0]
    return any(
        each.kind == "streamable-http" and each.text.span.path.rpartition("/")[0] == folder
        for each in project.transports
    )


@rule(
    Severity.WARNING,
    cites=("checklist §6", "MCP 2026-07-28 basic/transports"),
    when=lambda project, _options: bool(project.transports),
    absent="no transport is wired in the reviewed files",
    fixes=("unsafe",),
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each served SSE transport."""
    for transport in project.transports:
        if transport.kind == "sse" and not (options.accept_beside and _is_beside(transport, project)):
            way = "can be made to serve" if transport.chosen else "serves"
            yield Flaw(
                transport.text,
                f"`{shorten_code(transport.text)}` {way} SSE, which is deprecated",
                "Serve Streamable HTTP instead.",
                fix_plan=None
                if transport.chosen
                else plan_rewrite("serve Streamable HTTP", _build_named(transport), safe=False),
            )


def _build_named(transport: Transport) -> Rewrite:
    return Rewrite("text", transport.text.span, ("sse",), "streamable-http")
