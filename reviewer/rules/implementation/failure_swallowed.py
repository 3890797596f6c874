'''Failures are not reported as empty or successful results.

An empty list says that nothing was found. Where the database or the host behind a tool could not be asked, that is untrue: a
model goes on with it, tells its user that there are no messages, or makes a second one of what is there already. What stands
in a log no client reads (CWE-390).

It counts as well where a tool answers that all was done, and the one change that it makes may have failed before.

An answer of nothing counts where a clause takes whatever a request, a statement or a command fails with, tells nobody but a
log, and nothing is all that the client is answered; where a clause takes anything and logs it as an error, of whatever library's
call it is. What is no failure does not count: a file that need not be there, a kind of
exception that says that something was not found, one of several things that are tried, a part of an answer that is else whole.

Bad:

```python
import logging
import sqlite3

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def list_firings(kiln: str) -> list[str]:
    """List the firings of a kiln."""
    try:
        rows = sqlite3.connect("kiln.db").execute("SELECT name FROM firings WHERE kiln = ?", (kiln,))
        return [name for (name,) in rows]
    except sqlite3.Error as error:
        logging.error("no firings: %s", error)
        return []  # flaw
```

Good:

```python
import sqlite3

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def list_firings(kiln: str) -> list[str]:
    """List the firings of a kiln."""
    try:
        rows = sqlite3.connect("kiln.db").execute("SELECT name FROM firings WHERE kiln = ?", (kiln,))
        return [name for (name,) in rows]
    except sqlite3.Error as error:
        raise ToolError(f"The firings cannot be read: {error}") from error
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Dispatch, Server, Tool
from reviewer.patterns import pattern
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.conduct import operation, places, told_once

HELP = (
    "Let the error propagate: raise the SDK's `ToolError` in Python, return `CallToolResult::error` or `Err` in Rust."
)


@rule(
    Severity.WARNING,
    cites=("CWE-390: detection of error condition without action", "Tool trait: error handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Look for empty answers where something failed; that a whole server does so is told once, with the places."""
    found = places(holder, "swallows failure", "claims success", is_meant=_is_contract, is_failing=True)
    if found:
        handler, act = found[0]
        answer = "returns an empty result" if act.kind == "swallows failure" else "reports success"
        message = f"`{handler.name}` {answer} if {operation(act)} fails"
        yield told_once([each.text for _, each in found], message, HELP)


CONTRACT = pattern(
    r"\b(?:none|null|empty|nothing)\b[^.\n]{0,40}\b(?:fails?|failures?|failed|errors?|unavailable|unreachable)\b",
    re.IGNORECASE,
)
"""What a description says of an answer that is empty on purpose where something failed."""


def _is_contract(tool: Tool) -> bool:
    written = tool.handler.documentation if tool.handler is not None else None
    return any(CONTRACT.search(each) is not None for each in (tool.said, written) if each)
