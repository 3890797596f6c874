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

from reviewer.facts import Stray
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.WARNING,
    cites=("checklist §5",),
    when=lambda stray: stray.trap == "unrouted",
    absent="no `#[tool]` function outside of a router",
)
def check(stray: Stray) -> Iterator[Flaw]:
    """Look for tools that no router collects."""
    block = f"impl {stray.cause}" if stray.cause is not None else "its impl block"
    yield Flaw(
        stray.name,
        f"tool `{stray.name}` is never listed: `{block}` has no `#[tool_router]`",
        "Mark the impl block `#[tool_router]`, or `#[tool_router(router = name)]` for a second one, and serve that router.",
    )
