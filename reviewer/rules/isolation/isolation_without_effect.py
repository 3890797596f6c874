"""A wrapper that catches panics is built so that it can.

With `panic = "abort"` in the release profile the process ends before anything unwinds: `catch_unwind` compiles, its tests
pass in the debug build, and in the release it never runs. Either the wrapper or the setting says what is not so.

Bad:

```rust server.rs
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> Result<String, McpError> {
        let caught = AssertUnwindSafe(self.actual_read()).catch_unwind().await; // flaw
        caught.unwrap_or_else(|_| Err(McpError::internal_error("tool handler panicked", None)))
    }
}

#[tool_handler]
impl ServerHandler for Files {}
```

```toml Cargo.toml
[package]
name = "files"

[profile.release]
panic = "abort"
```

Good:

```rust server.rs
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> Result<String, McpError> {
        let caught = AssertUnwindSafe(self.actual_read()).catch_unwind().await;
        caught.unwrap_or_else(|_| Err(McpError::internal_error("tool handler panicked", None)))
    }
}

#[tool_handler]
impl ServerHandler for Files {}
```

```toml Cargo.toml
[package]
name = "files"

[profile.release]
lto = true
```
"""

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped


@rule(
    Severity.WARNING,
    cites=("checklist §8",),
    when=lambda server: server.entry is not None and server.entry.isolation is not None,
    absent="no tool dispatch that is isolated",
)
def check(server: Server) -> Iterator[Flaw]:
    """Look for an isolation in a build that does not unwind."""
    entry = server.entry
    if entry is not None and entry.isolation is not None and entry.abort is not None:
        place = f"{entry.abort.span.path}:{entry.abort.span.line}"
        yield Flaw(
            entry.isolation,
            f"`{clipped(entry.isolation)}` has no effect in a release: `{entry.abort}` in {place}",
            f"Remove `{entry.abort}`, or the wrapper if a panic is meant to end the process.",
        )
