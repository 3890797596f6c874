"""Code acts on the result of every permission or validity check.

A function that only says whether something is allowed or valid, by a boolean or by a `Result`, and changes nothing, does
nothing at all if its result is ignored: every call goes on as if it were allowed.

Bad:

```rust
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};

pub struct Locks;

fn check_scope(gate: &str) -> Result<(), String> {
    if gate.starts_with("private/") {
        return Err("this gate is private".to_string());
    }
    Ok(())
}

#[tool_router]
impl Locks {
    #[tool(description = "Give the level of the water at a gate")]
    async fn level(&self, Parameters(gate): Parameters<Gate>) -> Result<String, String> {
        let _ = check_scope(&gate.name); // flaw
        std::fs::read_to_string(format!("levels/{}", gate.name)).map_err(|error| error.to_string())
    }
}
```

Good:

```rust
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};

pub struct Locks;

fn check_scope(gate: &str) -> Result<(), String> {
    if gate.starts_with("private/") {
        return Err("this gate is private".to_string());
    }
    Ok(())
}

#[tool_router]
impl Locks {
    #[tool(description = "Give the level of the water at a gate")]
    async fn level(&self, Parameters(gate): Parameters<Gate>) -> Result<String, String> {
        check_scope(&gate.name)?;
        std::fs::read_to_string(format!("levels/{}", gate.name)).map_err(|error| error.to_string())
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import find_reaching_tool, has_code
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Reject the call if the check fails: `check(..)?;` in Rust, `if not allowed(..): raise ..` in Python."


@rule(
    Severity.WARNING,
    cites=("CWE-252: unchecked return value", "Tool trait: error handling"),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each call of a check whose result is ignored."""
    for each in project.unread_checks:
        yield Flaw(
            each,
            f"`{shorten_code(each)}` only says whether something is allowed or valid, but its result is ignored",
            HELP,
            find_reaching_tool(project, each.span),
        )
