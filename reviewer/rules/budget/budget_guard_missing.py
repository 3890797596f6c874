"""Every answer goes through a guard that limits its size.

A model reads everything that a tool returns, and its context is limited. One place that measures every serialised answer, and
strips those that are too large, also protects against the one record that is unexpectedly large. A guard that is never called, or
whose result is not used, only looks like protection.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value {  // flaw
    let mut answer = value;
    answer["_meta"] = json!({ "action": action });
    answer
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8 * 1024 {
        if let Some(map) = answer.as_object_mut() {
            map.remove("body");
        }
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer["_meta"] = json!({ "action": action });
    answer
}
```
"""

from collections.abc import Iterator

from reviewer.facts import AnswerBudget, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Measure the serialised answer; above 8 KB, strip it and set `_overflow` and `_overflow_action`."


@rule(
    Severity.WARNING,
    cites=("checklist §4",),
    when=lambda project: bool(project.guards),
    absent="no function of the shape `respond(action, value)`",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each guard that does not shorten large answers."""
    for budget in project.budgets:
        yield from _iter_budget_flaws(budget)


def _iter_budget_flaws(budget: AnswerBudget) -> Iterator[Flaw]:
    name = budget.guard.name
    marked = [*budget.marks, *budget.steps]
    sizes = [each for each in budget.measures if not each.counts]
    if budget.unused is not None:
        yield Flaw(
            budget.unused,
            f"`{shorten_code(budget.unused)}` strips answers that are too large, but `{name}` ignores its result",
            "Return the stripped answer.",
        )
    elif budget.lost is not None:
        yield Flaw(
            budget.lost,
            f"`{shorten_code(budget.lost)}` marks an answer that `{name}` does not return",
            "Return the stripped answer.",
        )
    elif budget.turned is not None:
        yield Flaw(
            budget.turned, f"`{shorten_code(budget.turned)}` lets large answers through and strips small ones", HELP
        )
    elif budget.unstripped is not None and sizes:
        yield Flaw(
            budget.unstripped,
            f"`{name}` marks an answer as too large but returns all of it: `{shorten_code(budget.unstripped)}`",
            HELP,
        )
    elif budget.whole and not sizes and budget.measures:
        first = budget.measures[0].text
        yield Flaw(first, f"`{shorten_code(first)}` counts entries, not the size of the serialised answer", HELP)
    elif budget.whole and not sizes:
        does = "marks answers as too large but never measures them" if marked else "does not bound the size of answers"
        yield Flaw(name, f"`{name}` {does}", HELP)
