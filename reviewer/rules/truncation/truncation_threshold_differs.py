"""Text longer than 2 KB is replaced by a preview.

With a higher threshold, one text takes the room of ten previews; with a low one, an agent has to make another call for each
short note.

Bad:

```rust
pub fn shortened(text: &str, id: &str) -> Value {
    if text.len() <= 64 * 1024 {  // flaw
        return json!(text);
    }
    let preview: String = text.chars().take(500).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": "item.get", "full_params": { "id": id } })
}
pub fn respond(action: &str, value: Value) -> Value { value }
```

Good:

```rust
pub fn shortened(text: &str, id: &str) -> Value {
    if text.len() <= 2048 {
        return json!(text);
    }
    let preview: String = text.chars().take(500).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": "item.get", "full_params": { "id": id } })
}
pub fn respond(action: &str, value: Value) -> Value { value }
```
"""

from collections.abc import Iterator

from reviewer.facts import Envelope
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    least: int = declare_option(2000, "Bytes that a text may always have.")
    most: int = declare_option(2049, "The fewest bytes of a text that is replaced.")


@rule(Severity.WARNING, cites=("checklist §3",), absent="nothing builds a truncation envelope")
def check(envelope: Envelope, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each text that is truncated from another size than the expected one."""
    if envelope.threshold is not None:
        size, test = envelope.threshold
        if not options.least <= size <= options.most:
            yield Flaw(
                test,
                f"texts are replaced by a preview above {size} bytes instead of 2048: `{shorten_code(test)}`",
                "Use a threshold of 2048 bytes.",
            )
