"""Tools with an `action` parameter are named after their domain.

An agent that knows the tool `parcel` finds the tool `courier`, its actions and its catalog by the same word. A name such as
`parcel_item_list` claims that the tool does one thing, and a name that no folder, catalog or action has explains nothing.

Bad:

```rust
pub struct ActionSpec { pub name: &'static str, pub description: &'static str, pub destructive: bool }

pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "lamp.list", description: "List the lamps", destructive: false },
    ActionSpec { name: "lamp.get", description: "Give one lamp", destructive: false },
];

fn tools() -> Vec<Tool> {
    vec![Tool::new("lamp_item_list", "lamp: Keep the lamps.", schema_for_type::<Request>())] // flaw
}

#[derive(Deserialize, JsonSchema)]
pub struct Request { action: String }

impl ServerHandler for Lamps {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, McpError> {
        Ok(ListToolsResult::with_all_items(tools()))
    }
}
```

Good:

```rust
pub struct ActionSpec { pub name: &'static str, pub description: &'static str, pub destructive: bool }

pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "lamp.list", description: "List the lamps", destructive: false },
    ActionSpec { name: "lamp.get", description: "Give one lamp", destructive: false },
];

fn tools() -> Vec<Tool> {
    vec![Tool::new("lamp", "lamp: Keep the lamps.", schema_for_type::<Request>())]
}

#[derive(Deserialize, JsonSchema)]
pub struct Request { action: String }

impl ServerHandler for Lamps {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, McpError> {
        Ok(ListToolsResult::with_all_items(tools()))
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import collect_domains, find_catalogs, is_named_after_part, iter_dispatching_tools
from reviewer.rules.shared.words.identifiers import format_names, split_words, to_singular
from reviewer.source import Text


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda project: bool(project.catalogs) and any(iter_dispatching_tools(project)),
    absent="no tool takes an action's name, or no catalog of actions was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each dispatching tool not named after its catalog's domain, or after any domain if it has no
    catalog.
    """
    taken = {str(tool.name) for tool in iter_dispatching_tools(project)}
    for tool in iter_dispatching_tools(project):
        own = find_catalogs(tool, project) or project.catalogs
        names = {name for catalog in own for name in collect_domains(catalog)}
        if not names or not isinstance(tool.name, Text) or any(map(is_named_after_part, own)):
            continue
        if _collect_key(str(tool.name)) not in set(map(_collect_key, names)):
            free = sorted(names - taken) or sorted(names)
            yield Flaw(
                tool.name,
                f"`{tool.name}` is not the name of a domain: its actions belong to {format_names(free)}",
                f"Name it `{free[0]}`." if len(free) == 1 else "Name it after its domain.",
            )


def _collect_key(name: str) -> tuple[str, ...]:
    return tuple(map(to_singular, split_words(name)))
