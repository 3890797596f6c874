"""Successful responses carry `_meta.request_id`.

The id connects an answer with the server's log. All answers pass the guard, so the guard is the place to set it.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { // flaw
    within_budget(action, value)
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value {
    let mut value = within_budget(action, value);
    value["_meta"] = json!({ "request_id": request_id() });
    value
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Guard
from reviewer.rules import Flaw, Severity, rule


@rule(Severity.ERROR, cites=("checklist §7",), absent="no response guard")
def check(guard: Guard) -> Iterator[Flaw]:
    """Yield a finding for each guard that does not set the request id."""
    if guard.unsigned:
        yield Flaw(
            guard.name,
            f"the response guard `{guard.name}` does not set `_meta.request_id`",
            'Set it in every successful response: `value["_meta"]["request_id"] = ..`.',
        )
