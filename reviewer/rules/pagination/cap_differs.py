"""Documented maximums match the limits in the code.

A schema that allows 500, a text that says 200 and code that caps at 100 make three promises and break two of them. A client
that asks for 500 gets 100 and takes them for all there are; or it never asks for the 500 it could have.

Bad:

```rust
use serde_json::{Value, json};

pub struct ListRopes;

impl Tool for ListRopes {
    fn name(&self) -> &str { "list_ropes" }
    fn description(&self) -> &str { "List the ropes." }
    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": { "limit": { "type": "integer", "description": "How many ropes (max 200)" } }
        })
    }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> {
        let limit = input["limit"].as_u64().unwrap_or(20).min(100); // flaw
        context.ropes(limit).await
    }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(ListRopes)]
}
```

Good:

```rust
use serde_json::{Value, json};

pub struct ListRopes;

impl Tool for ListRopes {
    fn name(&self) -> &str { "list_ropes" }
    fn description(&self) -> &str { "List the ropes." }
    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": { "limit": { "type": "integer", "description": "How many ropes (max 100)" } }
        })
    }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> {
        let limit = input["limit"].as_u64().unwrap_or(20).min(100);
        context.ropes(limit).await
    }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(ListRopes)]
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments, read
from reviewer.rules.shared.lists import SIZES, VERBS, is_list
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import (
    extract_description,
    find_told_maximum,
    find_told_page_size,
    read_maximum,
)

HELP = "Use the same maximum in the schema, the description and the code."


@rule(
    Severity.WARNING,
    cites=("protocol page R2",),
    when=lambda tool: bool(tool.arguments),
    absent="no tool takes an argument that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each maximum on which the code, the schema and the description disagree."""
    sizes = [part for part in iter_arguments(tool.arguments) if "_".join(split_words(part.name)) in SIZES]
    for part in iter_arguments(tool.arguments):
        said = tool.said if tool.said is not None and not part.description else None
        allowed, told = (
            read_maximum(part),
            find_told_maximum(part, extract_description(part, said) if said is not None else ""),
        )
        if allowed is not None and told is not None and allowed != told:
            at = said.span if said is not None else tool.place((*part.path, "description"))
            message = f"`{part.name}` of {tool.shown} has the maximum {told} in its description but"
            yield Flaw(at, f"{message} {allowed:g} in its schema", HELP, tool)
            continue
        if told is None and allowed is None and sizes == [part] and is_list(tool.name, VERBS):
            told = find_told_page_size(tool.said or "")
        most = told if allowed is None else allowed
        caps = [each for found in read(tool, part) for each in found.caps]
        if most is not None and caps and all(each.value != most for each in caps):
            yield Flaw(
                caps[0].text,
                f"`{part.name}` of {tool.shown} has the documented maximum {most:g} but is capped at {caps[0].value}: "
                f"`{shorten_code(caps[0].text)}`",
                HELP,
                tool,
            )
