"""Long-running tools check for cancellation.

The client tells the server when it no longer waits for an answer. A tool that receives the cancellation token of its call and
waits iteration after iteration, or for one command after another, without checking it continues to work, and to use other
services, in vain.

Bad:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Wait until the kiln is hot")]
    async fn heat(&self, context: RequestContext<RoleServer>) -> Result<CallToolResult, McpError> {
        loop { // flaw
            if self.degrees().await > 1200 {
                return Ok(CallToolResult::success(vec![Content::text("hot")]));
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    }
}
```

Good:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Wait until the kiln is hot")]
    async fn heat(&self, context: RequestContext<RoleServer>) -> Result<CallToolResult, McpError> {
        loop {
            if self.degrees().await > 1200 {
                return Ok(CallToolResult::success(vec![Content::text("hot")]));
            }
            tokio::select! {
                () = context.ct.cancelled() => return Ok(CallToolResult::error(vec![Content::text("cancelled")])),
                () = tokio::time::sleep(Duration::from_secs(5)) => {}
            }
        }
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = (
    "Race each wait against the token: `select!` over `ct.cancelled()`, or `run_until_cancelled`. "
    "Pass a thread an event or the token, and check it in each iteration."
)


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R3", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each long piece of work that never checks for cancellation."""
    for act in iter_acts(handler, "ignores cancellation"):
        handed = f" although it receives `{shorten_code(act.about, 40)}`" if act.about is not None else ""
        yield Flaw(
            act.text,
            f"`{shorten_code(act.text, 40)}` continues after a cancellation{handed}{format_way(act, handler)}",
            HELP,
        )
