'''Coroutines and futures are awaited.

Calling an async function only creates a coroutine, in Rust a future; its body runs when it is awaited. If it never is, the call
silently does nothing: the message never reaches the client, the record is never written, and the tool reports success. In
JavaScript it runs, but the tool answers before it is done, and its failure, which nothing handles, ends the process. Reported
if nothing reads the result of the call, so that nothing can await it later.

Bad:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
async def fire(degrees: int, ctx: Context) -> str:
    """Fire the kiln."""
    ctx.info("The kiln gets hot.")  # flaw
    return f"firing at {degrees}"
```

Good:

```python
from mcp.server.fastmcp import Context, FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
async def fire(degrees: int, ctx: Context) -> str:
    """Fire the kiln."""
    await ctx.info("The kiln gets hot.")
    return f"firing at {degrees}"
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Await it."
HANDLED = "Await it, or add `.catch(…)`; for the elements of a list, use `Promise.all(list.map(…))` or a `for` loop."


@rule(
    Severity.WARNING,
    cites=(
        "https://docs.python.org/3/library/asyncio-dev.html#detect-never-awaited-coroutines",
        "https://nodejs.org/api/process.html#event-unhandledrejection",
    ),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each call of an `async` function whose coroutine is never awaited."""
    for handler, act in collect_distinct_acts(holder, "never runs"):
        message = f"`{shorten_code(act.text)}` is never awaited, so it never runs{format_way(act, handler)}"
        yield Flaw(act.text, message, HELP, cause=_find_callee_owner(act.text))
    for handler, act in collect_distinct_acts(holder, "never awaited"):
        message = f"nothing awaits `{shorten_code(act.text)}`, so its failure is not handled{format_way(act, handler)}"
        yield Flaw(act.text, message, HANDLED, cause=_find_callee_owner(act.text))


def _find_callee_owner(call: str) -> str:
    """Return whose methods a call forgets to await, or which function: who writes `ctx.info()` does so each time."""
    callee = call.partition("(")[0]
    return callee.rpartition(".")[0] or callee
