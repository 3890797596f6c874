"""Every tool that is written is served.

A type that implements the tools' trait and is put into no list, or a module of decorated functions that nothing imports,
compiles, passes its tests and never shows up in `tools/list`. Nobody is told. What another tool calls, or code hands elsewhere,
is in use and not reported.

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

from reviewer.facts import Server, Stray, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text


def _gives_something(fact: Server | Stray) -> bool:
    return bool(fact.tools) if isinstance(fact, Server) else fact.trap == "unregistered"


def _is_lost(tool: Tool) -> bool:
    return any(each.never for each in tool.conditions)


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: registration", "authoring guidelines: registration"),
    when=_gives_something,
    absent="no tool is registered in the reviewed files",
)
def check(fact: Server | Stray) -> Iterator[Flaw]:
    """Look for tools that no list holds, and for modules of tools that no start of the server imports."""
    if isinstance(fact, Stray):
        message = f"`{fact.cause}` is tool `{fact.name}`, and nothing registers it"
        yield Flaw(fact.span, message, "Put it into the list of tools, or remove it.")
        return
    told: set[str] = set()
    for tool in fact.tools:
        if _is_lost(tool) and not all(map(_is_lost, fact.tools)) and tool.span.path not in told:
            told.add(tool.span.path)
            yield Flaw(
                tool.name if isinstance(tool.name, Text) else tool.span,
                f"{tool.shown} is declared in `{tool.span.path}`, which no entry point imports",
                "Import the module where the server is put together, or remove it.",
                tool,
            )
