'''The text of an unexpected exception is logged, not returned to the client.

This text was not written for clients. It contains paths, addresses, queries and values, and a model repeats it to anyone who
asks.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return {"ok": False, "issues": [{"code": "INTERNAL", "message": str(error)}]}  # flaw
    return answered

@mcp.tool(name="letter.send")
@answering
async def letter_send(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```

Good:

```python
import functools
import logging

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception:
            logging.exception("a tool failed")
            return {"ok": False, "issues": [{"code": "INTERNAL", "message": "Internal error"}]}
    return answered

@mcp.tool(name="letter.send")
@answering
async def letter_send(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorMapping, Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return a constant text and a code, and log the exception."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: never leak internals",),
    absent="no decorator maps the exceptions of tools, and no tool's code was found",
)
def check(answering: ErrorMapping | Handler) -> Iterator[Flaw]:
    """Yield a finding for each place that returns the text of an unexpected exception: in a decorator of tools or in a
    tool.
    """
    if isinstance(answering, Handler):
        for act in iter_acts(answering, "tells exception"):
            message = f"the text of an unknown exception reaches the client: `{shorten_code(act.text)}`"
            yield Flaw(act.text, f"{message}{format_way(act, answering)}", HELP)
    elif answering.leak is not None:
        message = f"the text of an unknown exception reaches the client: `{shorten_code(answering.leak)}`"
        yield Flaw(answering.leak, message, HELP)
