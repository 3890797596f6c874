'''The live server matches its source.

Clients get what the server returns, while readers of the code see something else: a tool that a condition or an old release
left out, a description that a proxy rewrote, a schema with other bounds, a `listChanged` that only one of them has. The review
of the source then does not apply to what is served. Checked only if the review of the source is given a live server as well.

Bad:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("notes")

@mcp.tool(structured_output=False)
def read_note() -> str:
    """Read a note."""  # flaw
```

```json live.json
{"tools": [{"name": "read_note", "description": "Read one of the notes.",
            "inputSchema": {"type": "object", "title": "read_noteArguments", "properties": {}}}]}
```

Good:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("notes")

@mcp.tool(structured_output=False)
def read_note() -> str:
    """Read a note."""
```
'''

import json
from collections.abc import Iterator
from typing import Any

from reviewer.facts import Drift
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

CLAIMED = "the source advertises `listChanged`, but the live server does not"
PROMISED = "the live server advertises `listChanged`, but no code in the source sends the notification"


@rule(
    Severity.WARNING,
    cites=("checklist §5", "MCP 2026-07-28 server/tools"),
    absent="no live server was asked",
)
def check(drift: Drift) -> Iterator[Flaw]:
    """Say of each part what both say."""
    if drift.part == "tool":
        message = f"tool `{drift.tool}` is {drift.source} in the source and {drift.live} by the live server"
    elif drift.part == "listChanged":
        message = PROMISED if drift.live else CLAIMED
    else:
        both = f"{_show(drift.source)} in the source, {_show(drift.live)} from the live server"
        message = f"`{drift.part}` of tool `{drift.tool}` differs: {both}"
    yield Flaw(drift.span, message, "Review the deployed release, or deploy the reviewed source.")


def _show(value: Any) -> str:
    return "nothing" if value is None else f"`{shorten_code(value if isinstance(value, str) else json.dumps(value))}`"
