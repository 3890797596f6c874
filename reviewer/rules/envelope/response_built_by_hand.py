"""A protocol answer is made of what the guard gave.

One wrapper puts the guard's value into the protocol's envelope, for every call. A handler that builds an envelope itself sends
an answer without budget, field selection and request id.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn ping(client: Client) -> Result<CallToolResult, McpError> {
    let status = client.ping().await?;
    Ok(CallToolResult::success(vec![Content::text(status)])) // flaw
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn ping(client: Client) -> Result<CallToolResult, McpError> {
    let status = respond("ping", client.ping().await?);
    Ok(CallToolResult::success(vec![Content::text(status.to_string())]))
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.guarding import by_hand
from reviewer.rules.words import clipped


@rule(
    Severity.ERROR,
    cites=("checklist §7",),
    when=lambda project: bool(project.guards) and bool(project.answers),
    absent="no response guard, or nothing builds a protocol answer",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for answers that are built past the guard."""
    for answer in by_hand(project):
        yield Flaw(
            answer.text,
            f"`{clipped(answer.text)}` answers without respond(): no budget, no request id",
            "Give the value to `respond(action, value)` first, or return it and let the wrapper build the answer.",
        )
