"""The arguments of a tool are an object.

The protocol demands `type: object` at the root of an input schema. Enums, newtypes, options, lists and `()` have none: rmcp
panics over them since 1.8 when the router is made, and ships a schema that clients reject before.

Bad:

```rust
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "action")]
enum Order { Dig { row: u32 }, Water }

#[tool_router]
impl Garden {
    #[tool(description = "Carry out an order")]
    async fn order(&self, Parameters(order): Parameters<Order>) -> String { String::new() } // flaw
}
```

Good:

```rust
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "action")]
enum Order { Dig { row: u32 }, Water }

#[derive(Deserialize, JsonSchema)]
struct Orders {
    #[serde(flatten)]
    order: Order,
}

#[tool_router]
impl Garden {
    #[tool(description = "Carry out an order")]
    async fn order(&self, Parameters(orders): Parameters<Orders>) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Stray
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped


@rule(
    Severity.ERROR,
    cites=("checklist §5", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda stray: stray.trap == "root no object",
    absent="no tool whose arguments are something else than an object",
)
def check(stray: Stray) -> Iterator[Flaw]:
    """Look for arguments that are no object."""
    yield Flaw(
        stray.span,
        f"the schema of `{clipped(stray.cause or '')}`, which tool `{stray.name}` takes, is not of `type: object` at its root",
        "Take a struct with named fields; put an enum into it with `#[serde(flatten)]`. A tool without arguments takes none.",
    )
