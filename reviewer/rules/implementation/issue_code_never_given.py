'''Every declared error code is used.

Client authors who read the list of codes write a branch for each. A code that never occurs is wasted work, or a failure that
the server forgot to distinguish.

Bad:

```python
import enum
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

class IssueCode(enum.StrEnum):
    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"  # flaw
    INTERNAL = "INTERNAL"

def issue(error):
    code = IssueCode.NOT_FOUND if isinstance(error, LookupError) else IssueCode.INTERNAL
    return {"ok": False, "issues": [{"code": code}]}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool(name="letter.send")
@answering
async def letter_send(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```

Good:

```python
import enum
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

class IssueCode(enum.StrEnum):
    NOT_FOUND = "NOT_FOUND"
    INTERNAL = "INTERNAL"

def issue(error):
    code = IssueCode.NOT_FOUND if isinstance(error, LookupError) else IssueCode.INTERNAL
    return {"ok": False, "issues": [{"code": code}]}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool(name="letter.send")
@answering
async def letter_send(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorMapping
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: unified output envelope",),
    when=lambda mapping: bool(mapping.codes),
    absent="no decorator maps exceptions to codes",
)
def check(mapping: ErrorMapping) -> Iterator[Flaw]:
    """Yield a finding for each declared issue code that the code never returns."""
    for each in mapping.codes:
        if not each.given:
            help = "Use it where it fits, or remove it from the list."
            yield Flaw(each.name, f"the error code `{each.name}` is declared but never used", help)
