'''Error responses carry an error code.

A text explains to a human what happened. A client needs a code to decide what to do next: wait, ask for another id, or give up.

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
        except Exception:  # flaw
            return {"ok": False, "issues": ["the letter was not sent"]}
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

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception:
            return {"ok": False, "issues": [{"code": "INTERNAL", "message": "the letter was not sent"}]}
    return answered

@mcp.tool(name="letter.send")
@answering
async def letter_send(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorMapping, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.failure_answers import are_looked_at, iter_written_faults
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Give each kind of failure a code from a short list: `VALIDATION_ERROR`, `NOT_FOUND`, `INTERNAL`."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    when=are_looked_at,
    absent="no decorator maps the exceptions of tools",
)
def check(told: ErrorMapping | Server) -> Iterator[Flaw]:
    """Yield a finding for each mapping that sets no error code, and, in Rust, for each issue without one."""
    if isinstance(told, ErrorMapping):
        if not told.coded:
            yield Flaw(told.span, "error responses here have no code", HELP)
        return
    for fault, text in iter_written_faults(told) if are_looked_at(told) else ():
        if fault == "no code":
            yield Flaw(text, f"this error response has no code: `{shorten_code(text)}`", HELP)
