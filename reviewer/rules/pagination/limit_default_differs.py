"""Page sizes default to 20 and are capped at 100.

An agent that has learned the page size of one list relies on it in the next. The one list that returns 50 by default, or up to
1000, is the one that fills the context window. Sizes that cannot be read from the source are not checked.

Bad:

```rust
pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let limit = params["limit"].as_u64().unwrap_or(50).min(500); // flaw
            Ok(respond(action, client.items(limit).await?))
        }
        "item.get" => Ok(respond(action, client.item().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```

Good:

```rust
const DEFAULT_LIMIT: u64 = 20;
const MAX_LIMIT: u64 = 100;

pub async fn run_with_client(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "item.list" => {
            let limit = params["limit"].as_u64().unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT);
            Ok(respond(action, client.items(limit).await?))
        }
        "item.get" => Ok(respond(action, client.item().await?)),
        unknown => Err(ToolError::UnknownAction(unknown.into())),
    }
}
```
"""

from collections.abc import Iterator
from functools import partial

from reviewer.facts import Limit
from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    default: int = declare_option(20, "The default page size.")
    cap: int = declare_option(100, "The maximum page size.")


def _has_numbers(limit: Limit, _options: Options) -> bool:
    return limit.default is not None or limit.cap is not None


@rule(
    Severity.WARNING,
    cites=("checklist §1",),
    when=_has_numbers,
    absent="no page size is bounded by numbers that can be read",
    fixes=("unsafe",),
)
def check(limit: Limit, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each default or maximum page size other than the expected one."""
    found = []
    if limit.default not in (None, 0, options.default):  # 0 stands for a size that is not known yet
        found.append(f"defaults to {limit.default} instead of {options.default}")
    if limit.cap not in (None, options.cap):
        found.append(f"is capped at {limit.cap} instead of {options.cap}")
    if found:
        yield Flaw(
            limit.text,
            f"`{limit.name}` {' and '.join(found)}: `{shorten_code(limit.text)}`",
            f"Default to {options.default} and clamp to {options.cap}.",
            fix_plan=partial(_fix_plan, limit, options),
        )


def _fix_plan(limit: Limit, options: Options) -> FixPlan:
    """Write the numbers that are asked for in the place of those that are written there."""
    wanted = ((limit.default, options.default), (limit.cap, options.cap))
    pairs = [(old, new) for old, new in wanted if old not in (None, 0, new)]
    rewrites = tuple(Rewrite("number", limit.text.span, (str(old),), new) for old, new in pairs)
    return FixPlan(f"write {' and '.join(str(new) for _, new in pairs)}", rewrites, safe=False)
