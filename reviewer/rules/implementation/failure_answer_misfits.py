'''Error responses set `ok` to false, carry an issue and have no result.

Clients of an envelope check `ok` first. A failure that claims success is taken for an answer; one without an issue cannot be
distinguished from any other; a result next to it is taken for a partial answer.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(input):
        try:
            return await function(input)
        except TooMany as error:
            return {"ok": True, "result": None, "issues": [{"code": "BUSY", "message": "later"}]}  # flaw
        except Exception:
            return {"ok": False, "result": None, "issues": [{"code": "INTERNAL", "message": "not sent"}]}
    return answered

class TooMany(Exception):
    wait_ms = 1000

@mcp.tool(name="letter.send")
@answering
async def letter_send(input: dict) -> dict:
    """Send a letter."""
    return {"ok": True, "result": await send(input), "issues": []}
```

Good:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def answering(function):
    @functools.wraps(function)
    async def answered(input):
        try:
            return await function(input)
        except TooMany as error:
            return {"ok": False, "result": None, "issues": [{"code": "BUSY", "message": "later"}]}
        except Exception:
            return {"ok": False, "result": None, "issues": [{"code": "INTERNAL", "message": "not sent"}]}
    return answered

class TooMany(Exception):
    wait_ms = 1000

@mcp.tool(name="letter.send")
@answering
async def letter_send(input: dict) -> dict:
    """Send a letter."""
    return {"ok": True, "result": await send(input), "issues": []}
```
'''

from collections.abc import Iterable, Iterator

from reviewer.facts import ErrorMapping, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.failure_answers import are_looked_at, iter_written_faults
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

SAYS = {
    "success": "says that the call succeeded",
    "no issue": "names no issue",
    "result": "also contains a result",
}


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    when=are_looked_at,
    absent="no decorator maps the exceptions of tools",
)
def check(told: ErrorMapping | Server) -> Iterator[Flaw]:
    """Yield a finding for each error response whose `ok`, result or issues are not those of a failure."""
    found: Iterable[tuple[str, Text]] = (
        ((each.fault, each.text) for each in told.misfits)
        if isinstance(told, ErrorMapping)
        else iter_written_faults(told)
    )
    for fault, text in found if are_looked_at(told) else ():
        if fault in SAYS:
            yield Flaw(
                text,
                f"this error response {SAYS[fault]}: `{shorten_code(text)}`",
                "Set `ok` to false, leave out the result, and add an issue with a code and a message.",
            )
