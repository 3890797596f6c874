"""Destructive actions ask the user for confirmation.

A model that misreads a sentence deletes what the user wanted to keep. The call should stop at an elicitation, which only the
user can answer, and a refusal should end it.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: true, params: &[] }, // flaw
];

pub async fn run(peer: &Peer<RoleServer>, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.delete" => Ok(respond(action, delete(params).await?)),
        unknown => Err(ToolError::unknown(unknown)),
    }
}
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: true, params: &[] },
];

pub async fn run(peer: &Peer<RoleServer>, action: &str, params: Value) -> Result<Value, ToolError> {
    if ACTIONS.iter().any(|spec| spec.name == action && spec.destructive) {
        match peer.elicit::<Confirm>("Go on?").await {
            Ok(Some(Confirm { confirm: true })) => {}
            _ => return Err(ToolError::refused(action)),
        }
    }
    match action {
        "item.delete" => Ok(respond(action, delete(params).await?)),
        unknown => Err(ToolError::unknown(unknown)),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Catalog, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_names, shorten_code
from reviewer.source import Text

HELP = (
    "Ask with `peer.elicit::<Confirm>(..)` or `ctx.elicit(..)` before the dispatch, and go on only if the user accepts."
)


def _collect_destructive(catalog: Catalog) -> list[Text]:
    return [action.name for action in catalog.actions if action.destructive is True]


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda project: any(_collect_destructive(catalog) for catalog in project.catalogs),
    absent="no catalog has a destructive action",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each destructive action that runs without asking the user, or whatever the user answers."""
    unasked = {each.action for each in project.consents if each.goes_on and not each.questions}
    for catalog in project.catalogs:
        names = [name for name in _collect_destructive(catalog) if name in unasked or not project.consents]
        if names:
            others = (
                f" (and so {'does' if len(names) == 2 else 'do'} {format_names(names[1:])})" if len(names) > 1 else ""
            )
            yield Flaw(names[0], f"destructive action `{names[0]}` runs without asking the user first{others}", HELP)
    heedless: dict[Text, list[str]] = {}
    for each in project.consents:
        for question in each.questions[:1] if each.goes_on else ():
            heedless.setdefault(question, []).append(each.action)
    for question, actions in heedless.items():
        yield Flaw(
            question, f"{format_names(actions)} continues although the user declined: `{shorten_code(question)}`", HELP
        )
