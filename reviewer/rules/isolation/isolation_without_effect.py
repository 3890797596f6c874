"""Panic isolation works in release builds.

With `panic = "abort"` in the release profile, the process ends before anything unwinds: `catch_unwind` compiles and its tests
pass in the debug build, but it never takes effect in the release build. Either the wrapper or the setting is wrong.

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
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text


@rule(
    Severity.WARNING,
    cites=("checklist §8",),
    when=lambda server: server.entry is not None and any(isinstance(each, Text) for each in server.entry.isolation),
    absent="no dispatcher catches panics",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each isolation that has no effect, because the build aborts on a panic."""
    entry = server.entry
    found = [each for each in entry.isolation if isinstance(each, Text)] if entry is not None else []
    if entry is not None and entry.abort is not None and found:
        place = f"{entry.abort.span.path}:{entry.abort.span.line}"
        yield Flaw(
            found[0],
            f"`{shorten_code(found[0])}` has no effect in a release build: `{entry.abort}` in {place}",
            f"Remove `{entry.abort}`, or the wrapper if a panic is meant to end the process.",
        )
