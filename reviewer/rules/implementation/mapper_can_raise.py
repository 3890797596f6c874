'''Code that maps exceptions to responses cannot raise.

It runs after something has gone wrong, and nothing catches what it raises: the client gets the second failure instead of the
first, in a different form, and the original error is lost.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def issue(error):
    return {"ok": False, "message": error.args[0]}  # flaw

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool()
@answering
async def send_letter(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```

Good:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

def issue(error):
    return {"ok": False, "message": "the letter was not sent"}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool()
@answering
async def send_letter(id: str) -> dict:
    """Send a letter."""
    return {"ok": True}
```
'''

from collections.abc import Iterator

from reviewer.facts import ErrorMapping, FaultKind
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    doubtful: bool = declare_option(
        False, "Whether to report every assertion, even if no exception is known to make it fail."
    )


WHY: dict[FaultKind, str] = {
    "assert": "the assertion may fail",
    "missing": "not every caught exception has it",
    "none": "it may be None or missing",
    "index": "an exception may have no arguments",
    "key": "the key may be missing",
    "parse": "the value may not be JSON",
    "number": "the value may not be a number",
    "member": "the enum may have no such member",
}


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: centralized error handling",),
    when=lambda mapping, options: True,
    absent="no decorator maps the exceptions of tools",
)
def check(mapping: ErrorMapping, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each call that can raise while an exception is mapped."""
    for fault in mapping.faults:
        if fault.certain or options.doubtful:
            yield Flaw(
                fault.text,
                f"`{shorten_code(fault.text)}` can raise while an exception is being handled: {WHY[fault.kind]}",
                "Check for it, or use a default: error handling must not fail itself.",
            )
