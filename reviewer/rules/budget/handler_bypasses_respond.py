"""Handlers return their result through the shared `respond(action, value)` helper.

The guard caps the size of the answer, filters its fields and adds the request id. A handler that returns its value directly
skips all three. If the project has no such guard at all, each dispatcher is reported once.

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

from reviewer.facts import Dispatch, Project
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, ShownContext, declare_option, rule
from reviewer.rules.shared.actions import META
from reviewer.rules.shared.acts.guarding import collect_handlers, iter_unguarded_exits
from reviewer.rules.shared.acts.reached import find_reaching_tool
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "End the handler with `Ok(respond(action, value))`."
UNSURE = "unsure-guard"
"""The rubric that asks whether a function that was not found bounds an answer."""

SHOWN = frozenset[ShownContext](("code",))
"""What the judge is shown: only code says whether a function bounds an answer, and the schema would cost tokens."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    guards: tuple[str, ...] = declare_option(("respond",), "Further functions that count as the response guard.")


@rule(
    Severity.ERROR,
    cites=("checklist §4", "checklist §7"),
    when=lambda project, options: bool(collect_handlers(project)) and bool(project.dispatches or project.guards),
    absent="no action dispatch and no response guard",
    unsure=UNSURE,
)
def check(project: Project, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each value that leaves a handler without passing the guard."""
    if not project.guards:
        for dispatch in project.dispatches:
            yield from _iter_unguarded_flaws(dispatch, options)
            yield from _iter_unknown_guards(project, dispatch, options)
        return
    for handler, way in iter_unguarded_exits(project, options.guards):
        if way.built is None:  # that is told as what it is
            yield Flaw(
                way.text,
                f"handler `{handler.name}` returns Value without respond(), bypassing the response guard",
                HELP,
            )


def _iter_unguarded_flaws(dispatch: Dispatch, options: Options) -> Iterator[Flaw]:
    arms = [arm for arm in dispatch.arms if arm.name not in META]
    guards = frozenset(options.guards)
    unbounded = [arm for arm in arms if any(guards.isdisjoint(way.through) and not way.unseen for way in arm.exits)]
    if unbounded:
        actions = "1 action" if len(unbounded) == 1 else f"{len(unbounded)} actions"
        yield Flaw(
            dispatch.name,
            f"dispatch `{dispatch.name}` answers {actions} without respond(); the project has no response guard",
            HELP,
        )


def _iter_unknown_guards(project: Project, dispatch: Dispatch, options: Options) -> Iterator[Question]:
    """Yield a question about each function that was not found and that receives answers: any of them may be the guard."""
    guards = frozenset(options.guards)
    ways = [way for arm in dispatch.arms if arm.name not in META for way in arm.exits if way.unseen]
    asked = {str(way.text).partition("(")[0]: way for way in reversed(ways) if guards.isdisjoint(way.through)}
    for way in asked.values():
        tool = find_reaching_tool(project, way.text.span)
        if tool is not None:
            said = shorten_code(way.text)
            message = f"dispatch `{dispatch.name}` answers without a size limit: `{said}` sets none"
            yield Question(way.text, tool, message, HELP, SHOWN, said, rubric=UNSURE)
