'''Read-only guards block every statement that writes.

A guard that reads the text of a statement knows how simple writes start, or which words they contain. `WITH … DELETE`, `EXPLAIN
ANALYZE DELETE`, `SELECT … INTO`, `PRAGMA` and `VACUUM INTO` write, too (CWE-184). A client that believes that only `SELECT` is
run does not ask before running one.

Every check on the path is evaluated for statements that write; a statement is reported if it passes all of them, while
`INSERT`, `UPDATE`, `DELETE`, `DROP` and `CREATE` do not. Databases that are opened read-only are not reported.

Bad:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def query(sql: str) -> list:
    """Run a SELECT statement on the firing log; gives 200 rows at most."""
    if not sql.strip().lower().startswith(("select", "with")):
        raise ValueError("Only SELECT statements are allowed")
    return sqlite3.connect("log.db").execute(sql).fetchmany(200)  # flaw
```

Good:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def query(sql: str) -> list:
    """Run a SELECT statement on the firing log; gives 200 rows at most."""
    return sqlite3.connect("file:log.db?mode=ro", uri=True).execute(sql).fetchmany(200)
```
'''

from collections.abc import Iterator

from reviewer.facts import Evasion, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_reach
from reviewer.rules.shared.acts.reached import has_code, index_tools_by_name
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = (
    "Open the database read-only (`mode=ro`, `PRAGMA query_only = ON`, a READ ONLY transaction, a role that may only "
    "read); checking the text is not enough."
)
ENCLOSED = "Set `enable_external_access` to false when opening the database."


@rule(
    Severity.WARNING,
    cites=("CWE-184: incomplete list of disallowed inputs",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each kind of statement that writes and passes a read-only guard."""
    tools = index_tools_by_name(project)
    found: dict[object, list[Evasion]] = {}
    for each in project.evasions:
        found.setdefault((each.tool, each.statement), []).append(each)
    for first, *others in found.values():
        passed = "a connection that is opened read-only" if first.is_opened else "a guard that blocks simple writes"
        at = f"`{shorten_code(first.text)}`{format_reach(first.tool, first.through)}"
        said = f"`{first.statement}` writes, but passes {passed}: {at}"
        related = tuple(each.text.span for each in others)
        yield Flaw(
            first.text,
            said,
            ENCLOSED if first.is_opened else HELP,
            tools.get(first.tool),
            related=related,
            cause="guard",
        )
