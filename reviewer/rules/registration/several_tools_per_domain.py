"""Each domain is one tool, with its operations as actions.

Every tool adds its schema and description to every request. Ten tools for one domain cost ten times as much as one tool with an
`action` argument, and the model has to tell them apart.

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

from reviewer.facts import Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import takes_action
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.source import Text

VERBS = frozenset(
    "list get create update delete remove add set search find read write show fetch put patch start stop run send query "
    "count move copy rename archive restore edit insert upsert replace describe lookup download upload import export open "
    "close enable disable cancel restart assign unassign merge publish load save clear reset purge destroy modify make "
    "browse view retrieve store execute extract analyze analyse compare convert build generate validate verify check detect "
    "apply parse format compute calculate scan watch inspect resolve sync refresh fill empty complete finish begin pause resume "
    "approve reject submit accept decline register unregister attach detach link unlink lock unlock subscribe unsubscribe "
    "follow unfollow pin unpin mute unmute invite join leave render install uninstall upgrade deploy rollback commit push "
    "pull fork clone measure summarize translate classify recommend suggest explain ask answer give take confirm dismiss "
    "acknowledge snooze forget remember save select".split()
)
"""A name that begins so means an operation on the domain behind it: `list_items` is of `item`. A verb that is missing is taken
for a domain, so that two tools of one domain are not seen together."""

PASSED = frozenset("all a an the new my one many multiple bulk by".split())
"""Words between the verb and what it is done to."""


def _is_operation(tool: Tool) -> bool:
    """Return whether a tool is named after something done, or takes no action that could say it."""
    return not takes_action(tool) or (
        len(split_words(str(tool.name))) > 1 and bool(VERBS & set(split_words(str(tool.name))))
    )


def _get_domain(name: str) -> str:
    """Return the thing that a tool's name speaks of; none if the name is nothing but a verb."""
    parts = split_words(name)
    if parts[1:] and parts[1].isdigit():
        return parts[0] + parts[1]
    if parts and parts[0] in VERBS:
        things = [part for part in parts[1:] if part not in PASSED]
        return to_singular(things[0]) if things else ""
    return to_singular(parts[0]) if parts else name


def _collect_domains(server: Server) -> dict[str, list[Tool]]:
    domains = defaultdict(list)
    for tool in server.tools:
        if isinstance(tool.name, Text):
            domain = (
                str(tool.name) if not _is_operation(tool) and _get_domain(tool.name) == "" else _get_domain(tool.name)
            )
            domains[domain].append(tool)
    return domains


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda server: bool(server.tools),
    absent="no tool is registered in the reviewed files",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each group of tools of one server about the same domain."""
    for domain, found in _collect_domains(server).items():
        names = list(dict.fromkeys(tool.name for tool in found if isinstance(tool.name, Text)))
        extra = [tool.name for tool in found if _is_operation(tool) and isinstance(tool.name, Text)]
        if len(names) > 1 and extra:
            listed = ", ".join(f"`{name}`" for name in names[:4]) + (" and more" if len(names) > 4 else "")
            what = f"for the domain `{domain}`" if domain else "named after operations, not after a domain"
            yield Flaw(
                next((name for name in extra if to_singular(name) != domain), extra[0]),
                f"{len(names)} tools {what}: {listed}",
                "Register one tool named after the domain, with an `action` argument.",
            )
