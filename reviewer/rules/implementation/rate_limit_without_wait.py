'''An answer that asks to try later says when.

A model that reads `RATE_LIMIT` and no time tries again at once, and is refused again, or gives up. The milliseconds to wait stand
in the `Retry-After` of most vendors.

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
            return {"ok": False, "result": None, "issues": [{"code": "RATE_LIMIT", "message": "later"}]}  # flaw
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
            issue = {"code": "RATE_LIMIT", "message": "later", "retry_after_ms": error.wait_ms}
            return {"ok": False, "result": None, "issues": [issue]}
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

from collections.abc import Iterator

from reviewer.facts import ErrorMapping
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import clipped


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    absent="no decorator maps the exceptions of tools",
)
def check(mapping: ErrorMapping) -> Iterator[Flaw]:
    """Look for answers with such a code and without a time."""
    for each in mapping.misfits:
        if each.fault == "no wait":
            yield Flaw(
                each.text,
                f"this answer asks to try later and does not say when: `{clipped(each.text)}`",
                "Give `retry_after_ms`, from what the other side asks for.",
            )
