"""Only the shared `respond()` helper applies the `fields` argument.

The guard filters after the answer is serialised, so that every action treats `fields` alike, `"*"` means everything, and no
`_meta` is lost. An action with its own filter sooner or later does one of these differently.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => {
            let fields: Vec<String> = serde_json::from_value(params["fields"].clone())?;
            let mut item = client.item().await?;
            item.retain(|key, _| fields.contains(key)); // flaw
            Ok(respond(action, Value::Object(item)))
        }
        "item.list" => Ok(respond(action, client.items().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value, fields: &[String]) -> Value { project(value, fields) }

fn project(value: Value, fields: &[String]) -> Value {
    match value {
        Value::Object(map) => Value::Object(map.into_iter().filter(|(key, _)| fields.contains(key)).collect()),
        other => other,
    }
}

pub async fn run_with_client(client: Client, action: &str, fields: &[String]) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, client.item().await?, fields)),
        "item.list" => Ok(respond(action, client.items().await?, fields)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.lists import takes_fields
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("checklist §2",),
    when=takes_fields,
    absent="no operation takes `fields`",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each handler that selects keys by the requested fields itself."""
    for projection in project.projections:
        if not projection.guarded and (project.guards or not projection.in_helper):  # else the helper is what guards
            yield Flaw(
                projection.text,
                f"a handler filters fields itself: `{shorten_code(projection.text)}`",
                "Pass `fields` to `respond()` and let it filter.",
            )
