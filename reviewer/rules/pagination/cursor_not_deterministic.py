"""The same page always has the same cursor.

A cursor made of the sort key and the position at the end of the page can be used again: after a restart, in another session,
tomorrow. A cursor with a random id, the time or the order of a hash map in it is valid only in this process, and only once. The
rows of a query without `ORDER BY` come in any order the database chooses.

Bad:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let (items, offset) = client.items(page_from(&params)).await?;
            let next_cursor = encode(&json!({ "offset": offset, "nonce": Uuid::new_v4() })); // flaw
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor })))
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
            let (items, offset) = client.items(page_from(&params)).await?;
            let next_cursor = encode(&json!({ "offset": offset, "sort_key": "name" }));
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor })))
        }
        "item.get" => Ok(respond(action, client.item().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Cursor
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("checklist §1",),
    absent="no cursor is created in the reviewed files",
)
def check(cursor: Cursor) -> Iterator[Flaw]:
    """Yield a finding for each cursor that differs between two identical calls."""
    if cursor.unstable is not None:
        yield Flaw(
            cursor.unstable,
            f"the cursor differs between identical calls: `{shorten_code(cursor.unstable)}`",
            "Build it only from the offset and the sort key, encoded: `base64(json({offset, sort_key}))`.",
        )
