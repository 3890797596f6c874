'''Every suppression suppresses something.

A suppression that matches nothing hides the next finding that does. It goes when its finding goes. Suppressions of rules that
did not run are left alone.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

# mcp-review: ignore[suppression-unusual] no such rule  # flaw
@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Ignore
from reviewer.rules import Flaw, Severity, rule


@rule(Severity.WARNING, cites=("mcp-review: suppression",), absent="no suppression comment in the reviewed files")
def check(ignore: Ignore) -> Iterator[Flaw]:
    """Look for suppressions that matched no finding."""
    if ignore.used is False:
        yield Flaw(ignore.span, f"suppression of `{', '.join(ignore.slugs)}` matches nothing", "Remove the comment.")
