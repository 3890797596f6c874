"""The action list in a description matches the catalog.

The list in a description is generated from the catalog. If it was edited by hand, or not regenerated, it advertises actions
that no longer exist and hides new ones.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "item.list", description: "List the items", destructive: false, params: &[] },
    ActionSpec { name: "item.get", description: "Give one", destructive: false, params: &[] },
];

#[tool_router]
impl Items {
    #[tool(name = "item", description = "item: Keep items.\\n- item.list: List the items\\n- item.fetch: Give one")] // flaw
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
    #[tool(name = "item", description = "item: Keep items.\\n- item.list: List the items\\n- item.get: Give one")]
    async fn item(&self, request: Parameters<Request>) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import Described, iter_described
from reviewer.rules.shared.words.catalog_lists import extract_first_line, says
from reviewer.rules.shared.words.identifiers import format_names, shorten_code
from reviewer.source import Text


@rule(
    Severity.WARNING,
    cites=("checklist §9",),
    when=lambda project: any(iter_described(project)),
    absent="no tool that takes an action has a catalog and a description that can be read",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each list in a text that differs from the catalog: missing names, extra names, other
    descriptions.
    """
    for each in iter_described(project):
        differences = list(_iter_differences(each)) if each.lists else []
        if differences:
            yield Flaw(
                each.text,
                f"description of `{each.tool.name}` differs from its catalog: {'; '.join(differences)}",
                "Regenerate the list from the catalog.",
            )


def _iter_differences(each: Described) -> Iterator[str]:
    found = each.told
    missing = [name for name in each.rows if name not in found.lines]
    if missing:
        yield f"{format_names(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    if found.strange and not each.open:
        yield f"{format_names(list(found.strange))} {'is' if len(found.strange) == 1 else 'are'} not in the catalog"
    for name, said in found.lines.items():
        row = each.rows[name].description
        if isinstance(row, Text) and row.strip() and not says(said, row):
            yield f"`{name}` reads `{shorten_code(extract_first_line(said), 40)}`, not `{shorten_code(row, 40)}`"
