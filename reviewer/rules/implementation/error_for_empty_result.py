'''A search that finds nothing gives an empty result, not an error.

That there is nothing is an answer. Told as an error it makes a model try again with other words, or report a failure that is
none.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(color: str) -> list[str]:
    """Search the glazes by color."""
    glazes = [each for each in ("celadon", "tenmoku") if color in each]
    if not glazes:
        raise ValueError("no glazes found")  # flaw
    return glazes
```

Good:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(color: str) -> list[str]:
    """Search the glazes by color."""
    return [each for each in ("celadon", "tenmoku") if color in each]
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.conduct import acts, lists
from reviewer.rules.words import clipped

HELP = "Answer with the empty list, and say in the result that nothing matched."


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    when=lambda handler: lists(handler.name),
    absent="no tool's code was found that lists or searches",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Look for errors where nothing was found."""
    for act in acts(handler, "fails empty"):
        yield Flaw(act.text, f"`{handler.name}` fails where nothing is found: `{clipped(act.text)}`", HELP)
