"""Every `#[tool]` function is in a `#[tool_router]` impl block.

rmcp lists the `#[tool]` functions of the impl blocks marked `#[tool_router]`, and of no other. In a plain impl block the
attribute compiles, makes a function that nobody calls, and the tool never shows up in `tools/list`.

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
