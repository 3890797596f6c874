"""Every suppression gives a reason.

A year later it is unclear whether the finding was wrong, accepted or forgotten. A suppression without a reason suppresses
nothing.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

# mcp-review: ignore[tool-without-description]  # flaw
@mcp.tool()
def read(path: str) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

# mcp-review: ignore[tool-without-description] described by the client's own prompt
@mcp.tool()
def read(path: str) -> str: ...
```
"""

from collections.abc import Iterator

from reviewer.facts import Ignore
from reviewer.rules import Flaw, Severity, rule


@rule(Severity.WARNING, cites=("mcp-review: suppression",), absent="no suppression comment in the reviewed files")
def check(ignore: Ignore) -> Iterator[Flaw]:
    """Yield a finding for each suppression without a reason."""
    if ignore.reason is None:
        yield Flaw(
            ignore.span,
            f"suppression of `{', '.join(ignore.slugs)}` gives no reason",
            "Add the reason after the bracket.",
        )
