"""Strings are sliced at character boundaries.

`&text[..100]` counts bytes. If the hundredth byte is inside a character, as it can be in any text that is not plain ASCII, the
slice panics: the call gets no answer, exactly for the inputs that were never tested.

Bad:

```rust
pub struct Kiln;

pub struct Firing {
    pub text: String,
}

#[tool_router]
impl Kiln {
    #[tool(description = "Note what was fired")]
    async fn note(&self, Parameters(firing): Parameters<Firing>) -> Result<CallToolResult, McpError> {
        let head = if firing.text.len() > 80 { &firing.text[..80] } else { &firing.text }; // flaw
        self.keep(head).await
    }
}
```

Good:

```rust
pub struct Kiln;

pub struct Firing {
    pub text: String,
}

#[tool_router]
impl Kiln {
    #[tool(description = "Note what was fired")]
    async fn note(&self, Parameters(firing): Parameters<Firing>) -> Result<CallToolResult, McpError> {
        let head: String = firing.text.chars().take(80).collect();
        self.keep(&head).await
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Use `chars().take(n)` or `floor_char_boundary(n)`, or find a boundary with `is_char_boundary`."


@rule(
    Severity.WARNING,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(fact: Handler | Server) -> Iterator[Flaw]:
    """Yield a finding for each text that is cut at a number of bytes, in a tool or in the code that receives all calls."""
    if isinstance(fact, Server):
        for act in fact.entry.cuts if fact.entry is not None else ():
            yield Flaw(act.text, f"`{shorten_code(act.text)}` panics if the index is inside a character", HELP)
        return
    for act in iter_acts(fact, "slices"):
        message = f"`{shorten_code(act.text)}` panics if the index is inside a character{format_way(act, fact)}"
        yield Flaw(act.text, message, HELP)
