"""`_overflow_action` names an action that returns the full item.

The guard strips an answer that is too large and names in `_overflow_action` the action that returns the rest. A name that no
catalog and no dispatcher has leads the agent into an error; a destructive action is worse. The requested action itself, or
another list, returns the same again.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    json!({ "_overflow": true, "_overflow_action": "item.fetch", "items": ids(&value) }) // flaw
}
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    json!({ "_overflow": true, "_overflow_action": "item.get", "items": ids(&value) })
}
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import META
from reviewer.rules.shared.lists import is_list
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

HELP = "Name the action that returns one full item, such as `item.get`."


def _is_known(project: Project) -> bool:
    """Return whether all actions are known."""
    tables = [*project.catalogs, *project.dispatches]
    return (
        (bool(project.overflows) or any(each.steps for each in project.budgets))
        and bool(tables)
        and not any(catalog.open for catalog in project.catalogs)
    )


@rule(Severity.ERROR, cites=("checklist §4",), when=_is_known, absent="nothing names an overflow action")
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each overflow action that is in no catalog and no dispatch."""
    rows = {str(action.name): action for catalog in project.catalogs for action in catalog.actions}
    arms = {str(arm.name) for dispatch in project.dispatches for arm in dispatch.arms}
    if not _is_known(project) or (not rows and any(dispatch.open for dispatch in project.dispatches)):
        return
    for name in project.overflows:
        row = rows.get(name)
        if row is not None and row.destructive is True:
            yield Flaw(name, f"`_overflow_action` names `{name}`, which is destructive", HELP)
        elif row is None and name not in arms | META:
            yield Flaw(name, f"`_overflow_action` names `{name}`, which is not an action of this server", HELP)
        elif is_list(Text(name.rpartition(".")[2], name.span)):
            yield Flaw(name, f"`_overflow_action` names `{name}`, which returns a list, not a full item", HELP)
    for step in (each for budget in project.budgets for each in budget.steps if each.own):
        yield Flaw(step.text, f"`_overflow_action` repeats the requested action: `{shorten_code(step.text)}`", HELP)
