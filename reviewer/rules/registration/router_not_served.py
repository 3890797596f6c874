"""Every tool router is served.

`#[tool_router(router = name)]` creates a function `name()`; its tools are listed only if `#[tool_handler(router = ..)]` uses
it, or a router that is used is combined with it. Since rmcp 1.4 a bare `#[tool_handler]` uses only `Self::tool_router()`,
whatever the server keeps in its fields. A router that is left out compiles but lists nothing.

Bad:

```rust
#[tool_router(router = bed_tools)]
impl Garden {
    #[tool(description = "List the beds")]
    async fn beds(&self) -> String { String::new() }
}

#[tool_router(router = pond_tools)] // flaw
impl Garden {
    #[tool(description = "List the ponds")]
    async fn ponds(&self) -> String { String::new() }
}

#[tool_handler(router = Self::bed_tools())]
impl ServerHandler for Garden {}
```

Good:

```rust
#[tool_router(router = bed_tools)]
impl Garden {
    #[tool(description = "List the beds")]
    async fn beds(&self) -> String { String::new() }
}

#[tool_router(router = pond_tools)]
impl Garden {
    #[tool(description = "List the ponds")]
    async fn ponds(&self) -> String { String::new() }
}

#[tool_handler(router = Self::bed_tools() + Self::pond_tools())]
impl ServerHandler for Garden {}
```
"""

from collections.abc import Iterator

from reviewer.facts import RegistrationPitfall
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.WARNING,
    cites=("checklist §5",),
    when=lambda fact: fact.trap == "unserved",
    absent="no router is left out",
)
def check(fact: RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each router whose tools no handler lists."""
    yield Flaw(
        fact.name,
        f"the tools of router `{fact.name}` are never listed: no handler serves it",
        f"Serve it as well: `#[tool_handler(router = .. + Self::{fact.name}())]`.",
    )
