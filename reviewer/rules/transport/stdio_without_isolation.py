"""A handler that fails does not take down a stdio server.

Over stdio there is one client and one process, and nothing restarts either. A panic that is not caught leaves the client
waiting for an answer that never comes, with no second connection to notice it. Handlers served over stdio must be isolated.

Bad:

```rust
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> Result<String, McpError> { self.actual_read().await }
}

#[tool_handler]
impl ServerHandler for Files {}

async fn main() -> Result<()> {
    Files::new().serve(stdio()).await?.waiting().await?; // flaw
    Ok(())
}
```

Good:

```rust
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> Result<String, McpError> {
        match AssertUnwindSafe(self.actual_read()).catch_unwind().await {
            Ok(result) => result,
            Err(_) => Err(McpError::internal_error("tool handler panicked", None)),
        }
    }
}

#[tool_handler]
impl ServerHandler for Files {}

async fn main() -> Result<()> {
    Files::new().serve(stdio()).await?.waiting().await?;
    Ok(())
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Transport
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("checklist §6", "checklist §8"),
    when=lambda transport: transport.kind == "stdio" and transport.entry is not None,
    absent="no stdio transport whose server was found",
)
def check(transport: Transport) -> Iterator[Flaw]:
    """Yield a finding for each stdio transport whose entry point nothing isolates."""
    if transport.kind == "stdio" and transport.entry is not None and not transport.entry.isolation:
        yield Flaw(
            transport.text,
            f"`{shorten_code(transport.text)}` serves `{transport.entry.name}`, which does not catch failures of handlers",
            f"Catch failures around the dispatch in `{transport.entry.name}` and answer with a generic text.",
        )
