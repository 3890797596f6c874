"""`full_action` names an existing action, and `full_params` the arguments that it accepts.

`full_action` and `full_params` describe the call that returns the full text. A name that no catalog has, or arguments that the
action does not take, lead an agent into an error, and the text is out of reach.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];
pub fn shortened(text: &str, id: &str) -> Value {
    let preview: String = text.chars().take(500).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": "item.text", "full_params": { "id": id } })  // flaw
}
pub fn respond(action: &str, value: Value) -> Value { value }
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];
pub fn shortened(text: &str, id: &str) -> Value {
    let preview: String = text.chars().take(500).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": "item.get", "full_params": { "id": id } })
}
pub fn respond(action: &str, value: Value) -> Value { value }
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.actions import META

HELP = "Name the action that returns the full text, with the arguments that it needs."


def _is_known(project: Project) -> bool:
    """Return whether all actions are known, and an envelope names one."""
    tables = [*project.catalogs, *project.dispatches]
    return bool(tables) and not any(each.open for each in project.catalogs) and any(project.envelopes)


@rule(Severity.ERROR, cites=("checklist §3",), when=_is_known, absent="no truncation envelope, or no catalog")
def check(project: Project) -> Iterator[Flaw]:
    """Look for envelopes whose action no catalog and no dispatch has."""
    rows = {str(action.name): action for catalog in project.catalogs for action in catalog.actions}
    arms = {str(arm.name) for dispatch in project.dispatches for arm in dispatch.arms}
    if not _is_known(project) or (not rows and any(dispatch.open for dispatch in project.dispatches)):
        return
    for envelope in project.envelopes:
        for name in envelope.actions:
            row = rows.get(name)
            if row is None and name not in arms | META:
                yield Flaw(name, f"`full_action` names `{name}`, which is not an action of this server", HELP)
            elif row is not None and row.destructive is True:
                yield Flaw(name, f"`full_action` names `{name}`, which is destructive", HELP)
            elif row is not None and envelope.params is not None and isinstance(row.parameters, tuple):
                needed = [each.name for each in row.parameters if each.required is True]
                missing = [str(each) for each in needed if each not in envelope.params]
                if missing:
                    said = "`, `".join(missing)
                    yield Flaw(envelope.text, f"`full_params` lacks `{said}`, which `{name}` needs", HELP)
