"""The doc comment of a tool becomes its description.

`#[tool]` builds the description from the doc comments over the function, and starts again at every other attribute: comments
before `#[allow(..)]` or `#[instrument]` are silently dropped, and the model gets a tool without a description.

Bad:

```rust
#[tool_router]
impl Garden {
    /// List the beds of the garden.
    #[tool]
    #[allow(clippy::unused_async)] // flaw
    async fn beds(&self) -> String { String::new() }
}
```

Good:

```rust
#[tool_router]
impl Garden {
    #[allow(clippy::unused_async)]
    /// List the beds of the garden.
    #[tool]
    async fn beds(&self) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import RegistrationPitfall
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("checklist §9",),
    when=lambda fact: fact.trap == "documentation lost",
    absent="no doc comment is cut off by an attribute",
)
def check(fact: RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each tool whose documentation is cut off by an attribute."""
    cause = f"`{shorten_code(fact.cause)}`" if fact.cause is not None else "an attribute"
    yield Flaw(
        fact.span,
        f"tool `{fact.name}` has no description: {cause} between its doc comment and the function drops it",
        'Move the attribute above the doc comment, or write `#[tool(description = "..")]`.',
    )
