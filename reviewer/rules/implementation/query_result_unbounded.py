'''Tools that run a client's query limit the number of rows.

A model writes `SELECT * FROM readings` to see what there is, and gets the entire table: it fills the context or is truncated by
the client, and the server holds it in memory until then. A cap that the answer mentions costs nothing. Code that truncates,
counts or measures what it reads is not reported.

Bad:

```python
import json
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def query(sql: str) -> str:
    """Run a SELECT statement on the firing log."""
    rows = sqlite3.connect("log.db").execute(sql).fetchall()  # flaw
    return json.dumps(rows)
```

Good:

```python
import json
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def query(sql: str) -> str:
    """Run a SELECT statement on the firing log; gives the first 200 rows and says whether there are more."""
    rows = sqlite3.connect("log.db").execute(sql).fetchmany(201)
    return json.dumps({"rows": rows[:200], "has_more": len(rows) > 200})
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Limit the rows that are read (`fetchmany`), and say in the answer that there are more."


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 server/tools", "CWE-770"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each query written by a client whose rows are all returned."""
    for act in iter_acts(handler, "answers all rows"):
        message = f"`{shorten_code(act.text)}` runs a client's query and returns all of its rows"
        yield Flaw(act.text, f"{message}{format_way(act, handler)}", HELP)
