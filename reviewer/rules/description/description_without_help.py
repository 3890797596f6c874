"""Descriptions of tools with an `action` parameter list each action on its own line.

An agent that does not see the catalog has to spend a call on `help` before it can do anything, or guesses a name that does not
exist. The list that `help` returns costs a few dozen tokens and belongs in the description.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.list", description: "List the items", destructive: false, params: &[] },
    ActionSpec { name: "item.get", description: "Give one", destructive: false, params: &[] },
];

#[tool_router]
impl Items {
    #[tool(name = "item", description = "item: Keep the items of a list. Call {action:\\"help\\"} for more.")] // flaw
    async fn item(&self, request: Parameters<Request>) -> String { String::new() }
}
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.list", description: "List the items", destructive: false, params: &[] },
    ActionSpec { name: "item.get", description: "Give one", destructive: false, params: &[] },
];

#[tool_router]
impl Items {
    #[tool(name = "item", description = "item: Keep the items of a list.\\n- item.list: List the items\\n- item.get: Give one")]
    async fn item(&self, request: Parameters<Request>) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import iter_described
from reviewer.rules.shared.words.identifiers import format_names

HELP = "Include the output of `help`: a line `- name: description` for each action of the catalog."


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda project: any(iter_described(project)),
    absent="no tool that takes an action has a catalog and a description that can be read",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each description that does not list the actions of its catalog."""
    for each in iter_described(project):
        if each.lists:
            continue
        names = format_names(list(each.rows))
        if not each.told.named >= set(each.rows):
            yield Flaw(each.text, f"description of `{each.tool.name}` does not list its actions: {names}", HELP)
        elif each.has_lines:
            yield Flaw(
                each.text, f"description of `{each.tool.name}` names its actions without a line for each: {names}", HELP
            )
