"""Error messages do not reveal absolute paths on the server.

An absolute path in an answer reveals the user name, the layout of the machine and places that no tool offers, also to an
attacker who controls the model. The path from the call tells the caller just as much.

Bad:

```rust
pub struct ReadPlan;

pub fn tools() -> Vec<Box<dyn Tool>> {
    vec![Box::new(ReadPlan)]
}

impl Tool for ReadPlan {
    fn name(&self) -> &str { "read_plan" }

    async fn call(&self, input: Value) -> Result<Value> {
        let name = require_str(&input, "name")?;
        let full_path = self.root.join(name);
        let text = read(&full_path).with_context(|| format!("cannot read {}", full_path.display()))?; // flaw
        Ok(json!(text))
    }
}
```

Good:

```rust
pub struct ReadPlan;

pub fn tools() -> Vec<Box<dyn Tool>> {
    vec![Box::new(ReadPlan)]
}

impl Tool for ReadPlan {
    fn name(&self) -> &str { "read_plan" }

    async fn call(&self, input: Value) -> Result<Value> {
        let name = require_str(&input, "name")?;
        let text = read(&self.root.join(name)).with_context(|| format!("cannot read {name}"))?;
        Ok(json!(text))
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Use the path from the call, or a path relative to the root; keep the absolute path for the log."


@rule(
    Severity.WARNING,
    cites=("Tool trait: error handling",),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each error that shows an absolute path or its whole chain of causes."""
    for act in iter_acts(handler, "leaks path"):
        yield Flaw(
            act.text,
            f"an error message contains an absolute path: `{shorten_code(act.text)}`{format_way(act, handler)}",
            HELP,
        )
