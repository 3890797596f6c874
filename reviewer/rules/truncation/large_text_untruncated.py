"""A field that can hold a large text is marked for truncation.

One log or message body of some hundred kilobytes pushes the conversation out of the context window. A marked field is
replaced by a preview and the way to the whole.

Bad:

```rust
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];

#[derive(Serialize)]
pub struct Item {
    pub id: String,
    pub body: String, // flaw
}
```

Good:

```rust
pub const ACTIONS: &[ActionSpec] = &[ActionSpec { name: "item.get", description: "One item", destructive: false, params: &[] }];

#[derive(Serialize)]
pub struct Item {
    pub id: String,
    #[truncate]
    pub body: String,
}
```
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewer.facts import DomainType
from reviewer.facts import Field as DomainField
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import words

LARGE = [
    "body",
    "content",
    "text",
    "html",
    "markdown",
    "raw",
    "payload",
    "log",
    "logs",
    "output",
    "stdout",
    "stderr",
    "diff",
    "patch",
    "transcript",
    "snippet",
]
TEXTS = frozenset({"String", "&str", "&'static str", "Cow<'static, str>", "Box<str>", "Vec<u8>", "str", "bytes"})


INPUTS = frozenset("request params query input args arguments options config subscription command".split())


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    names: tuple[str, ...] = field(
        default=tuple(LARGE), metadata={"doc": "The last words of names of fields that hold large texts."}
    )


def _answers(domain: DomainType) -> bool:
    """Tell whether a type may be part of an answer: one named as an input is not."""
    return not INPUTS.intersection(words(domain.name)[-1:])


def _large(part: DomainField, options: Options) -> bool:
    parts = words(part.name)
    return part.type in TEXTS and bool(parts) and parts[-1] in options.names


@rule(
    Severity.WARNING,
    cites=("checklist §3",),
    when=lambda domain, options: _answers(domain) and any(_large(part, options) for part in domain.fields),
    absent="no serialized type has a field for large text",
)
def check(domain: DomainType, options: Options) -> Iterator[Flaw]:
    """Look for text fields with the name of something large and no bound."""
    for part in domain.fields:
        if _large(part, options) and not part.bounded:
            yield Flaw(
                part.span,
                f"field `{part.name}: {part.type}` >2KB potential, missing {domain.mark}",
                f"Mark the field with {domain.mark}, so that the answer carries a preview and the action that gives the whole.",
            )
