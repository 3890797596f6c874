"""Every `#[tool]` function is in a `#[tool_router]` impl block.

rmcp lists the `#[tool]` functions of impl blocks marked `#[tool_router]`, and no others. In a plain impl block the attribute
compiles and creates a function that is never called, and the tool never appears in `tools/list`.

Bad:

```rust
use rmcp::tool;

impl Garden {
    #[tool(description = "List the beds")]
    async fn beds(&self) -> String { String::new() } // flaw
}
```

Good:

```rust
use rmcp::{tool, tool_router};

#[tool_router]
impl Garden {
    #[tool(description = "List the beds")]
    async fn beds(&self) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import RegistrationPitfall
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.WARNING,
    cites=("checklist §5",),
    when=lambda fact: fact.trap == "unrouted",
    absent="no `#[tool]` function outside of a router",
)
def check(fact: RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each tool that no router collects."""
    block = f"impl {fact.cause}" if fact.cause is not None else "its impl block"
    yield Flaw(
        fact.name,
        f"tool `{fact.name}` is never listed: `{block}` has no `#[tool_router]`",
        "Mark the impl block `#[tool_router]`, or `#[tool_router(router = name)]` for a second one, and serve that router.",
    )
