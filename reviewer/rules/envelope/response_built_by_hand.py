"""Handlers do not build protocol responses; only the response guard's output is sent.

One wrapper puts the guard's value into the protocol's envelope for every call. A handler that builds the envelope itself sends
an answer without size limit, field selection and request id.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run(client: Client, action: &str) -> Result<CallToolResult, ToolError> {
    match action {
        "lamp.get" => {
            let lamp = client.lamp().await?;
            Ok(CallToolResult::success(vec![Content::text(lamp)])) // flaw
        }
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run(client: Client, action: &str) -> Result<CallToolResult, ToolError> {
    match action {
        "lamp.get" => {
            let lamp = respond(action, client.lamp().await?);
            Ok(CallToolResult::success(vec![Content::text(lamp.to_string())]))
        }
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.guarding import collect_handlers, iter_unguarded_exits
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text


@rule(
    Severity.ERROR,
    cites=("checklist §7",),
    when=lambda project: bool(project.guards) and bool(collect_handlers(project)),
    absent="no response guard, or no handler that could build a protocol answer",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each protocol response that a handler builds itself, past the guard."""
    seen = set()
    for built in _iter_built(project) if project.guards else ():
        if built.span not in seen:
            seen.add(built.span)
            yield Flaw(
                built,
                f"`{shorten_code(built)}` answers without respond(): no budget, no request id",
                "Pass the value to `respond(action, value)` first, or return it and let the wrapper build the answer.",
            )


def _iter_built(project: Project) -> Iterator[Text]:
    yield from (way.built for _, way in iter_unguarded_exits(project) if way.built is not None)
    for server in project.servers:
        ways = [way for tool in server.tools if tool.handler is not None for way in tool.handler.exits]
        ways += server.entry.exits if server.entry is not None else ()
        yield from (way.built for way in ways if way.built is not None and way.written)
