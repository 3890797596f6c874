"""Previews of truncated text are long enough to be useful and end at a character boundary.

A preview above 500 characters costs what truncation is meant to save; one of a few words does not show whether the full text is
worth fetching. A slice by bytes panics if the limit falls inside a character.

Bad:

```rust
pub fn truncated(text: &str, action: &str, id: &str) -> Value {
    let preview: String = text.chars().take(2000).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": action, "full_params": { "id": id } }) // flaw
}
pub fn respond(action: &str, value: Value) -> Value { value }
```

Good:

```rust
pub fn truncated(text: &str, action: &str, id: &str) -> Value {
    let preview: String = text.chars().take(500).collect();
    json!({ "_truncated": true, "preview": preview, "full_action": action, "full_params": { "id": id } })
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

    longest: int = declare_option(500, "The most characters of a preview.")
    shortest: int = declare_option(40, "The fewest characters of a useful preview.")


@rule(Severity.WARNING, cites=("checklist §3",), absent="nothing builds a truncation envelope")
def check(envelope: Envelope, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each preview that is too long, too short, or cut inside a character."""
    said = _format_said(envelope, options)
    if said:
        yield Flaw(
            envelope.text,
            f"truncation envelope `{shorten_code(envelope.text)}` {said}",
            f"Cut the preview to between {options.shortest} and {options.longest} characters, not bytes: `chars().take(n)`.",
        )


def _format_said(envelope: Envelope, options: Options) -> str:
    if "preview" not in envelope.keys:
        return "has no `preview`"
    if envelope.whole is not None:
        return f"uses the full text as its preview: `{shorten_code(envelope.whole)}`"
    if envelope.preview is not None and envelope.preview > options.longest:
        return f"has a preview of {envelope.preview} characters, more than {options.longest}"
    if envelope.preview is not None and envelope.preview < options.shortest:
        return f"has a preview of {envelope.preview} characters, fewer than {options.shortest}"
    if envelope.split is not None:
        return f"slices its preview by bytes, which may panic inside a character: `{shorten_code(envelope.split)}`"
    return ""
