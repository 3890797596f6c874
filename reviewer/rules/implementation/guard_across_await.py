"""No lock guard or span guard is held across an await.

While a future that holds a lock waits, its thread runs another one that needs the same lock and blocks: neither continues. The
compiler rejects this for futures that move between threads, but accepts it for those that do not: with `?Send`, in
`spawn_local`, or with a guard that is `Send`.

In Python a `threading.Lock` is held by a `with` block, or from `acquire()` to `release()`. Another call that needs it blocks
the thread of the event loop, and the call that would release it never continues. `asyncio.Lock` lets tasks wait.

An async lock such as `tokio::sync::RwLock` blocks no thread; but a writer that holds it during a request to another host, or
while a command runs, makes all other calls wait, even those that only read.

The same applies to a span of `tracing`: events that other tasks log on the thread in the meantime are attributed to this call.

Bad:

```rust
use std::sync::Mutex;

pub struct Fire {
    log: Mutex<Vec<String>>,
}

pub fn tools() -> Vec<Box<dyn Tool>> {
    vec![Box::new(Fire::new())]
}

#[async_trait(?Send)]
impl Tool for Fire {
    fn name(&self) -> &str { "fire_kiln" }

    async fn call(&self, input: Value) -> Result<Value> {
        let mut log = self.log.lock().unwrap();
        log.push(burn(&input).await?); // flaw
        Ok(json!(log.len()))
    }
}
```

Good:

```rust
use std::sync::Mutex;

pub struct Fire {
    log: Mutex<Vec<String>>,
}

pub fn tools() -> Vec<Box<dyn Tool>> {
    vec![Box::new(Fire::new())]
}

#[async_trait(?Send)]
impl Tool for Fire {
    fn name(&self) -> &str { "fire_kiln" }

    async fn call(&self, input: Value) -> Result<Value> {
        let line = burn(&input).await?;
        let mut log = self.log.lock().unwrap();
        log.push(line);
        Ok(json!(log.len()))
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

IN_BLOCK = "Await first and take the lock only for synchronous work, or use `asyncio.Lock` with `async with`."

HELP = "Release the guard before the await: by a block of its own, `drop(guard)`, or a copy of the data."

OF_SPAN = "Attach the span to the future: `.instrument(span).await`, or `#[instrument]` on the function."


OF_WRITER = (
    "Finish the request or command first and take the lock only to store the result, or use a lock for each key."
)


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    unsent: bool = declare_option(
        False, "Whether to report guards that are not `Send`, which the compiler rejects in spawned tasks."
    )


@rule(
    Severity.WARNING,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each lock that is held across an await, and for each span that is entered across one."""
    held = iter_acts(handler, "holds guard", "holds span", "holds write lock")
    for act in (*held, *(iter_acts(handler, "holds unsent guard") if options.unsent else ())):
        if act.about is None:
            continue
        taken = f"`{shorten_code(act.about, 40)}` on line {act.about.span.line}"
        waits = f"`{shorten_code(act.text, 40)}` waits"
        if act.kind == "holds span":
            said = f"{taken} keeps its span entered while {waits}, so events of other tasks land in it{format_way(act, handler)}"
            yield Flaw(act.text, said, OF_SPAN, cause=f"span {act.text.span.path}")
        elif act.kind == "holds write lock":
            said = f"`{shorten_code(act.text, 60)}` runs while holding the write lock from {taken}, which blocks all other calls"
            yield Flaw(act.text, said + format_way(act, handler), OF_WRITER, cause="write lock")
        else:
            help = IN_BLOCK if act.text.span.path.endswith(".py") else HELP
            yield Flaw(act.text, f"{waits} while holding the lock from {taken}{format_way(act, handler)}", help)
