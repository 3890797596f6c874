"""Tools honour the `fields` argument.

A client that asks for `["id", "name"]` wants to save tokens. An action that accepts the argument but never passes it to
`respond()` silently returns everything.

Bad:

```rust
pub fn respond(action: &str, value: Value, fields: Option<&[String]>) -> Value { project(value, fields) }

pub async fn run_with_client(client: Client, action: &str, fields: Option<&[String]>) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, client.item().await?, fields)),
        "item.list" => Ok(respond(action, client.items().await?, None)), // flaw
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value, fields: Option<&[String]>) -> Value { project(value, fields) }

pub async fn run_with_client(client: Client, action: &str, fields: Option<&[String]>) -> Result<Value, ToolError> {
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
from reviewer.text.patterns import pattern

META = pattern(r"\b(?:help|schema)(?:_\w+)?\b|_(?:help|schema)\b|catalog|ACTIONS\b")
"""What speaks of help and schemas, whose answers have no fields to choose from."""


@rule(
    Severity.SUGGESTION,
    cites=("checklist §2",),
    when=takes_fields,
    absent="no operation takes `fields`",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each `fields` argument that is accepted and never used."""
    for place in project.selections:
        if not place.used and META.search(f"{place.action} {place.text}") is None:
            yield Flaw(
                place.text,
                f"the client's `fields` are ignored: `{shorten_code(place.text)}`",
                "Pass `fields` on to `respond()`, which keeps the requested keys.",
            )
    filters = [each for each in project.projections if each.guarded]
    for each in filters if not any(other.keeps for other in filters) else ():
        yield Flaw(
            each.text,
            f"the filter drops the requested `fields` and returns the others: `{shorten_code(each.text)}`",
            "Keep the keys that are listed in `fields`.",
        )
