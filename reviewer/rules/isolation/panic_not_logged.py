"""Caught panics and exceptions are logged.

The client gets a generic text, so the log is the only record of the bug. Panics have their own log target: monitoring of that
target must not miss a panic that a wrapper swallowed. A Python dispatcher logs the exception.

Bad:

```rust
async fn dispatch_tool(params: Value) -> Result<Value, ToolError> {
    match AssertUnwindSafe(actual_dispatch(params)).catch_unwind().await {
        Ok(result) => result,
        Err(_) => Err(ToolError::Internal { message: "tool handler panicked".into() }), // flaw
    }
}
```

Good:

```rust
async fn dispatch_tool(params: Value) -> Result<Value, ToolError> {
    match AssertUnwindSafe(actual_dispatch(params)).catch_unwind().await {
        Ok(result) => result,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import ErrorBoundary
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Opaque


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    level: str = declare_option("", "The required level of the log event for a panic; any if empty.")
    target: str = declare_option("panic", "The required target of the log event for a panic; any if empty.")
    loggers: bool = declare_option(False, "Whether the name of a Python logger counts as the log target.")


@rule(
    Severity.WARNING,
    cites=("checklist §8",),
    when=lambda error_boundary, _options: not error_boundary.in_handler,
    absent="nothing catches a panic or an exception of a handler",
)
def check(error_boundary: ErrorBoundary, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each caught panic that is not logged, or logged under another target."""
    if error_boundary.in_handler:
        return
    logger = f'logging.getLogger("{options.target}")' if options.loggers else "logger"
    is_panic = error_boundary.kind == "panic"
    event = f'`error!(target: "{options.target}", ..)`' if is_panic else f"`{logger}.exception(..)`"
    if error_boundary.log is None:
        yield Flaw(
            error_boundary.span,
            f"a caught {error_boundary.kind} is answered but not logged",
            f"Log it with {event} before the answer.",
        )
        return
    caught = "a caught panic" if is_panic else "any exception"
    is_named = is_panic or (options.loggers and error_boundary.target is not None)
    if (
        options.target
        and is_named
        and not isinstance(error_boundary.target, Opaque)
        and error_boundary.target != options.target
    ):
        named = f"under target `{error_boundary.target}`" if error_boundary.target is not None else "without a target"
        yield Flaw(
            error_boundary.log,
            f"`{shorten_code(error_boundary.log)}` logs {caught} {named}, not under `{options.target}`",
            f"Write {event}.",
        )
    elif options.level and error_boundary.level and error_boundary.level != options.level:
        yield Flaw(
            error_boundary.log,
            f"`{shorten_code(error_boundary.log)}` logs {caught} at level `{error_boundary.level}`, not `{options.level}`",
            f"Write {event}.",
        )
