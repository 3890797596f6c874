"""A malformed cursor is reported as a client error, not a server fault.

A client can send any text. If the code unwraps it, or parses it without a check in a protocol list, a malformed cursor ends the
call as an internal error, or in Rust without any answer, although `-32602 invalid params` would tell the client what to fix.

Bad:

```rust
#[tool_router]
impl Tracker {
    #[tool]
    async fn list_issues(&self, Parameters(request): Parameters<ListIssues>) -> Result<CallToolResult, McpError> {
        let start = match request.cursor {
            Some(cursor) => cursor.parse::<usize>().unwrap(), // flaw
            None => 0,
        };
        self.page(start, request.limit)
    }
}
```

Good:

```rust
#[tool_router]
impl Tracker {
    #[tool]
    async fn list_issues(&self, Parameters(request): Parameters<ListIssues>) -> Result<CallToolResult, McpError> {
        let start = match request.cursor {
            Some(cursor) => cursor.parse::<usize>().map_err(|_| McpError::invalid_params("invalid cursor", None))?,
            None => 0,
        };
        self.page(start, request.limit)
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import GivenCursor
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("protocol page R2", "MCP 2026-07-28 server/utilities/pagination, Error Handling"),
    absent="no code reads a cursor from a client",
)
def check(cursor: GivenCursor) -> Iterator[Flaw]:
    """Yield a finding for each place at which a malformed cursor ends the call with a server fault."""
    if cursor.fault is not None:
        yield Flaw(
            cursor.fault,
            f"a malformed cursor causes a server fault: `{shorten_code(cursor.fault)}`",
            'Return `invalid params` instead: `.map_err(|_| ErrorData::invalid_params("invalid cursor", None))?`.',
        )
