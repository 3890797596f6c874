'''Arguments are never inserted into the text of an SQL statement.

A quote, a comment or a second statement in the argument changes the rest of the statement: rows of other users, another table,
`DROP`. A bound parameter is a value whatever it contains (CWE-89).

Names of tables and columns cannot be parameters: look them up in a list, or quote them with the database's own function.
Arguments that were checked, and numbers, are not reported. A tool that takes the entire statement runs what it is asked to, and
is not an injection. Next to such a tool for the same database, an injection in another tool gains little, and is a suggestion.

Bad:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("library")
db = sqlite3.connect("library.db")

@mcp.tool()
def find_books(author: str) -> list:
    """Find books."""
    return db.execute(f"SELECT title FROM books WHERE author = '{author}'").fetchall()  # flaw
```

Good:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("library")
db = sqlite3.connect("library.db")

@mcp.tool()
def find_books(author: str) -> list:
    """Find books."""
    return db.execute("SELECT title FROM books WHERE author = ?", (author,)).fetchall()
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, collect_free_reaches, format_subject, has_code, iter_reach_flaws

HELP = {
    "py": 'Pass it as a bound parameter: `execute("… WHERE name = ?", (name,))`; quote the name of a table or look it up.',
    "rs": 'Bind it: `query("… WHERE name = ?").bind(name)`, `params![name]`; quote the name of a table or look it up.',
    "ts": 'Bind it: `query("… WHERE name = $1", [name])`; quote the name of a table or look it up.',
}


@rule(
    Severity.ERROR,
    cites=("CWE-89: SQL injection",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each SQL statement with arguments in its text."""
    found = collect_free_reaches(project, "statement")
    always = [each for each, tool in found if each.whole and tool is not None and not tool.conditions]
    ran = {place for each in always for place in (each.span, each.client) if place}
    same = {(each.tool, each.arguments) for each, _ in found if each.span in ran or each.client in ran}
    yield from iter_reach_flaws(
        project,
        "statement",
        lambda each: f"{format_subject(each, 'is', 'are')} inserted into the text of an SQL statement",
        HELP,
        lambda each, _: not each.whole,
        is_minor=lambda each: (each.tool, each.arguments) in same,
    )
