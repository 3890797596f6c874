'''Tools make no blocking calls on the event loop.

While a plain `sleep`, request or command blocks the event loop, the server answers nothing: no other call, no ping, and not the
cancellation of this call. Clients assume that it is dead.

Bad:

```python
import time

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    time.sleep(minutes * 60)  # flaw
    return "done"
```

Good:

```python
import asyncio

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(minutes: int) -> str:
    """Fire the kiln."""
    await asyncio.sleep(minutes * 60)
    return "done"
```
'''

from collections.abc import Iterator

from reviewer.facts import Act, Handler
from reviewer.fixes.model import Rewrite
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.fixes import plan_rewrite
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.text.patterns import pattern

HELP = "Use the asynchronous version, or run it in a thread: `asyncio.to_thread`, `spawn_blocking`."

CLIENT = pattern(r"(?!(?:time|subprocess|os|shutil)\b)(?:self\s*\.\s*)?\w+(?=\s*\.)")
"""A client, in a field or a variable, or a library that is one: its calls block for one reason, that it is not the asynchronous
one."""


def _format_function(act: Act, handler: Handler) -> str:
    """Name the function that blocks: to hand all of it to a thread is one change."""
    return f"in {act.through[-1].partition('(')[0] if act.through else handler.name}"


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    files: bool = declare_option(False, "Whether to suggest other file system calls, which block only briefly.")


@rule(
    Severity.WARNING,
    cites=("protocol page R3", "Tool trait: what not to do", "MCP 2026-07-28 basic/patterns/cancellation"),
    absent="no tool's code was found",
    fixes=("unsafe",),
)
def check(handler: Handler, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each call that blocks the thread of the event loop."""
    for act in iter_acts(handler, "blocks", *(("blocks briefly",) if options.files else ())):
        sleep = Rewrite("await sleep", act.text.span)
        fix_plan = (
            plan_rewrite("await `asyncio.sleep`", sleep, safe=False) if act.text.startswith("time.sleep(") else None
        )
        client = CLIENT.match(act.text)
        where = f"{act.text.span.path} {client[0] if client is not None else _format_function(act, handler)}"
        # of calls of the file system a server has hundreds, and one way out: `tokio::fs`
        is_brief = act.kind == "blocks briefly"
        cause = "files" if is_brief else where
        said = f"`{shorten_code(act.text)}` blocks the event loop{format_way(act, handler)}"
        # the text on the Tool trait reads a file by `std::fs` in its own example of a good tool
        yield Flaw(act.text, said, HELP, fix_plan=fix_plan, cause=cause, minor=is_brief)
