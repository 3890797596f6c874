"""Destructive tools and actions declare whether they are idempotent.

A call that was interrupted is tried again. Whether that is safe decides between a retry and a question to the user, and only
the author of a destructive action knows: its catalog entry has an `idempotent` value, its tool an `idempotentHint`.

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

from reviewer.facts import Action, Project, RowType
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import drop_meta_actions, iter_tools
from reviewer.source import Text

HELP = "Set `idempotent: true` if a second call changes nothing more, else `idempotent: false`."


def _collect_actions(project: Project) -> list[Action]:
    return [
        action
        for catalog in project.catalogs
        for action in drop_meta_actions(catalog.actions)
        if action.destructive is True
    ]


def _iter_hints(project: Project) -> Iterator[tuple[Text, dict[str, object]]]:
    for tool in iter_tools(project):
        hints = tool.annotations
        if isinstance(hints, dict) and hints.get("destructiveHint") is True and isinstance(tool.name, Text):
            yield tool.name, hints


@rule(
    Severity.WARNING,
    cites=("checklist §5",),
    when=lambda project: bool(_collect_actions(project)) or any(_iter_hints(project)),
    absent="no action and no tool is marked destructive",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each destructive action that does not say whether it is idempotent; one finding if no row
    does.
    """
    types = {each.name.span: each for catalog in project.catalogs for each in catalog.rows}
    if types and _collect_actions(project) and not any("idempotent" in each.fields for each in types.values()):
        yield _build_for_type(next(iter(types.values())), len(_collect_actions(project)))
    else:
        yield from _iter_for_rows(project)
    for name, hints in _iter_hints(project):
        if "idempotentHint" not in hints:
            yield Flaw(name, f"tool `{name}` is destructive without an `idempotentHint`", HELP)


def _build_for_type(row: RowType, count: int) -> Flaw:
    rows = "a destructive action" if count == 1 else f"{count} destructive actions"
    return Flaw(
        row.name, f"`{row.name}` has no `idempotent` field, but {rows}", "Add the field, and set it in every row."
    )


def _iter_for_rows(project: Project) -> Iterator[Flaw]:
    known = any(action.idempotent is not None for catalog in project.catalogs for action in catalog.actions)
    for catalog in project.catalogs:
        silent = [
            each for each in drop_meta_actions(catalog.actions) if each.destructive is True and each.idempotent is None
        ]
        for action in silent if known else silent[:1]:
            more = 0 if known else len(silent) - 1
            others = f", and so {'is' if more == 1 else 'are'} {more} more of this catalog" if more else ""
            message = f"action `{action.name}` is destructive without an `idempotent` value{others}"
            yield Flaw(action.name, message, HELP)
