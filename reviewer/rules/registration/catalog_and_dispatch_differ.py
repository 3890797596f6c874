"""The action catalog and the dispatcher list the same actions.

`help` shows the catalog, and the dispatcher does the work. An action without an arm is offered but refused; an arm without a
catalog entry is undocumented, and no rule that reads the catalog (paging, destructive actions) checks it.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.get", description: "Give one item", destructive: false, params: &[] },
    ActionSpec { name: "item.move", description: "Move an item", destructive: false, params: &[] }, // flaw
];

pub async fn run(action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, get(params).await?)),
        unknown => Err(ToolError::unknown(unknown)),
    }
}
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.get", description: "Give one item", destructive: false, params: &[] },
    ActionSpec { name: "item.move", description: "Move an item", destructive: false, params: &[] },
];

pub async fn run(action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.get" => Ok(respond(action, get(params).await?)),
        "item.move" => Ok(respond(action, relocate(params).await?)),
        unknown => Err(ToolError::unknown(unknown)),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Catalog, Dispatch, Handler, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import META, index_actions


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda project: bool(project.catalogs) and bool(project.dispatches),
    absent="no catalog of actions with a dispatch",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each name that only the catalog or only the dispatch has, unless the dispatch passes names on
    unread.
    """
    for catalog in project.catalogs:
        found = _collect_dispatches(catalog, project)
        if found and not any(dispatch.open for dispatch in found):
            names = _collect_answered_names(project, found)
            for name, action in index_actions((catalog,)).items():
                if name not in names:
                    where = ", ".join(f"`{dispatch.name}`" for dispatch in found[:2])
                    yield Flaw(
                        action.name,
                        f"action `{name}` has no arm in {where}",
                        "Add the arm, or remove the action from the catalog.",
                    )
    for dispatch in project.dispatches:
        tables = [catalog for catalog in project.catalogs if _is_shared(catalog, dispatch)]
        if tables and not any(catalog.open for catalog in tables):
            written = _write(project, tables)
            for arm in _collect_arms(dispatch):
                if arm.name not in written:
                    yield Flaw(
                        arm.name,
                        f"`{dispatch.name}` handles `{arm.name}`, which is in no catalog",
                        "Add it to the catalog.",
                    )


def _collect_arms(dispatch: Dispatch) -> list[Handler]:
    return [arm for arm in dispatch.arms if arm.name not in META]


def _is_shared(catalog: Catalog, dispatch: Dispatch) -> bool:
    """Return whether a dispatch is one of a catalog's: it answers an action of it, and of the same domain if names repeat."""
    return bool(index_actions((catalog,)).keys() & {str(arm.name) for arm in _collect_arms(dispatch)})


def _collect_dispatches(catalog: Catalog, project: Project) -> list[Dispatch]:
    shared = [dispatch for dispatch in project.dispatches if _is_shared(catalog, dispatch)]
    beside = [each for each in shared if each.domain == catalog.domain]
    return beside if beside and not _is_dotted(catalog) else shared


def _is_dotted(catalog: Catalog) -> bool:
    """Return whether the names of a catalog say themselves what they are for."""
    return all("." in name for name in index_actions((catalog,)))


def _collect_answered_names(project: Project, dispatches: list[Dispatch]) -> set[str]:
    """Return the names that are answered: anywhere in the project if they say what they are for, else in these dispatches."""
    everywhere = {str(arm.name) for dispatch in project.dispatches for arm in dispatch.arms}
    return {name for name in everywhere if "." in name} | {str(arm.name) for each in dispatches for arm in each.arms}


def _write(project: Project, tables: list[Catalog]) -> set[str]:
    return {name for name in index_actions(project.catalogs) if "." in name} | index_actions(tuple(tables)).keys()
