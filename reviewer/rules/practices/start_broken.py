'''Documented start commands work.

Who installs a server copies its command, or runs its image. One that names a module or a file which was moved or never written
ends with `No module named ..` before any client hears of the server, and so does an entry point of `pyproject.toml`.
`asyncio.run(main())` of a `main` that is no coroutine runs it, and ends with an error and a traceback even so.
A snippet for a client that is no JSON, gives its `command` as a list, or has `~` in what no shell reads fails when it is
pasted; a document that tells of an older Python or Rust than the manifest takes sends its reader into a failing install.

Bad:

```python ropes/server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return "hemp"
```

```markdown README.md
## Start

    python -m ropes.web  # flaw
```

Good:

```python ropes/server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return "hemp"
```

```markdown README.md
## Start

    python -m ropes.server
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.reached import has_code
from reviewer.rules.words import clipped

HELP = "Correct it so that it works as written: users copy it to install the server."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: documentation", "Python packaging: entry points"),
    when=has_code,
    absent="no server's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for commands, entry points, snippets and versions with which nothing starts; one of several documents is told."""
    for each in project.broken_starts:
        fault = "is not enough" if each.is_old else "fails after it has run" if each.is_late else "cannot work"
        yield Flaw(
            each.text,
            f"`{clipped(each.text)}` {fault}: {each.why}",
            HELP,
            cause=each.cause or f"{each.text} {each.why}",
            minor=each.is_old or each.is_late,
        )
