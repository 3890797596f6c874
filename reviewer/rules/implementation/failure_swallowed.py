'''Failures are not reported as empty or successful results.

An empty list says that nothing was found. If the database or host behind a tool could not be reached, that is untrue: a model
continues with it, tells its user that there are no messages, or creates a second copy of something that exists. Clients do not
read the log (CWE-390).

Also reported are tools that report success although the one change that they make may have failed.

An empty answer is reported if a clause catches any failure of a request, a statement or a command, informs nothing but a log,
and the client gets nothing else; or if a clause catches everything and logs it as an error, whichever library failed. Not
reported are cases that are not failures: an optional file, an exception that means "not found", one of several attempts, a part
of an otherwise complete answer.

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
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_operation, merge_into_flaw
from reviewer.text.patterns import pattern

HELP = (
    "Let the error propagate: raise the SDK's `ToolError` in Python, return `CallToolResult::error` or `Err` in Rust."
)


@rule(
    Severity.WARNING,
    cites=("CWE-390: detection of error condition without action", "Tool trait: error handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each failure that is answered with an empty result; one finding, with all places, for a whole
    server.
    """
    found = collect_distinct_acts(holder, "swallows failure", "claims success", is_meant=_is_contract, is_failing=True)
    if found:
        handler, act = found[0]
        answer = "returns an empty result" if act.kind == "swallows failure" else "reports success"
        message = f"`{handler.name}` {answer} if {format_operation(act)} fails"
        yield merge_into_flaw([each.text for _, each in found], message, HELP)


CONTRACT = pattern(
    r"\b(?:none|null|empty|nothing)\b[^.\n]{0,40}\b(?:fails?|failures?|failed|errors?|unavailable|unreachable)\b",
    re.IGNORECASE,
)
"""What a description says of an answer that is empty on purpose where something failed."""


def _is_contract(tool: Tool) -> bool:
    written = tool.handler.documentation if tool.handler is not None else None
    return any(CONTRACT.search(each) is not None for each in (tool.said, written) if each)
