"""The dispatcher catches panics in tool handlers.

rmcp runs each call in a task of its own and drops the task's result: after a panic the process lives on, and the client
waits for ever for this one answer. A wrapper turns the panic into an error that the client gets. With `panic = "abort"` in the
release profile a panic ends the process, wrapper or not; that is a choice, which only strict profiles report.

Bad:

```rust
#[derive(Deserialize, JsonSchema)]
struct Asked { page: String }

#[tool_router]
impl Files {
    #[tool(description = "Read a page")]
    async fn read(&self, Parameters(asked): Parameters<Asked>) -> Result<String, McpError> {
        let page: usize = asked.page.parse().unwrap();
        self.actual_read(page).await
    }
}

#[tool_handler] // flaw
impl ServerHandler for Files {}
```

Good:

```rust
#[tool_router]
impl Files {
    #[tool(description = "Read a file")]
    async fn read(&self) -> Result<String, McpError> {
        match AssertUnwindSafe(self.actual_read()).catch_unwind().await {
            Ok(result) => result,
            Err(_) => Err(McpError::internal_error("tool handler panicked", None)),
        }
    }
}

#[tool_handler]
impl ServerHandler for Files {}
```
"""

from collections.abc import Iterator

from reviewer.facts import Act, ActKind, Server
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, Shown, option, rule
from reviewer.rules.conduct import acts, handlers
from reviewer.rules.words import clipped
from reviewer.source import Opaque

HELP = "Wrap the dispatch in `AssertUnwindSafe(..).catch_unwind().await` and answer `Err` with a generic text."
UNSURE = "unsure-isolation"
"""The rubric of whether code that is not there answers for a tool that panics."""

SHOWN = frozenset[Shown](("code",))


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    accept_abort: bool = option(True, 'Whether `panic = "abort"` is accepted as a choice.')
    accept_generated: bool = option(
        False, "Whether a dispatch that the SDK generates is accepted where no input is seen to make a tool panic."
    )
    seen: bool = option(False, "Whether a dispatch counts only where an input is seen to make one of its tools panic.")


@rule(
    Severity.SUGGESTION,
    cites=("checklist §8", "checklist §6"),
    when=lambda server, _options: server.language == "rust" and server.entry is not None,
    absent="no tool dispatch that a panic could leave unanswered",
    unsure=UNSURE,
)
def check(server: Server, options: Options) -> Iterator[Flaw | Question]:
    """Look for entries of tool calls that nothing isolates, and ask of those where code that is not there runs the tools."""
    entry = server.entry
    if entry is None:
        return
    if entry.isolation:
        unseen = next((each for each in entry.isolation if isinstance(each, Opaque)), None)
        tool = next((each for each in server.tools if any(one.span.holds(entry.span) for one in each.reached)), None)
        if unseen is not None and tool is not None and entry.abort is None:
            told = f"`{entry.name}` hands the tools to code that lets a panic through: the call stays unanswered"
            yield Question(entry.name, tool, told, HELP, SHOWN, str(entry.name), rubric=UNSURE)
        return
    panic = _panic(server, is_generated=entry.generated)
    if panic is None and (options.seen or (options.accept_generated and entry.generated)):
        return
    if entry.abort is None:
        known = f", such as of `{clipped(panic.text)}`," if panic is not None else ""
        yield Flaw(
            entry.name,
            f"`{entry.name}` dispatches tools without catch_unwind: a panic{known} leaves the call unanswered",
            HELP,
        )
    elif not options.accept_abort:
        yield Flaw(
            entry.name,
            f"`{entry.name}` dispatches tools without catch_unwind under `{entry.abort}`: a panic ends the process",
            f"Remove `{entry.abort}` from {entry.abort.span.path} and wrap the dispatch in `catch_unwind`.",
        )


def _panic(server: Server, *, is_generated: bool) -> Act | None:
    """Return what some input is seen to make panic in a tool, None if nothing is.

    Who writes the dispatch by hand reads the arguments by hand, too, and so takes what a client may leave out.
    """
    kinds: tuple[ActKind, ...] = ("panics",) if is_generated else ("panics", "indexes")
    found = (each for handler in handlers(server) for each in acts(handler, *kinds))
    return next((each for each in found if each.about is not None), None)
