"""Tool functions write the type of their arguments as `Parameters<T>`, not as an alias.

`#[tool]` finds the arguments by the word `Parameters` in the function's signature. Under another name (`use .. as P`, or a type
alias) the function still gets its arguments, but clients see the schema of a tool without any.

Bad:

```rust
use rmcp::handler::server::wrapper::Parameters as Arguments;

#[tool_router]
impl Garden {
    #[tool(description = "Show a bed")]
    async fn bed(&self, Arguments(bed): Arguments<Bed>) -> String { String::new() } // flaw
}

#[derive(Deserialize, JsonSchema)]
struct Bed { row: u32 }
```

Good:

```rust
use rmcp::handler::server::wrapper::Parameters;

#[tool_router]
impl Garden {
    #[tool(description = "Show a bed")]
    async fn bed(&self, Parameters(bed): Parameters<Bed>) -> String { String::new() }
}

#[derive(Deserialize, JsonSchema)]
struct Bed { row: u32 }
```
"""

from collections.abc import Iterator

from reviewer.facts import RegistrationPitfall
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda fact: fact.trap == "parameters aliased",
    absent="no tool takes `Parameters` under another name",
)
def check(fact: RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each tool whose arguments the SDK does not recognise behind a type alias."""
    yield Flaw(
        fact.span,
        f"tool `{fact.name}` is listed without parameters: `{shorten_code(fact.cause or '')}` is not written `Parameters<..>`",
        "Write `Parameters<T>`, with any path before it; the macro looks at the last segment only.",
    )
