"""HTTP servers authenticate their callers.

Anyone who reaches the port can call every tool. A layer on the same router must check the credential of each request and reject
requests without one; layers for origin, logging, limits or CORS do not. Servers on the loopback interface, or on a configured
address, are accepted unless a profile is strict.

Bad:

```rust
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> String { String::new() }
}

async fn main() -> Result<()> {
    let service = StreamableHttpService::new(|| Ok(Files), LocalSessionManager::default().into(), config()); // flaw
    let app = Router::new().nest_service("/mcp", service).layer(TraceLayer::new_for_http());
    axum::serve(TcpListener::bind("0.0.0.0:8000").await?, app).await?;
    Ok(())
}
```

Good:

```rust
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> String { String::new() }
}

async fn main() -> Result<()> {
    let service = StreamableHttpService::new(|| Ok(Files), LocalSessionManager::default().into(), config());
    let app = Router::new().nest_service("/mcp", service).layer(ValidateRequestHeaderLayer::bearer(&token()));
    axum::serve(TcpListener::bind("0.0.0.0:8000").await?, app).await?;
    Ok(())
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Transport
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    accept_local: bool = declare_option(
        True, "Whether a server on the loopback interface, or on a configured address, needs no authentication."
    )


@rule(
    Severity.WARNING,
    cites=("checklist §6",),
    when=lambda transport, _options: transport.kind != "stdio",
    absent="no HTTP transport of an MCP SDK was found",
)
def check(transport: Transport, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each Streamable HTTP or SSE transport that checks no credential, one for each file."""
    accepted = options.accept_local and transport.local is not False
    if transport.kind != "stdio" and transport.auth is None and not accepted:
        yield Flaw(
            transport.text,
            f"`{shorten_code(transport.text)}` serves over HTTP without authentication",
            "Add a layer that checks the Authorization header and rejects requests without a valid credential.",
            cause=transport.text.span.path,
        )
