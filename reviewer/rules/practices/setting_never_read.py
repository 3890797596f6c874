'''Every environment variable that is documented is read.

Who installs a server sets what its README, its `.env.example` and its manifests name, and believes that it holds: a proxy, a
limit, a switch that keeps it from writing. A variable whose name no code of the project has does nothing, and nothing says so.
Silent where a program reads the whole environment, or puts the names of variables together, and for what interpreters, tools and
SDKs read themselves.

Bad:

```python server.py
import os

from mcp.server import MCPServer

mcp = MCPServer("ropes")
STORE = os.environ["ROPES_STORE"]

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return open(STORE).read()
```

```markdown README.md
## Environment variables

| Variable | What it does |
| --- | --- |
| `ROPES_STORE` | The file with the ropes |
| `ROPES_LIMIT` | How many ropes one answer has |  # flaw
```

Good:

```python server.py
import os

from mcp.server import MCPServer

mcp = MCPServer("ropes")
STORE = os.environ["ROPES_STORE"]

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return open(STORE).read()
```

```markdown README.md
## Environment variables

| Variable | What it does |
| --- | --- |
| `ROPES_STORE` | The file with the ropes |
```
'''

from collections.abc import Iterator

from reviewer.facts import Settings
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import enumerated

HELP = "Read it where the server starts, or take it out of the documents: who sets it believes that it holds."
SHOWN = 8
"""Names in one message."""


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: documentation", "MCP registry: server.json, environmentVariables"),
    absent="no document names environment variables",
)
def check(settings: Settings) -> Iterator[Flaw]:
    """Look for variables that documents name and no code has."""
    if not settings.unread:
        return
    first, *others = settings.unread
    told = enumerated((f"`{each}`" for each in settings.unread), SHOWN)
    verb, they = ("are", "them") if others else ("is", "it")
    yield Flaw(
        first, f"{told} {verb} documented, and no code reads {they}", HELP, related=tuple(each.span for each in others)
    )
