"""A tool is named after the type that implements it, in snake_case.

People who see a call in a log look for the code by the tool's name. `struct ReadRope` behind `read_rope` is found at once;
behind `open_file` it takes a search through every implementation. A type that takes its name from elsewhere, as an adapter
does, is not checked, and a last word such as `Tool` is ignored.

Bad:

```rust
use serde_json::{Value, json};

pub struct ReadRope;

impl Tool for ReadRope {
    fn name(&self) -> &str { "open_file" } // flaw
    fn description(&self) -> &str { "Read what is known of a rope." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.rope().await }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(ReadRope)]
}
```

Good:

```rust
use serde_json::{Value, json};

pub struct ReadRope;

impl Tool for ReadRope {
    fn name(&self) -> &str { "read_rope" }
    fn description(&self) -> &str { "Read what is known of a rope." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> { context.rope().await }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(ReadRope)]
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.source import Text

BESIDE = frozenset({"tool", "handler", "mcp"})
"""Words of a type's name that only say what it is."""


def _format_said(name: str) -> str:
    kept = [word for word in split_words(name) if word not in BESIDE]
    return "".join(kept)


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: names",),
    when=lambda tool: isinstance(tool.type, Text) and isinstance(tool.name, Text),
    absent="no tool is a type with a name of its own",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool name that differs from the name of its type."""
    if isinstance(tool.name, Text) and tool.type is not None and _format_said(tool.name) != _format_said(tool.type):
        snake = "_".join(word for word in split_words(tool.type) if word not in BESIDE)
        yield Flaw(
            tool.name,
            f"{tool.shown} has the type `{tool.type}`, which suggests the name `{snake}`",
            "Use the same name for the type and the tool.",
        )
