"""Truncation envelopes say how to fetch the full text.

A large text is replaced by a preview and a reference to the rest: the action that returns the full text (`full_action`) and its
arguments (`full_params`). Without both, an agent has a fragment and no next step. `_truncated` must be exactly true: an agent
recognises the envelope by it.

Bad:

```rust
pub fn truncated(text: &str) -> Value {
    json!({ "_truncated": true, "preview": text.chars().take(500).collect::<String>() }) // flaw
}
pub fn respond(action: &str, value: Value) -> Value { value }
```

Good:

```rust
pub fn truncated(text: &str, action: &str, id: &str) -> Value {
    json!({
        "_truncated": true,
        "preview": text.chars().take(500).collect::<String>(),
        "full_action": action,
        "full_params": { "id": id },
    })
}
pub fn respond(action: &str, value: Value) -> Value { value }
```
"""

from collections.abc import Iterator

from reviewer.facts import Envelope
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

NEEDED = ("full_action", "full_params")
"""The checklist, §3: without both no client can ask for the whole text."""


@rule(Severity.ERROR, cites=("checklist §3",), absent="nothing builds a truncation envelope")
def check(envelope: Envelope) -> Iterator[Flaw]:
    """Yield a finding for each truncation envelope that does not say how to get the whole text."""
    missing = [f"`{key}`" for key in NEEDED if key not in envelope.keys]
    if missing:
        yield Flaw(
            envelope.text,
            f"truncation envelope `{shorten_code(envelope.text)}` lacks {' and '.join(missing)}",
            "Name the action that returns the full text in `full_action`, and its arguments in `full_params`.",
        )
    elif envelope.mark:
        yield Flaw(
            envelope.text,
            f"truncation envelope `{shorten_code(envelope.text)}` has {envelope.mark} under `_truncated` instead of true",
            "Set `_truncated` to true: it tells an agent that this is an envelope, not an ordinary object.",
        )
