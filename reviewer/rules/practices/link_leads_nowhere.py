'''Links in the README point to existing files.

People read the README to choose a server. A link to a missing `LICENSE` leaves it open what may be done with the code, and one
to a guide that was moved ends on an error page. Links within the project are checked, in the README of the reviewed folder.

Bad:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
```

```markdown README.md
# Ropes

MIT, see [LICENSE](LICENSE).  # flaw
```

Good:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
```

```markdown README.md
# Ropes

MIT, see [LICENSE](LICENSE).
```

```text LICENSE
MIT
```
'''

from collections.abc import Iterator

from reviewer.facts import BrokenLinks
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_items

HELP = "Add the file, or correct the link."
SHOWN = 6
"""Links in one message."""


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: documentation",),
    absent="no link in the README is broken",
)
def check(links: BrokenLinks) -> Iterator[Flaw]:
    """Yield a finding for the broken links of each document."""
    names = list(dict.fromkeys(map(str, links.targets)))
    told = format_items((f"`{each}`" for each in names), SHOWN)
    first, *others = links.targets
    verb = "are linked but do not exist" if len(names) > 1 else "is linked but does not exist"
    yield Flaw(first, f"{told} {verb}", HELP, related=tuple(each.span for each in others), cause=told)
