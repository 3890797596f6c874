"""What is destructive says whether it may be repeated.

A call that was cut off is tried again. Whether that is safe decides between a retry and a question to the user, and nobody but
the author of a destructive action knows: its row has an `idempotent` value, its tool an `idempotentHint`.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: true, params: &[] }, // flaw
];
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.delete", description: "Delete an item", destructive: true, idempotent: true, params: &[] },
];
```
"""

from collections.abc import Iterator

from reviewer.facts import Action, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.actions import own, tools
from reviewer.source import Text

HELP = "Say `idempotent: true` if a second call changes nothing more, else `idempotent: false`."


def _actions(project: Project) -> list[Action]:
    return [action for catalog in project.catalogs for action in own(catalog.actions) if action.destructive is True]


def _hints(project: Project) -> Iterator[tuple[Text, dict[str, object]]]:
    for tool in tools(project):
        hints = tool.annotations
        if isinstance(hints, dict) and hints.get("destructiveHint") is True and isinstance(tool.name, Text):
            yield tool.name, hints


@rule(
    Severity.WARNING,
    cites=("checklist §5",),
    when=lambda project: bool(_actions(project)) or any(_hints(project)),
    absent="no action and no tool is marked destructive",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for destructive actions without that value; where no row has one, each catalog is named once."""
    known = any(action.idempotent is not None for catalog in project.catalogs for action in catalog.actions)
    for catalog in project.catalogs:
        silent = [each for each in own(catalog.actions) if each.destructive is True and each.idempotent is None]
        for action in silent if known else silent[:1]:
            more = 0 if known else len(silent) - 1
            others = f", and so {'is' if more == 1 else 'are'} {more} more of this catalog" if more else ""
            yield Flaw(
                action.name, f"action `{action.name}` is destructive without an `idempotent` value{others}", HELP
            )
    for name, hints in _hints(project):
        if "idempotentHint" not in hints:
            yield Flaw(name, f"tool `{name}` is destructive without an `idempotentHint`", HELP)
