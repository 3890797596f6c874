"""Every tool in the source is registered.

A type that implements the tool trait but is in no list, or a module of decorated functions that nothing imports, compiles,
passes its tests and silently never appears in `tools/list`. Tools that another tool calls, or that code passes elsewhere, are
in use and not reported.

Bad:

```rust
use serde_json::{Value, json};

pub struct CountRopes;

impl Tool for CountRopes {
    fn name(&self) -> &str { "count_ropes" }
    fn description(&self) -> &str { "Count the ropes." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.count().await }
}

pub struct SpliceRopes;

impl Tool for SpliceRopes { // flaw
    fn name(&self) -> &str { "splice_ropes" }
    fn description(&self) -> &str { "Splice two ropes." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.splice().await }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(CountRopes)]
}
```

Good:

```rust
use serde_json::{Value, json};

pub struct CountRopes;

impl Tool for CountRopes {
    fn name(&self) -> &str { "count_ropes" }
    fn description(&self) -> &str { "Count the ropes." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.count().await }
}

pub struct SpliceRopes;

impl Tool for SpliceRopes {
    fn name(&self) -> &str { "splice_ropes" }
    fn description(&self) -> &str { "Splice two ropes." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.splice().await }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(CountRopes), Arc::new(SpliceRopes)]
}
```
"""

from collections.abc import Iterator

from reviewer.facts import RegistrationPitfall, Server
from reviewer.rules import Flaw, Severity, rule

TRAPS = ("unregistered", "never imported")
"""The pitfalls by which a tool is written and never served; the others are about tools that are."""


def _gives_something(fact: Server | RegistrationPitfall) -> bool:
    return bool(fact.tools) if isinstance(fact, Server) else fact.trap in TRAPS


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: registration", "authoring guidelines: registration"),
    when=_gives_something,
    absent="no tool is registered in the reviewed files",
)
def check(fact: Server | RegistrationPitfall) -> Iterator[Flaw]:
    """Yield a finding for each tool that is in no list, and for each module of tools that is never imported at start."""
    if isinstance(fact, Server):
        return
    if fact.trap == "unregistered":
        message = f"`{fact.cause}` is tool `{fact.name}`, but no code registers it"
        yield Flaw(fact.span, message, "Add it to the list of tools, or remove it.")
        return
    shown = f"tool `{fact.name}`" if fact.name.strip() else "a tool"
    message = f"{shown} is declared in `{fact.cause}`, which no entry point imports"
    yield Flaw(fact.span, message, "Import the module where the server is assembled, or remove it.")
