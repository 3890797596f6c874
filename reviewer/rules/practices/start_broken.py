'''Documented start commands work.

Users who install a server copy its command, or run its image. A command with a module or file that was moved or never written
ends with `No module named ..` before any client sees the server, and so does an entry point of `pyproject.toml`.
`asyncio.run(main())` with a `main` that is not a coroutine runs it, but then ends with an error and a traceback. A client
snippet that is not JSON, has a list as its `command`, or has a `~` that no shell expands fails when it is pasted; documentation
with an older Python or Rust version than the manifest allows leads to a failing installation.

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
from reviewer.rules.shared.acts.reached import has_code
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Correct it so that it works as written: users copy it to install the server."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: documentation", "Python packaging: entry points"),
    when=has_code,
    absent="no server's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each command, entry point, snippet or version that cannot start the server; one if several
    documents have it.
    """
    for each in project.broken_starts:
        fault = "is not enough" if each.is_old else "fails after it has run" if each.is_late else "cannot work"
        yield Flaw(
            each.text,
            f"`{shorten_code(each.text)}` {fault}: {each.why}",
            HELP,
            cause=each.cause or f"{each.text} {each.why}",
            minor=each.is_old or each.is_late,
        )
