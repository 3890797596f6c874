'''Every exception class of the project has its own error mapping.

The author of the class wanted to distinguish this failure from others. Without a branch, or with the code for unknown errors,
clients cannot.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

class NotThereError(Exception):
    """There is no such letter."""

class PostOnStrikeError(Exception):  # flaw
    """Nobody carries letters today."""

def issue(error):
    if isinstance(error, NotThereError):
        return {"ok": False, "issues": [{"code": "NOT_FOUND"}]}
    return {"ok": False, "issues": [{"code": "INTERNAL"}]}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

def carry(id):
    raise PostOnStrikeError(id)

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

class NotThereError(Exception):
    """There is no such letter."""

def issue(error):
    if isinstance(error, NotThereError):
        return {"ok": False, "issues": [{"code": "NOT_FOUND"}]}
    return {"ok": False, "issues": [{"code": "INTERNAL"}]}

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
    raise NotThereError(id)
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorMapping
from reviewer.rules import Flaw, Severity, rule


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: centralized error handling",),
    when=lambda mapping: bool(mapping.exceptions),
    absent="no decorator maps exceptions of the project",
)
def check(mapping: ErrorMapping) -> Iterator[Flaw]:
    """Yield a finding for each exception class that is raised and that the mapping treats as unknown."""
    for each in mapping.exceptions if mapping.covered and mapping.coded else ():  # else it tells none apart
        if each.raised and not each.mapped:
            yield Flaw(
                each.name,
                f"`{each.name}` is raised, but `{mapping.name}` treats it as an unknown exception",
                "Add a branch with its own code, or raise an exception that has one.",
            )
