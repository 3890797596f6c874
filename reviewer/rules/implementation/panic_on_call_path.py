"""No tool input can make the server panic.

A panic leaves the call without an answer, and if nothing catches it, it ends the task or the entire process: one call with an
unusual argument ends the session. Anything that depends on input or external state can be returned as an error instead. Calls
of `sys.exit()` and `std::process::exit()` in a tool have the same effect; a profile may include them.

Bad:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self, Parameters(plan): Parameters<Plan>) -> Result<CallToolResult, McpError> {
        let minutes: u32 = plan.minutes.parse().unwrap(); // flaw
        self.burn(minutes).await
    }
}
```

Good:

```rust
pub struct Kiln;

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self, Parameters(plan): Parameters<Plan>) -> Result<CallToolResult, McpError> {
        let Ok(minutes) = plan.minutes.parse::<u32>() else {
            return Ok(CallToolResult::error(vec![Content::text("`minutes` is no number")]));
        };
        self.burn(minutes).await
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

EXITS = "Raise or return an error instead: the client then gets an error, and the server keeps running."

HELP = "Return an error that says what was wrong: `let .. else`, `ok_or_else(..)?` or a `match`."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    unsure: bool = declare_option(
        False, "Whether to report panics that no argument or external input is known to cause."
    )
    faults: bool = declare_option(
        False, "Whether to report panics that only a bug in the program causes: a poisoned lock, a failed assertion."
    )
    exits: bool = declare_option(False, "Whether to report calls that end the server process: `sys.exit()`.")


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each place that panics for some input."""
    for act in iter_acts(handler, "panics"):
        if act.about is not None or options.unsure:
            message = f"`{shorten_code(act.text)}` may panic{format_cause(act)}{format_way(act, handler)}"
            yield Flaw(act.text, message, HELP)
    for act in iter_acts(handler, "panics by fault") if options.faults else ():
        message = f"`{shorten_code(act.text)}` panics on a bug in the program{format_way(act, handler)}"
        yield Flaw(act.text, message, HELP, cause=f"faults {act.text.span.path}")
    for act in iter_acts(handler, "ends server") if options.exits else ():
        message = f"`{shorten_code(act.text)}` ends the server for all its clients{format_way(act, handler)}"
        yield Flaw(act.text, message, EXITS)
