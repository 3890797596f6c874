'''The documents list the tools that the source registers.

Somebody chooses a server, and writes the rules of an agent, by the table in its README. A tool that was renamed or taken out
lives on there and fails when it is asked for; one that came later is never found. Read are the README and `docs/` of the
reviewed folder, and only lists in which most names are tools of the server.

Bad:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope(name: str) -> str:
    """Cut a rope."""

@mcp.tool()
def tie_knot(name: str) -> str:
    """Tie a knot."""
```

```markdown README.md
| Tool | What it does |
| --- | --- |
| `list_ropes` | Lists the ropes |
| `cut_rope` | Cuts one |
| `tie_knot` | Ties a knot |
| `untie_knot` | Unties it |  # flaw
```

Good:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope(name: str) -> str:
    """Cut a rope."""

@mcp.tool()
def tie_knot(name: str) -> str:
    """Tie a knot."""
```

```markdown README.md
| Tool | What it does |
| --- | --- |
| `list_ropes` | Lists the ropes |
| `cut_rope` | Cuts one |
| `tie_knot` | Ties a knot |
```
'''

from collections.abc import Iterator
from difflib import get_close_matches

from reviewer.facts import Listing
from reviewer.rules import Flaw, Severity, rule

HELP = "List in the documents what the source registers, under the same names."


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: documentation", "Tool trait: documentation"),
    absent="no document lists the tools",
)
def check(listing: Listing) -> Iterator[Flaw]:
    """Look for names that only the documents have, and for tools that only the source has."""
    renamed: set[str] = set()
    for name in listing.unknown:
        near = get_close_matches(name, [str(each) for each in listing.missing], 1, 0.75)
        renamed.update(near)
        other = f"; the source has `{near[0]}`" if near else ""
        yield Flaw(name, f"`{name}` is listed among the tools, and no code registers it{other}", HELP)
    for tool in listing.missing:
        if tool not in renamed:
            yield Flaw(tool, f"tool `{tool}` is named in no document, which list {len(listing.listed)} others", HELP)
