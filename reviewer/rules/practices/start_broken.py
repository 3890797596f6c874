'''What starts a server names a program that is there.

Who installs a server copies its command, or runs its image. One that names a module or a file which was moved or never written
ends with `No module named ..` before any client hears of the server, and so does an entry point of `pyproject.toml`.
`asyncio.run(main())` of a `main` that is no coroutine runs it, and ends with an error and a traceback even so.

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

HELP = "Name the module, the file or the function that is there, or add it."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: documentation", "Python packaging: entry points"),
    when=has_code,
    absent="no server's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Look for commands, entry points and event loops that cannot start what they name; one of several documents is told."""
    for each in project.broken_starts:
        yield Flaw(each.text, f"`{clipped(each.text)}` cannot work: {each.why}", HELP, cause=f"{each.text} {each.why}")
