"""The response guard shortens answers larger than 8 KB.

Agents and descriptions rely on one number. With a larger one, an answer takes up room that the conversation needs; with a much
smaller one, pages lose their texts for no reason.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 64 * 1024 {  // flaw
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8 * 1024 {
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    least: int = declare_option(8000, "Bytes that an answer may always have.")
    most: int = declare_option(8192, "Bytes above which an answer is to be stripped.")


@rule(
    Severity.WARNING,
    cites=("checklist §4",),
    when=lambda project, _: any(budget.measures for budget in project.budgets),
    absent="no response guard that measures answers",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each guard that strips answers from another size than 8 KB."""
    for budget in project.budgets:
        sizes = [each for each in budget.measures if not each.counts]
        if sizes and not any(options.least <= each.most <= options.most for each in sizes):
            first = sizes[0]
            yield Flaw(
                first.text,
                f"`{budget.guard.name}` strips answers above {first.most} bytes instead of {options.most}: "
                f"`{shorten_code(first.text)}`",
                f"Strip answers above {options.most} bytes.",
            )
