"""Fields that can hold long text are marked for truncation in the catalog.

A single log or message body of some hundred kilobytes pushes the conversation out of the context window. A marked field is
replaced by a preview and a reference to the full text.

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
from pathlib import PurePosixPath

from reviewer.facts import DomainField, DomainType, Project
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import split_words

LARGE = (
    "body content text html markdown raw payload log logs output stdout stderr diff patch transcript snippet notes readme "
    "changelog traceback backtrace stacktrace dump"
)
"""Last words of fields that hold what somebody wrote, or a program printed: more than 2 KB as often as not."""

FURTHER = "description report article document details instructions"
"""Such fields are as often a line: they count where a project has a guard, and so cares how large its answers are."""

TEXTS = frozenset({"String", "&str", "&'static str", "Cow<'static, str>", "Box<str>", "Vec<u8>", "str", "bytes"})
"""Types that hold any text, as both languages write them.

A type of the project does not tell by its name how long it is.
"""

INPUTS = frozenset(
    "request params query input args arguments options config subscription command payload draft".split()
)
"""What a type, or its file, is called that comes from the client: nothing of it is answered."""

ASKING = frozenset("create update new send post put edit patch set add delete upload".split())
"""What the name of a type begins with that asks for a change: `CreateNote` comes from the client."""

OUTCOMES = frozenset("result response output answer reply".split())
"""What takes that back: `CreateNoteResponse` is answered."""

SPECS = frozenset("spec schema definition tool param parameter error".split())
"""Types whose `description` or `details` is the author's own line of text, as in the catalog of actions."""

SHORT = frozenset("alt button confirmation error flair help hint label link placeholder short status title".split())
"""Words before such a name that make it a line of text, no document."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    names: tuple[str, ...] = declare_option(
        tuple(LARGE.split()), "Last words of field names that indicate a large text."
    )
    further: tuple[str, ...] = declare_option(
        tuple(FURTHER.split()), "Further such words, for projects with a response guard."
    )


def _answers(domain: DomainType) -> bool:
    """Return whether a type may be part of an answer: one that is named or filed as an input is not, as `CreateNote`."""
    parts = split_words(domain.name)
    inputs = INPUTS.intersection((*parts[-1:], *split_words(PurePosixPath(domain.span.path).stem)[-1:]))
    asks = len(parts) > 1 and parts[0] in ASKING and parts[-1] not in OUTCOMES
    return not inputs and not asks


def _iter_fields(project: Project, options: Options) -> Iterator[tuple[DomainType, DomainField]]:
    """Yield the fields that can hold a large text."""
    for domain in project.domain_types:
        kind = split_words(domain.name)[-1:]
        known = {*options.names, *(options.further if project.guards and not SPECS.intersection(kind) else ())}
        for part in domain.fields if _answers(domain) else ():
            parts = split_words(part.name)
            if part.type in TEXTS and known.intersection(parts[-1:]) and not SHORT.intersection(parts[:-1]):
                if domain.given:
                    yield domain, part


@rule(
    Severity.WARNING,
    cites=("checklist §3",),
    when=lambda project, options: any(True for _ in _iter_fields(project, options)),
    absent="no serialized type has a field for large text",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each text field that by its name may be large and is not truncated."""
    for domain, part in _iter_fields(project, options):
        if not part.bounded:
            yield Flaw(
                part.span,
                f"field `{part.name}: {part.type}` >2KB potential, missing {domain.mark}",
                f"Mark the field with {domain.mark}: the answer then has a preview and the action that returns the full text.",
            )
