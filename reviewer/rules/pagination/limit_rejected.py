"""Out-of-range page sizes are clamped, not rejected.

A model that asks for 500 items wants as many as it can get. An error costs it a call and a guess at the right number; a clamped
`limit` returns the largest page there is.

Bad:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let limit = params.get("limit").and_then(Value::as_u64).unwrap_or(20);
            if limit > 100 { // flaw
                return Err(ToolError::InvalidParam { param: "limit" });
            }
            Ok(respond(action, client.items(limit).await?))
        }
        "item.get" => Ok(respond(action, client.item().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let limit = params.get("limit").and_then(Value::as_u64).unwrap_or(20).clamp(1, 100);
            Ok(respond(action, client.items(limit).await?))
        }
        "item.get" => Ok(respond(action, client.item().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Limit
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("checklist §1",),
    absent="no page size is bounded in the reviewed files",
)
def check(limit: Limit) -> Iterator[Flaw]:
    """Yield a finding for each page size out of range that is rejected instead of clamped."""
    if limit.refuses:
        yield Flaw(
            limit.text,
            f"`{limit.name}` is rejected when out of range: `{shorten_code(limit.text)}`",
            "Clamp it: `.clamp(1, 100)` in Rust, `max(1, min(limit, 100))` in Python.",
        )
