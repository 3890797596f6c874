'''The code reads every documented setting.

Users who install a server set what its README, its `.env.example`, its manifests and its settings files name, and expect it to
work: a proxy, a limit, a switch that prevents writing. A variable whose name no code of the project contains silently has no
effect, and neither does a field of a `Config` or `Settings` class that no code reads. Not reported: programs that read the
entire environment, write an entire configuration or build the names of variables, and variables of interpreters, tools and
SDKs. A field counts as read if its name occurs in code that neither declares nor sets it.

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

from reviewer.facts import DocumentedSettings, UnreadFields
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_items

HELP = "Read it when the server starts, or remove it from the documentation: users who set it expect it to work."
SHOWN = 8
"""Names in one message."""


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: documentation", "MCP registry: server.json, environmentVariables"),
    absent="no documentation mentions environment variables",
)
def check(settings: DocumentedSettings) -> Iterator[Flaw]:
    """Yield a finding for each documented variable or field that no code reads."""
    for each in settings.fields:
        yield _build_for_type(each)
    if not settings.unread:
        return
    first, *others = settings.unread
    told = format_items((f"`{each}`" for each in settings.unread), SHOWN)
    verb, they = ("are", "them") if others else ("is", "it")
    yield Flaw(
        first, f"{told} {verb} documented, but no code reads {they}", HELP, related=tuple(each.span for each in others)
    )


def _build_for_type(found: UnreadFields) -> Flaw:
    first, *others = found.fields
    told = format_items((f"`{each}`" for each in found.fields), SHOWN)
    they, them = ("are settings", "them") if others else ("is a setting", "it")
    message = f"{told} of `{found.type}` {they} in the documentation, but no code reads {them}"
    return Flaw(first, message, HELP, related=tuple(each.span for each in others))
