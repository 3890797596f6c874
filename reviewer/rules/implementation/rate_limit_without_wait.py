'''Rate-limit errors say when to retry.

A model that gets `RATE_LIMIT` without a time retries at once and is rejected again, or gives up. Most vendors send the time to
wait in `Retry-After`.

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

from reviewer.facts import ErrorMapping, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import iter_acts, iter_handlers
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text


def _iter_answers(told: ErrorMapping | Server) -> Iterator[Text]:
    """Yield the answers that ask to try later: those of a decorator, and those, and the failures, of all code."""
    if isinstance(told, ErrorMapping):
        yield from (each.text for each in told.misfits if each.fault == "no wait")
        return
    found = (act.text for each in iter_handlers(told) for act in iter_acts(each, "limits without wait"))
    yield from {each.span: each for each in found}.values()


def _has_code(told: ErrorMapping | Server) -> bool:
    return isinstance(told, ErrorMapping) or any(iter_handlers(told))


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    when=_has_code,
    absent="no decorator maps the exceptions of tools",
)
def check(told: ErrorMapping | Server) -> Iterator[Flaw]:
    """Yield a finding for each answer with a rate limit code that does not say how long to wait."""
    for each in _iter_answers(told) if _has_code(told) else ():
        yield Flaw(
            each,
            f"this rate-limit error does not say when to retry: `{shorten_code(each)}`",
            "Set `retry_after_ms` from the upstream `Retry-After`.",
        )
