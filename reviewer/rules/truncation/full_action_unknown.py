"""A truncated field's `full_action` exists and accepts its `full_params`.

`full_action` and `full_params` describe the call that returns the full text; the mark of a field may name it, too. A name that no
catalog has, or arguments that the action does not take, lead an agent into an error, and the text is out of reach.

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
from reviewer.rules.shared.actions import META
from reviewer.source import Text

HELP = "Name the action that returns the full text, with the arguments that it needs."


def _is_known(project: Project) -> bool:
    """Return whether all actions are known, and an envelope names one."""
    tables = [*project.catalogs, *project.dispatches]
    named = any(project.envelopes) or any(True for _ in _iter_marks(project))
    return bool(tables) and not any(each.open for each in project.catalogs) and named


def _iter_marks(project: Project) -> Iterator[Text]:
    """Yield the actions that marks of fields name."""
    parts = (part for domain in project.domain_types for part in domain.fields if domain.given)
    return (part.full_action for part in parts if part.full_action is not None)


@rule(Severity.ERROR, cites=("checklist §3",), when=_is_known, absent="no truncation envelope, or no catalog")
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each envelope whose action is in no catalog and no dispatch."""
    rows = {str(action.name): action for catalog in project.catalogs for action in catalog.actions}
    arms = {str(arm.name) for dispatch in project.dispatches for arm in dispatch.arms}
    if not _is_known(project) or (not rows and any(dispatch.open for dispatch in project.dispatches)):
        return
    known = rows.keys() | arms | META
    for name in _iter_marks(project):
        if name not in known:
            yield Flaw(name, f"`full_action` names `{name}`, which is not an action of this server", HELP)
    for envelope in project.envelopes:
        for name in envelope.actions:
            row = rows.get(name)
            if name not in known:
                yield Flaw(name, f"`full_action` names `{name}`, which is not an action of this server", HELP)
            elif row is not None and row.destructive is True:
                yield Flaw(name, f"`full_action` names `{name}`, which is destructive", HELP)
            elif row is not None and envelope.params is not None and isinstance(row.parameters, tuple):
                needed = [each.name for each in row.parameters if each.required is True]
                missing = [str(each) for each in needed if each not in envelope.params]
                if missing:
                    said = "`, `".join(missing)
                    yield Flaw(envelope.text, f"`full_params` lacks `{said}`, which `{name}` needs", HELP)
