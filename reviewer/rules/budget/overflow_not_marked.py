"""Stripped answers set `_overflow` and name the action that returns the rest.

`_overflow: true` tells an agent that entries were removed; without it, the stripped record passes for the complete one.
`_overflow_action` names the next step.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8192 {
        answer["_overflow"] = json!(false);  // flaw
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8192 {
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```
"""

from collections.abc import Iterator

from reviewer.facts import AnswerBudget, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = (
    'Set `"_overflow": true` and `"_overflow_action"`, the action that returns one full item, in each stripped answer.'
)


@rule(
    Severity.WARNING,
    cites=("checklist §4",),
    when=lambda project: any(each.measures or each.marks or each.steps for each in project.budgets),
    absent="no response guard that strips answers",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each guard that strips answers without marking them."""
    for budget in project.budgets:
        yield from _iter_budget_flaws(budget)


def _iter_budget_flaws(budget: AnswerBudget) -> Iterator[Flaw]:
    sizes = [each.text for each in budget.measures if not each.counts]
    where = next((each.text for each in (*budget.marks, *budget.steps)), sizes[0] if sizes else None)
    if where is None:
        return
    for mark in budget.marks:
        if mark.known and mark.value is not True:
            yield Flaw(
                mark.text, f"`_overflow` is not true where an answer is stripped: `{shorten_code(mark.text)}`", HELP
            )
    for step in budget.steps:
        if step.known and not step.value:
            yield Flaw(step.text, f"`_overflow_action` names no action: `{shorten_code(step.text)}`", HELP)
    missing = [
        f"`{key}`" for key, there in (("_overflow", budget.marks), ("_overflow_action", budget.steps)) if not there
    ]
    if missing and budget.whole:
        yield Flaw(where, f"`{budget.guard.name}` strips answers but never sets {' and '.join(missing)}", HELP)
