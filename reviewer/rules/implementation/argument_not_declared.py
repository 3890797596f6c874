"""Tools read only arguments that their schema declares.

Clients know a tool's arguments only from its input schema. They never send an argument that is not declared, unless a model
guesses its name, and clients that validate arguments against the schema reject the call. Usually the argument has a different
name in one of the two places.

Bad:

```rust
use serde_json::{Value, json};

pub struct FindRope;

impl Tool for FindRope {
    fn name(&self) -> &str { "find_rope" }
    fn description(&self) -> &str { "Find the ropes of a length." }
    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": { "length": { "type": "integer" } } })
    }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> {
        let metres = input["metres"].as_u64(); // flaw
        context.ropes(metres).await
    }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(FindRope)]
}
```

Good:

```rust
use serde_json::{Value, json};

pub struct FindRope;

impl Tool for FindRope {
    fn name(&self) -> &str { "find_rope" }
    fn description(&self) -> &str { "Find the ropes of a length." }
    fn input_schema(&self) -> Value {
        json!({ "type": "object", "properties": { "length": { "type": "integer" } } })
    }
    async fn call(&self, input: Value, context: &ToolContext) -> anyhow::Result<Value> {
        let metres = input["length"].as_u64();
        context.ropes(metres).await
    }
}

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(FindRope)]
}
```

What is read in the stead of a declared argument, as one of several spellings that are let pass, is not reported unless the
profile asks for it.
"""

from collections.abc import Iterator

from reviewer.facts import ArgumentUse, Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import (
    collect_declared_names,
    collect_uses,
    index_readers,
    is_spelling_of_any,
)
from reviewer.source import Span

HELP = "Declare it in the input schema, or read the declared name."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    aliases: bool = declare_option(
        False, "Whether to report a name that is read only as an alternative to a declared one."
    )
    shared: bool = declare_option(
        False, "Whether to report a name that a shared helper reads if another tool declares it."
    )


def _is_counted(read: ArgumentUse, names: frozenset[str], options: Options) -> bool:
    if read.name in names:
        return False
    alias = bool(names & set(read.among)) or is_spelling_of_any(read.name, names)
    return options.aliases or not alias


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do", "MCP 2026-07-28 server/tools"),
    when=lambda server, options: any(
        collect_uses(tool) and collect_declared_names(tool) is not None for tool in server.tools
    ),
    absent="no tool's code reads arguments by their names",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each argument that is read but not declared."""
    places: dict[Span, list[Tool]] = {}
    for tool in server.tools:
        names = collect_declared_names(tool)
        told: set[str] = set()
        for read in collect_uses(tool) if names is not None else ():
            if names is None or not _is_counted(read, names, options) or read.name in told:
                continue
            places = places or index_readers(server)
            others = [each for each in places[read.name.span] if read.name in (collect_declared_names(each) or ())]
            told.add(read.name)
            if read.idle:
                continue  # a field that no code looks at: whoever declares it promises what is not done
            if options.shared or not others:
                yield Flaw(
                    read.name, f"{tool.shown} reads `{read.name}`, which its input schema does not declare", HELP, tool
                )
