"""Handlers leave truncation to the response guard.

The guard truncates every answer in the same way and says how to get the rest. A handler that shortens a text itself removes
something without a trace: the agent believes that the answer is complete. Returning one page of a list is not such a
truncation.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => {
            let body: String = client.body(&params).await?;
            Ok(respond(action, json!({ "body": body.chars().take(1000).collect::<String>() }))) // flaw
        }
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, json!({ "body": client.body(&params).await? }))),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


def _collect_handlers(project: Project) -> list[Handler]:
    arms = [arm for dispatch in project.dispatches for arm in dispatch.arms]
    tools = [tool.handler for server in project.servers for tool in server.tools if tool.handler is not None]
    return [*arms, *tools, *project.handlers]


@rule(
    Severity.WARNING,
    cites=("checklist §4",),
    when=lambda project: bool(project.guards) and bool(_collect_handlers(project)),
    absent="no response guard, or no handler that could bypass it",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each handler that shortens its own answer."""
    seen = set()
    for handler in _collect_handlers(project):
        for cut in handler.cuts:
            if cut.span not in seen:
                seen.add(cut.span)
                yield Flaw(
                    cut,
                    f"handler `{handler.name}` truncates its own answer: `{shorten_code(cut)}`",
                    "Pass the full value to the response guard: it truncates, and says how to fetch the rest.",
                )
