'''JSON in responses is written by a serialiser, not by string formatting.

Error messages contain quotation marks and line breaks: `invalid character '"' at line 2`. Inserted into `{"error": "…"}`
unescaped, they break the JSON, and parsing the answer fails exactly when there was something to report (CWE-116).

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read_plan(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        return f'{{"error": "{error}"}}'  # flaw
```

Good:

```python
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def read_plan(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        raise ToolError(f"The plan cannot be read: {error}") from error
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import iter_acts, iter_handlers, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Use a serialiser: `json.dumps` in Python, `serde_json::json!` in Rust."


@rule(
    Severity.WARNING,
    cites=("CWE-116: improper encoding or escaping of output", "RFC 8259 §7"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each JSON text that contains an unescaped error text; one finding, with all places, for a
    whole server.
    """
    found = {
        act.text.span: (each, act)
        for each in reversed(list(iter_handlers(holder)))
        for act in iter_acts(each, "breaks json")
    }
    if found:
        told = list(reversed(found.values()))
        handler, act = told[0]
        what = f"`{handler.name}` returns hand-built JSON that a quotation mark in an error breaks: `{shorten_code(act.text)}`"
        yield merge_into_flaw([each.text for _, each in told], what, HELP)
