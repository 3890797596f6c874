"""List pages have the shape `{ items, next_cursor, total }`.

An agent that has learned one list of a server knows them all: where the items are, whether there are more, and how many there
are in total. `total` and `next_cursor` may be null, but not absent. With a `next_cursor` that is always null, everything after
the first page stays undiscovered.

Bad:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let (items, next_cursor) = client.list(&params).await?;
            Ok(respond(action, json!({ "rows": items, "next_cursor": next_cursor, "total": null })))  // flaw
        }
        "item.get" => Ok(respond(action, client.get(&params).await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
pub fn respond(action: &str, value: Value) -> Value { value }

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let (items, next_cursor) = client.list(&params).await?;
            Ok(respond(action, json!({ "items": items, "next_cursor": next_cursor, "total": null })))
        }
        "item.get" => Ok(respond(action, client.get(&params).await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import AnswerPage, Project
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.lists import is_list
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

SHAPE = ("items", "next_cursor", "total")
"""The page of the checklist, §1: a key that is null says that there is no more, one that is missing says nothing."""

HELP = "Return `items`, `next_cursor` (null on the last page) and `total` (null if unknown)."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    verbs: tuple[str, ...] = declare_option(
        ("list", "search", "find"), "The words at the start or end of a name that mean a list."
    )


def _collect_lists(project: Project, options: Options) -> list[AnswerPage]:
    return [each for each in project.pages if _is_list(each, options)]


def _is_list(page: AnswerPage, options: Options) -> bool:
    return any(is_list(Text(part, page.text.span), options.verbs) for part in (page.action, page.action.split(".")[-1]))


@rule(
    Severity.WARNING,
    cites=("checklist §1",),
    when=lambda project, options: bool(_collect_lists(project, options)),
    absent="no list passes its page to a response guard",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each page whose shape differs from the expected one."""
    for page in _collect_lists(project, options):
        said = _format_said(page)
        if said:
            yield Flaw(page.text, f"`{page.action}` {said}: `{shorten_code(page.text)}`", HELP)


def _format_said(page: AnswerPage) -> str:
    if page.keys is None:
        return "returns a bare list"
    missing = [f"`{each}`" for each in SHAPE if each not in page.keys]
    if missing:
        return f"returns a page without {' and '.join(missing)}"
    return "returns a `next_cursor` that is always null" if "next_cursor" in page.empty else ""
