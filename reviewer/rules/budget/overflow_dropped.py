"""Clients are told when the response guard shortens an answer.

A guard that bounds a list returns two things: the list, and how much was left out, with a hint how to get it. A tool that uses
only the list returns two hundred of fourteen hundred items as if they were all. The same applies to an empty hint, and to a
total that counts only the items shown.

Bad:

```rust
pub struct ListKilns;

pub struct OverflowInfo { pub shown: usize, pub total: usize, pub hint: String }

fn cap(items: Vec<String>, hint: &str) -> (Vec<String>, Option<OverflowInfo>) {
    let total = items.len();
    if total <= 200 {
        return (items, None);
    }
    let kept: Vec<String> = items.into_iter().take(200).collect();
    let overflow = OverflowInfo { shown: kept.len(), total, hint: hint.to_owned() };
    (kept, Some(overflow))
}

#[async_trait]
impl Tool for ListKilns {
    fn name(&self) -> &str { "list_kilns" }
    fn description(&self) -> &str { "List the kilns of a town." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": { "town": { "type": "string" } } }) }
    async fn call(&self, input: Value) -> anyhow::Result<Value> {
        let (kilns, _) = cap(kilns_of(input["town"].as_str()).await?, "Narrow with town"); // flaw
        Ok(json!({ "kilns": kilns }))
    }
}

fn tools() -> Vec<Arc<dyn Tool>> { vec![Arc::new(ListKilns)] }
```

Good:

```rust
pub struct ListKilns;

pub struct OverflowInfo { pub shown: usize, pub total: usize, pub hint: String }

fn cap(items: Vec<String>, hint: &str) -> (Vec<String>, Option<OverflowInfo>) {
    let total = items.len();
    if total <= 200 {
        return (items, None);
    }
    let kept: Vec<String> = items.into_iter().take(200).collect();
    let overflow = OverflowInfo { shown: kept.len(), total, hint: hint.to_owned() };
    (kept, Some(overflow))
}

#[async_trait]
impl Tool for ListKilns {
    fn name(&self) -> &str { "list_kilns" }
    fn description(&self) -> &str { "List the kilns of a town." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": { "town": { "type": "string" } } }) }
    async fn call(&self, input: Value) -> anyhow::Result<Value> {
        let (kilns, overflow) = cap(kilns_of(input["town"].as_str()).await?, "Narrow with town");
        let mut answer = json!({ "kilns": kilns });
        if let Some(info) = overflow {
            answer["overflow"] = json!({ "shown": info.shown, "total": info.total, "hint": info.hint });
        }
        Ok(answer)
    }
}

fn tools() -> Vec<Arc<dyn Tool>> { vec![Arc::new(ListKilns)] }
```
"""

from collections.abc import Iterator

from reviewer.facts import Act, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Add the guard's overflow information to the answer: items shown, items in total, and a hint that names a parameter."


@rule(
    Severity.WARNING,
    cites=("Tool trait: bounded output",),
    when=lambda tool: tool.code is not None,
    absent="no tool's code was found",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool that drops what a guard reports about the rest."""
    for act in iter_acts(tool.code, "drops overflow", "says nothing of rest"):
        led = format_way(act, tool.code) if tool.code is not None else ""
        yield Flaw(act.text, f"{_format_said(act, tool)}: `{shorten_code(act.text)}`{led}", HELP, tool)


NOTHING = {
    "total": "the total counts only the items shown",
    "hint": "the overflow hint is empty",
    "rest": "a longer list is cut without saying so",
}
"""What is wrong with what a guard itself says of the rest."""


def _format_said(act: Act, tool: Tool) -> str:
    if act.kind == "says nothing of rest":
        return NOTHING[str(act.about)]
    if act.about == "list":
        return f"{tool.shown} returns the list that it passed to the guard, not the guard's result"
    if act.about == "kept":
        return f"{tool.shown} returns a list, and never uses the one that the guard shortened"
    if act.about is not None:
        return f"{tool.shown} drops `{act.about}` from the guard's overflow information"
    return f"{tool.shown} drops the guard's overflow information"
