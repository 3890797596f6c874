"""No lock guard is held across an await.

While a future that holds a lock waits, its thread runs another that wants the same lock, and blocks: neither goes on again. The
compiler refuses it for futures that move between threads, and lets it pass for those that do not: with `?Send`, in
`spawn_local`, with a guard that may be sent.

In Python a `threading.Lock` is held by a `with` block, or from `acquire()` to `release()`. Another call that wants it holds the
thread of the event loop, and the one that would release it never goes on. `asyncio.Lock` lets tasks wait.

A lock of tasks, as `tokio::sync::RwLock` is, blocks no thread; but who holds it alone while another host is asked, or while a
command runs, lets all other calls wait that only want to read.

So it is with a span of `tracing`: what is logged meanwhile on the thread by others is told as of this call.

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
from reviewer.rules import Flaw, Severity, option, rule
from reviewer.rules.conduct import acts, led_by
from reviewer.rules.words import clipped

IN_BLOCK = "Await first and take the lock only for synchronous work, or use `asyncio.Lock` with `async with`."

HELP = "Release the guard before the await: by a block of its own, `drop(guard)`, or a copy of the data."

OF_SPAN = "Attach the span to the future: `.instrument(span).await`, or `#[instrument]` on the function."


OF_WRITER = (
    "Finish the request or command first and take the lock only to store the result, or use a lock for each key."
)


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    unsent: bool = option(
        False, "Whether to report guards that are not `Send`, which the compiler rejects in spawned tasks."
    )


@rule(
    Severity.WARNING,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Look for locks that are alive where something is awaited, and spans that are entered there."""
    held = acts(handler, "holds guard", "holds span", "holds write lock")
    for act in (*held, *(acts(handler, "holds unsent guard") if options.unsent else ())):
        if act.about is None:
            continue
        taken = f"`{clipped(act.about, 40)}` of line {act.about.span.line}"
        waits = f"`{clipped(act.text, 40)}` waits"
        if act.kind == "holds span":
            said = f"{waits} inside the span that {taken} entered, so other tasks log into it{led_by(act, handler)}"
            yield Flaw(act.text, said, OF_SPAN, cause=f"span {act.text.span.path}")
        elif act.kind == "holds write lock":
            said = f"`{clipped(act.text, 60)}` runs while holding the write lock from {taken}, which blocks all other calls"
            yield Flaw(act.text, said + led_by(act, handler), OF_WRITER, cause="write lock")
        else:
            help = IN_BLOCK if act.text.span.path.endswith(".py") else HELP
            yield Flaw(act.text, f"{waits} while holding the lock from {taken}{led_by(act, handler)}", help)
