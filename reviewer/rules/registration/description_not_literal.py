"""The description in `#[tool(..)]` is a string literal.

Since rmcp 0.2 the macro takes no string without `description =` before it, and up to 2.x no constant and no `concat!` behind
it: such code does not compile. Docs take expressions: `#[doc = include_str!("beds.md")]`.

Bad:

```rust
#[tool_router]
impl Garden {
    #[tool("List the beds")] // flaw
    async fn beds(&self) -> String { String::new() }
}
```

Good:

```rust
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
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.ERROR,
    cites=("checklist §9",),
    when=lambda fact: fact.trap == "description not literal",
    absent="no description that the macro rejects",
)
def check(fact: RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each description that does not compile."""
    yield Flaw(
        fact.span,
        f'the description of tool `{fact.name}` does not compile: `{shorten_code(fact.cause or "")}` is not `description = ".."`',
        'Write the text into the attribute, or `#[doc = include_str!("..")]` over the function.',
    )
