"""Tool failures are returned as results with `isError`, not as protocol errors.

A protocol error is for a call that could not be made: an unknown tool, invalid arguments. Many clients do not show it, and a
model that never sees it cannot try something else. The outcome of the work itself, including failures, belongs in a result with
`isError`.

Bad:

```rust
use rmcp::ErrorData as McpError;

pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self) -> Result<CallToolResult, McpError> {
        let log = self.burn().await.map_err(|e| McpError::internal_error(e.to_string(), None))?; // flaw
        Ok(CallToolResult::success(vec![Content::text(log)]))
    }
}
```

Good:

```rust
use rmcp::ErrorData as McpError;

pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self) -> Result<CallToolResult, McpError> {
        match self.burn().await {
            Ok(log) => Ok(CallToolResult::success(vec![Content::text(log)])),
            Err(e) => Ok(CallToolResult::error(vec![Content::text(e.to_string())])),
        }
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return the tool's own error or a result with `isError`; protocol errors are for calls that cannot be made."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    together: bool = declare_option(False, "Whether to report all tools of a project once, as one design choice.")
    any_code: bool = declare_option(
        False,
        "Whether to report errors whose code says that the call cannot be made, too.",
    )


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: error handling", "MCP 2026-07-28 server/tools, Error Handling"),
    absent="no tool's code was found",
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each protocol error that a tool returns for a failure of its own work."""
    for act in iter_acts(handler, "fails protocol"):
        yield Flaw(
            act.text,
            f"a tool failure is returned as a protocol error: `{shorten_code(act.text)}`{format_way(act, handler)}",
            HELP,
            cause="failures" if options.together else "",
        )
    for act in iter_acts(handler, "is protocol's") if options.any_code else ():
        yield Flaw(
            act.text,
            f"a tool creates a protocol error: `{shorten_code(act.text)}`{format_way(act, handler)}",
            HELP,
            cause="failures" if options.together else "",
        )
