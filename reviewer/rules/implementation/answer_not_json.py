'''Objects and lists are returned as JSON, not as the output of `str()`.

`str({"open": True, "since": None})` is `{'open': True, 'since': None}`: no JSON parser accepts it, dates and enums appear as
`datetime.datetime(2026, 3, 1, 0, 0)` and `<State.OPEN: 1>`, and non-ASCII letters may be escaped. A model has to guess; a
client that parses it fails. The other tools of the same server usually return JSON.

Reported once for a server, for answers that are entirely the `str()` or `repr()` of a value that is certainly a list or a
mapping, or was read from JSON.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def kiln_state(kiln: str) -> str:
    """Tell the state of a kiln."""
    state = {"kiln": kiln, "open": is_open(kiln), "since": None}
    return str(state)  # flaw
```

Good:

```python
import json

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def kiln_state(kiln: str) -> str:
    """Tell the state of a kiln."""
    state = {"kiln": kiln, "open": is_open(kiln), "since": None}
    return json.dumps(state)
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way, merge_into_flaw
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return the object itself if the SDK serialises it, or `json.dumps(…)`."


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2025-11-25 server/tools, structured content",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield one finding, at the first place, for all answers that are an object in Python notation."""
    found = collect_distinct_acts(holder, "writes object")
    if found:
        handler, act = found[0]
        way = format_way(act, handler)
        message = (
            f"`{handler.name}` returns an object in Python notation, which is not JSON: `{shorten_code(act.text)}`{way}"
        )
        yield merge_into_flaw([each.text for _, each in found], message, HELP)
