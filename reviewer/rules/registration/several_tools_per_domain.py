"""A domain is one tool, and its operations are actions of that tool.

Every tool costs its schema and description in every request. Ten tools for one domain cost ten times what one tool with an
`action` argument does, and the model has to tell them apart.

Bad:

```rust
#[tool_router]
impl Items {
    #[tool(name = "item_list", description = "List items")] // flaw
    async fn list(&self) -> String { String::new() }

    #[tool(name = "item_get", description = "One item")]
    async fn get(&self) -> String { String::new() }
}
```

Good:

```rust
#[tool_router]
impl Items {
    #[tool(name = "item", description = "Items: list, get")]
    async fn item(&self, request: Parameters<Request>) -> String { String::new() }
}
```
"""

from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import words
from reviewer.source import Text

VERBS = frozenset(
    [
        "list",
        "get",
        "create",
        "update",
        "delete",
        "remove",
        "add",
        "set",
        "search",
        "find",
        "read",
        "write",
        "show",
        "fetch",
        "put",
        "patch",
        "start",
        "stop",
        "run",
        "send",
    ]
)


def _domain(name: str) -> str:
    parts = words(name)
    if len(parts) > 1 and parts[0] in VERBS:
        return parts[-1].removesuffix("s")
    return parts[0].removesuffix("s") if parts else name


def _domains(server: Server) -> dict[str, list[Text]]:
    domains = defaultdict(list)
    for tool in server.tools:
        if isinstance(tool.name, Text):
            domains[_domain(tool.name)].append(tool.name)
    return domains


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda server: bool(server.tools),
    absent="no tool is registered in the reviewed files",
)
def check(server: Server) -> Iterator[Flaw]:
    """Look for tools of one server that speak of the same thing."""
    for domain, names in _domains(server).items():
        if len(set(names)) > 1:
            listed = ", ".join(f"`{name}`" for name in names[:4]) + (" and more" if len(names) > 4 else "")
            yield Flaw(
                names[0],
                f"{len(names)} tools for the domain `{domain}`: {listed}",
                "Register one tool named after the domain, with an `action` argument.",
            )
