"""Indices are checked before they are used.

`list[n]` out of bounds is a panic, and a panic is a call without an answer. Code cannot rely on the length of a list that a
client sends, or on the position that it asks for.

Bad:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Give one step of a firing plan")]
    async fn step(&self, Parameters(asked): Parameters<Asked>) -> Result<CallToolResult, McpError> {
        let words: Vec<&str> = asked.range.split('-').collect();
        self.between(words[0], words[1]) // flaw
    }
}
```

Good:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Give one step of a firing plan")]
    async fn step(&self, Parameters(asked): Parameters<Asked>) -> Result<CallToolResult, McpError> {
        let Some((first, last)) = asked.range.split_once('-') else {
            return Ok(CallToolResult::error(vec![Content::text("`range` is written as `first-last`")]));
        };
        self.between(first, last)
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.handler_effects import format_cause, format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Use `.get(..)` and return an error if there is no such element, or check the length first."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    unsure: bool = declare_option(
        False, "Whether to report an index into a list that is not known to depend on the call's arguments."
    )


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each index whose range is never checked."""
    for act in iter_acts(handler, "indexes"):
        if act.about is not None or options.unsure:
            yield Flaw(
                act.text,
                f"`{shorten_code(act.text)}` may be out of bounds{format_cause(act)}{format_way(act, handler)}",
                HELP,
            )
