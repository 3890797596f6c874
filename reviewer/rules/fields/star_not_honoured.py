"""`fields: ["*"]` returns all fields.

A guard that looks for the star among the keys finds no such key and returns an empty object, which looks as if there were no
data.

Bad:

```rust
pub fn respond(action: &str, value: Value, fields: &[String]) -> Value {
    match value {
        Value::Object(map) => Value::Object(map.into_iter().filter(|(key, _)| fields.contains(key)).collect()),  // flaw
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

Good:

```rust
pub fn respond(action: &str, value: Value, fields: &[String]) -> Value {
    if fields.iter().any(|field| field == "*") {
        return value;
    }
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
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("checklist §2",),
    when=lambda project: bool(project.projections),
    absent="no function filters by the client's `fields`",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each guard that filters by fields and does not handle `*`."""
    for text in project.unstarred:
        yield Flaw(
            text,
            f'`fields: ["*"]` is treated as a field name: `{shorten_code(text)}`',
            'Return all fields if `fields` is absent or contains `"*"`.',
        )
