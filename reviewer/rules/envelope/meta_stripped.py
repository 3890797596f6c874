"""What the guard puts into `_meta` leaves with the answer.

A wrapper that takes `_meta` out before it returns undoes what the guard did: the client gets no request id.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { marked(action, value) }

fn to_text(mut value: Value) -> String {
    if let Some(object) = value.as_object_mut() {
        object.remove("_meta"); // flaw
    }
    value.to_string()
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { marked(action, value) }

fn to_text(value: Value) -> String {
    value.to_string()
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.facts.mends import Rewrite
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.mends import one
from reviewer.rules.words import clipped


@rule(
    Severity.ERROR,
    cites=("checklist §7",),
    when=lambda project: bool(project.guards),
    absent="no response guard",
    fixes=("unsafe",),
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for code that takes `_meta` out."""
    for strip in project.strips if project.guards else ():
        yield Flaw(
            strip,
            f"`_meta` is taken out of the answer: `{clipped(strip)}`",
            "Leave `_meta` in: it carries the request id to the client.",
            mend=one("take the statement away", Rewrite("drop statement", strip.span), safe=False),
        )
