"""The response guard keeps ids, names, times and statuses, and strips long text.

With these fields an agent finds the item it wants and asks for it. Without the id it cannot continue; with the bodies left in,
the answer stays too large.

Bad:

```rust
const KEPT: &[&str] = &["name", "status"];

pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8192 {
        if let Some(map) = answer.as_object_mut() {
            map.retain(|key, _| KEPT.contains(&key.as_str()));  // flaw
        }
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```

Good:

```rust
const KEPT: &[&str] = &["id", "name", "status"];

pub fn respond(action: &str, value: Value) -> Value {
    let mut answer = value;
    if answer.to_string().len() > 8192 {
        if let Some(map) = answer.as_object_mut() {
            map.retain(|key, _| KEPT.contains(&key.as_str()));
        }
        answer["_overflow"] = json!(true);
        answer["_overflow_action"] = json!("item.get");
    }
    answer
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Keeping, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.truncation.large_text_untruncated import LARGE

KINDS = {
    "ids": frozenset("id ids uuid guid key slug".split()),
    "names": frozenset("name names title subject label".split()),
    "times": frozenset("at time date timestamp created updated modified on".split()),
    "statuses": frozenset("status state phase".split()),
}
"""What is kept, by the last word of its name; the names in `updated_at` and `state` are those of the domain types seen."""

LONG = frozenset({("label",), ("subject",), ("key",), ("slug",), ("on",)})
"""Words of such names that name a long text, or a part of something else, in as many servers."""

STRIPPED = frozenset(LARGE.split()) | {"description"}
"""What the checklist, §4, calls not essential: bodies, descriptions, raw payloads. A guard that keeps them hardly gets
smaller."""

HELP = "Keep ids, names, times and statuses; strip bodies, descriptions and raw payloads."


@rule(
    Severity.WARNING,
    cites=("checklist §4",),
    when=lambda project: any(budget.keepings for budget in project.budgets),
    absent="no response guard that chooses entries by lists of names",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each guard that removes essential fields, or keeps large ones."""
    fields = [str(part.name) for domain in project.domain_types if domain.given for part in domain.fields]
    for budget in project.budgets:
        for keeping in budget.keepings:
            said = _format_for_kept(keeping, fields) if keeping.keeps else _format_for_taken(keeping)
            if said:
                yield Flaw(keeping.text, f"`{budget.guard.name}` {said}: `{shorten_code(keeping.text)}`", HELP)


def _format_for_kept(keeping: Keeping, fields: list[str]) -> str:
    """Say what is wrong with what stays; of a kind that no type of the domain has nothing can be lost."""
    missing = [
        kind
        for kind in KINDS
        if not any(_names_kind(kind, each) for each in keeping.names)
        and (any(_names_kind(kind, each) for each in fields) or (kind == "ids" and not fields))
    ]
    named = any(_names_kind(kind, each) for kind in KINDS for each in keeping.names)
    if missing and (named or not keeping.names):  # a list of none of them is of a page, not of its entries
        return f"strips {' and '.join(missing)} from answers that are too large"
    large = [each for each in keeping.names if not STRIPPED.isdisjoint(split_words(each)[-1:])]
    return f"keeps `{'`, `'.join(large)}` in answers that are too large" if large else ""


def _format_for_taken(keeping: Keeping) -> str:
    lost = [
        each
        for each in keeping.names
        if any(_names_kind(kind, each) for kind in KINDS) and split_words(each)[-1:] not in LONG
    ]
    return f"strips `{'`, `'.join(lost)}` from answers that are too large" if lost else ""


def _names_kind(kind: str, name: str) -> bool:
    """Return whether a name ends with a word of a kind."""
    return not KINDS[kind].isdisjoint(split_words(name)[-1:])
