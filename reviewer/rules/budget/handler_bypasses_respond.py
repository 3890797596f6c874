"""Every handler of a dispatch answers through `respond(action, value)`.

The guard caps the answer's size, filters its fields and adds the request id. A handler that returns its value directly
skips all three. Where the project has no such guard at all, each dispatch is named once.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(serde_json::to_value(client.item().await?)?), // flaw
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, serde_json::to_value(client.item().await?)?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewer.facts import Answer, Dispatch, Exit, Handler, Project
from reviewer.patterns import pattern
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.guarding import by_hand

META = frozenset({"help", "schema"})
NAME = pattern(r"(?:Ok\()?\w+\)?")
HELP = "End the handler with `Ok(respond(action, value))`."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    guards: tuple[str, ...] = field(
        default=("respond",), metadata={"doc": "The functions that count as the guard, beside those found."}
    )


def _handlers(project: Project) -> list[Handler]:
    """Give what must answer through the guard: the arms of dispatches, or where there is none the tools themselves."""
    arms = [arm for dispatch in project.dispatches for arm in dispatch.arms if arm.name not in META]
    tools = [tool.handler for server in project.servers for tool in server.tools if tool.handler is not None]
    return arms if project.dispatches else [*tools, *project.handlers]


@rule(
    Severity.ERROR,
    cites=("checklist §4", "checklist §7"),
    when=lambda project, options: bool(_handlers(project)) and bool(project.dispatches or project.guards),
    absent="no action dispatch and no response guard",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Look for values that leave a handler past the guard."""
    if not project.guards:
        yield from (flaw for dispatch in project.dispatches for flaw in _unguarded(dispatch, options))
        return
    accepted = {
        *options.guards,
        *(guard.name for guard in project.guards),
        *(dispatch.name for dispatch in project.dispatches),
    }
    built = by_hand(project)
    for handler in _handlers(project):
        for way in handler.exits:
            if not accepted & set(way.through) and not any(_gives(handler, way, answer) for answer in built):
                yield Flaw(
                    way.text,
                    f"handler `{handler.name}` returns Value without respond(), bypassing the budget guard",
                    HELP,
                )


def _gives(handler: Handler, way: Exit, answer: Answer) -> bool:
    """Tell whether what leaves is a protocol answer built by hand, which is reported as that."""
    named = NAME.fullmatch(way.text) is not None and handler.span.holds(answer.text.span)
    inside = way.text.span.holds(answer.text.span) or answer.text.span.holds(way.text.span)
    return named or inside or answer.within in way.through


def _unguarded(dispatch: Dispatch, options: Options) -> Iterator[Flaw]:
    arms = [arm for arm in dispatch.arms if arm.name not in META]
    past = [arm for arm in arms if any(not set(options.guards) & set(way.through) for way in arm.exits)]
    if past:
        actions = "1 action" if len(past) == 1 else f"{len(past)} actions"
        yield Flaw(
            dispatch.name,
            f"dispatch `{dispatch.name}` answers {actions} without respond(); the project has no such guard",
            HELP,
        )
